// A bench runs the lesson's program with the flags that its knobs say, and shows what it finds.
// Stands behind common/frame/web/program.js and motion.js.
// SPDX-License-Identifier: MIT

const runner = newRunner();

function tell({ state }, text, wrong = false) {
  state.textContent = text;
  state.classList.toggle('fails', wrong);
}

const shownBy = bench => bench.box.querySelector('.shown');
// What the knobs of a bench say, to be compared.
const settingOf = ({ form }) => all('[name]', form).map(field => field.value).join('\n');

// Marks a picture that is not of what the knobs say. page.css pales it, if its answer takes longer
// than a moment.
function settle(bench) {
  shownBy(bench).classList.toggle('stale', bench.shows !== settingOf(bench));
}
// The picture is now of this setting, or of none.
function shows(bench, setting) {
  bench.shows = setting;
  settle(bench);
}

// Shows how far a picture is.
function placeDraft(bench, svg) {
  bench.hold.hidden = false;
  shownBy(bench).innerHTML = `<figure>${svg}</figure>`;
  shownBy(bench).classList.remove('stale');
  shownBy(bench).classList.add('growing');
}

// Puts a result into its bench. Its pictures stay where the reader has scrolled them, and keep the
// focus.
function placeTurned(bench, result) {
  const figures = () => all('.turned figure', bench.box);
  const before = figures().map(figure => ({
    picture: figure.querySelector('svg'),
    left: figure.scrollLeft,
    focused: figure.contains(document.activeElement) ? document.activeElement.tagName : '',
  }));
  bench.box.querySelector('.turned').replaceWith(result);
  figures().forEach((figure, k) => {
    const picture = figure.querySelector('svg');
    const { picture: old, left = 0, focused } = before[k] ?? {};
    motion.tween(old, picture);
    figure.scrollLeft = left;
    if (!focused) return;
    const holder = focused === 'FIGURE' ? figure : picture;
    holder.setAttribute('tabindex', 0);
    holder.focus({ preventScroll: true });
  });
}
// Puts a whole part's result in place of the old, whose pictures and tables may stand in the text.
function placeWhole(bench, result) {
  for (const piece of all('[id]', result)) {
    const before = document.getElementById(piece.id);
    if (before && !before.closest('.run')) before.replaceWith(piece);
  }
  const old = document.querySelector(`.run[data-part="${bench.part}"]`);
  result.open = true;
  if (old) old.replaceWith(result);
  else bench.box.before(result);
  for (const form of all('form.predict', result)) {
    form.hidden = true;
    form.nextElementSibling.open = true;
  }
}
// The program's page has the one part that ran.
function place(bench, innerHTML, turned) {
  const page = newTag('template', { innerHTML }).content;
  const result = page.querySelector(turned ? '.turned' : '.run');
  if (!result) return;
  if (turned) placeTurned(bench, result);
  else placeWhole(bench, result);
}

// Says to who does not see the picture what it shows.
function announce({ box, told }) {
  const shown = box.querySelector('.says > p') ?? box.querySelector('.shown title');
  told.textContent = shown?.textContent ?? '';
}

// The program's line names its flag; a page, what the knob means.
function inWords({ form }, error) {
  const [, name, said] = error.match(/^lesson\d: (?:--([a-z\d-]+):? )?(.*)$/) ?? [];
  if (!said) return error;
  const meaning = name && fieldOf(form, name)?.getAttribute('aria-label').replace(/, typed$/, '');
  return `${meaning ?? name ?? ''}: ${said}`.replace(/^: /, '');
}

// Runs a bench as its knobs stand, or the whole part.
function run(bench, what = 'turned') {
  clearTimeout(bench.timer);
  bench.timer = 0;
  bench.queue.clear();
  bench.go?.classList.remove('wanted');
  bench.stop.disabled = false;
  const turned = what === 'turned';
  const setting = settingOf(bench);
  const job = {};
  const words = ['--part', String(bench.part), ...(turned ? wordsOf(bench.form) : [])];
  const files = {};
  for (const text of all('[data-file]', bench.form)) files[text.name + '.txt'] = text.value;
  const late = setTimeout(tell, 200, bench, 'Running …');
  if (bench.seconds > 2) tell(bench, 'Running …');  // it said: press Run
  function over() {
    clearTimeout(late);
    if (bench.job !== job) return;  // a newer run has the buttons
    bench.runs = false;
    bench.stop.disabled = true;
    bench.bar.hidden = true;
    bench.hold.hidden = true;
    bench.hold.textContent = 'Pause';
  }
  function end({ status, html, error, seconds }) {
    over();
    if (turned) bench.seconds = seconds;
    if (bench.play) bench.play.hidden = bench.seconds > 1;
    if (status === 2 || !html)
      tell(bench, inWords(bench, error) || `The program ended with status ${status}.`, true);
    else {
      place(bench, html, turned);
      announce(bench);
      if (turned) shows(bench, setting);
      tell(bench, `${seconds.toFixed(2)} s${status ? '; a claim fails' : ''}`, status !== 0);
    }
    if (setting !== settingOf(bench)) moved(bench);
  }
  if (turned) settle(bench);
  bench.job = Object.assign(job, {
    words,
    files,
    page: `build/out/lesson${bench.lesson}/index.html`,
    progress(text) {
      const [, value, max] = text.match(/(\d+) of (\d+)/) ?? [];
      bench.bar.hidden = !max;
      if (max) Object.assign(bench.bar, { max, value });
      tell(bench, text);
    },
    draft(svg) {
      clearTimeout(late);
      bench.queue.add(() => placeDraft(bench, svg));
    },
    stopped(why) {
      over();
      if (bench.job !== job) return;
      bench.queue.clear();
      if (shownBy(bench).matches('.growing')) shows(bench, null);
      tell(bench, why, /early|cannot/.test(why));
    },
    done: result => bench.queue.add(() => end(result)),
  });
  runner.start(job);
  bench.runs = true;
}

// A knob was moved: a quick bench answers at once, or after the run that it is at; others wait.
function moved(bench) {
  settle(bench);
  clearTimeout(bench.timer);
  bench.timer = 0;
  const quick = bench.seconds < 1;
  if (bench.runs && quick) return;  // its end sees that the knobs stand elsewhere
  if (bench.seconds <= 2) bench.timer = setTimeout(run, quick ? 0 : 150, bench);
  else if (bench.shows === settingOf(bench)) {
    bench.go.classList.remove('wanted');
    tell(bench, '');
  } else {
    bench.go.classList.add('wanted');
    tell(bench, `About ${bench.seconds.toFixed(0)} s: press Run.`);
  }
}
