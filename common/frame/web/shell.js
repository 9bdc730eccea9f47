// Furnishes the benches of a page that holds a lesson's program, and starts what waits for it: that
// of the opening at once, the others when the page is here. Stands behind the other scripts of
// common/frame/web but derivation.js.
// SPDX-License-Identifier: MIT

{

// Returns a button's name for a link: its words without a preposition or an article; its settings,
// if those are a mere number or pronoun, or another link's as well.
function nameOf(link, links) {
  const inWords = ({ textContent }) => textContent.replace(/\s+/g, ' ')
    .replace(/^(at|of|on|with) /i, '').replace(/^(an?|the) (?=\p{L}{2})/iu, '');
  const words = inWords(link);
  const tells = /\p{L}/u.test(words) && !/^its?$/i.test(words);
  if (tells && links.filter(one => inWords(one) === words).length === 1)
    return words.replace(/^\p{Ll}{2}/u, start => start[0].toUpperCase() + start[1]);
  return decodeURIComponent(link.hash.split('?')[1]).replaceAll('=', ' ').replaceAll('&', ', ');
}

// Puts the buttons of a bench with knobs into its row.
function furnishKnobs(bench, row) {
  const { form, part, lesson } = bench;
  bench.go = newButton('Run', () => run(bench));
  bench.go.className = 'go';
  bench.play = motion.player(form, () => !bench.runs && !bench.timer);
  if (bench.play) row.append(bench.play);
  function reset() {
    moved(bench);
    forget(bench);
  }
  row.append(bench.go, newButton('Reset', () => {
    form.reset();
    setTimeout(reset);
  }));
  form.addEventListener('input', () => moved(bench));
  form.addEventListener('change', () => remember(bench));
  if (bench.opens) return;
  // Links of the text that set these knobs are buttons, too.
  const links = all(`a[href^="#${lesson}.${part}?"]`);
  for (const link of links)
    form.querySelector('.try').append(newButton(nameOf(link, links), () => {
      setTo(bench, link.hash.split('?')[1]);
      remember(bench);
    }));
}

// Returns a button that holds a training's growing curve, and lets it go on.
function holder(bench) {
  const hold = newButton('Pause', () => {
    const holds = hold.textContent === 'Pause';
    hold.textContent = holds ? 'Go on' : 'Pause';
    bench.queue.hold(holds);
  });
  hold.hidden = true;
  return hold;
}

// Returns the setting that the picture is of, and lets fields follow sliders, which somebody may
// have moved before the page was ready.
function catchUp(form) {
  const given = newTag('template', { innerHTML: form.outerHTML }).content.firstElementChild;
  for (const [k, slider] of all('[type=range]', given).entries()) {
    const own = all('[type=range]', form)[k];
    if (own.value !== slider.value) fire(own, 'input');
  }
  return settingOf({ form: given });
}

function furnish(form) {
  const { part, lesson } = form.dataset;
  const box = form.closest('.bench');
  const bench = { form, box, part: Number(part), lesson, seconds: 0, runs: false, timer: 0 };
  bench.opens = box.matches('.opening');
  bench.shows = catchUp(form);
  bench.queue = motion.queue();
  bench.state = newTag('output');
  bench.told = newTag('span', { className: 'said', role: 'status' });
  bench.bar = newTag('progress', { hidden: true });
  bench.hold = holder(bench);
  bench.stop = newButton('Stop', () => {
    if (runner.isAt(bench.job)) runner.stop('Stopped.');
    else bench.queue.hold(false);  // it is done, and only its pictures are held
  });
  bench.stop.disabled = true;
  const row = form.querySelector('.buttons');
  const turns = form.querySelector('[name]');
  form.addEventListener('submit', event => {
    event.preventDefault();
    if (turns) run(bench);
  });
  if (turns) furnishKnobs(bench, row);
  const whole = newButton(turns ? 'Run the whole part' : 'Run this part', () => run(bench, 'whole'));
  if (!bench.opens) row.append(whole);
  row.append(bench.hold, bench.stop, bench.state, bench.bar, bench.told);
  all('[data-side]', form).forEach(canvasFor);
  if (!bench.opens) benches.set(bench.part, bench);
  if (settingOf(bench) !== bench.shows) moved(bench);
}

const isCourse = !location.pathname.match(/lesson\d\/[^/]*$/);
const goTo = isCourse ? lead : follow;
const early = all('.knobs');
early.forEach(furnish);
addEventListener('DOMContentLoaded', () => {
  all('.knobs').filter(form => !early.includes(form)).forEach(furnish);
});
document.addEventListener('click', leaveBehind, true);
addEventListener('popstate', comeBack);
addEventListener('hashchange', goTo);
addEventListener('DOMContentLoaded', goTo);

}
