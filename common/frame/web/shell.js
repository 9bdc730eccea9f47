// The shell of a page that holds a lesson's program as WebAssembly: runs it in a worker with the
// flags that the knobs of a bench say, and puts what it draws into the bench. Nothing is fetched.
// On the page of the course an address such as #4.3?w=1,-1,0 leads to its lesson. Stands behind
// common/frame/page/page.js and motion.js, before derivation.js.
// SPDX-License-Identifier: MIT
'use strict';

// The source of a worker, behind that of Emscripten's `course`, which makes a new program.
const workerSource = `(${() => {
  const broken = what => postMessage({ kind: 'broken', text: String(what) });

  // Returns what takes a stream byte by byte, and sends its lines, those of progress, too.
  function lines(kind) {
    const bytes = [];
    const decoder = new TextDecoder();
    return byte => {
      if (byte !== 10 && byte !== 13) return void bytes.push(byte);
      const line = decoder.decode(new Uint8Array(bytes.splice(0)));
      const text = line.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '').trim();
      const says = text.startsWith('<svg ') ? 'draft' : kind;
      if (text) postMessage({ kind: byte === 10 ? says : 'progress', text });
    };
  }

  onmessage = ({ data: { compiled, words, files, page } }) => {
    const started = performance.now();
    let ended = false;
    course({
      arguments: words,
      instantiateWasm(imports, use) {
        WebAssembly.instantiate(compiled, imports).then(use, broken);
        return {};
      },
      preRun: [({ FS }) => {
        FS.init(() => null, page ? () => {} : lines('said'), lines('error'));
        FS.streams[2].tty = {};  // as a terminal, which is shown how far the program is
        for (const [name, text] of Object.entries(files)) FS.writeFile(name, text);
        // Of a bench only the result is wanted, not the lesson's text around it.
        if (page)
          for (const folder of FS.readdir('lessons').slice(2))
            FS.unlink(`lessons/${folder}/README.md`);
      }],
      onExit(status) {
        if (ended) return;
        ended = true;
        const exists = page && this.FS.analyzePath(page).exists;
        const html = exists ? this.FS.readFile(page, { encoding: 'utf8' }) : '';
        postMessage({ kind: 'end', status, html, seconds: (performance.now() - started) / 1000 });
      },
      onAbort: broken,
    }).catch(broken);
  };
}})();`;

// Unpacks what the page holds as text, as page.sh wrote it; the last digits may be missing.
function unpacked(id) {
  const digits = document.getElementById(id).textContent.trim();
  const bytes = new Uint8Array(Math.floor(4 * digits.length / 5));
  for (let at = 0, k = 0; digits.length > at; at += 5) {
    let word = 0;
    for (let j = at; at + 5 > j; ++j)
      word = 85 * word + (digits.length > j ? digits.charCodeAt(j) - 42 : 84);
    for (let bits = 24; bits >= 0; bits -= 8) bytes[k++] = word / 2 ** bits;
  }
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}
let courseSource = '';  // Emscripten's `course`, once the module is compiled
async function compile() {
  courseSource = await unpacked('program').text();
  return WebAssembly.compile(await unpacked('wasm').arrayBuffer());
}
let module_ = null;
function compiled() {  // once, when it is first needed
  module_ ??= compile();
  return module_;
}

function newWorker() {
  const source = courseSource + workerSource;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}
{

let worker = null;  // one, idle or at `job`
let job = null;     // its client: stopped(why), done(result), perhaps progress(text), draft(svg)

// Ends what runs, which is told why.
function stop(why) {
  if (!job) return;
  const { stopped } = job;
  worker?.terminate();
  worker = null;
  job = null;
  stopped(why);
}

// Runs the program for a client.
async function start(words, files, page, client) {
  stop('Another one was turned.');
  job = client;
  const said = [];
  let error = '';
  function listen({ data }) {
    if (job !== client) return;
    if (data.kind === 'progress') client.progress?.(data.text);
    else if (data.kind === 'draft') client.draft?.(data.text);
    else if (data.kind === 'error') error = data.text;
    else if (data.kind === 'said') said.push(data.text);
    else if (data.kind === 'broken') stop(`The program ended early: ${data.text}`);
    else {
      job = null;
      client.done({ ...data, error, said: said.join(' ') });
    }
  }
  try {
    const program = await compiled();
    if (job !== client) return;
    worker ??= newWorker();
    worker.onmessage = listen;
    worker.postMessage({ compiled: program, words, files, page });
  } catch (failure) {
    if (job === client)
      stop(`This browser cannot run it (${failure}); the command does the same at home.`);
  }
}

const benches = new Map();  // by part

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
const button = (textContent, onclick) => make('button', { type: 'button', textContent, onclick });

function tell({ state }, text, wrong = false) {
  state.textContent = text;
  state.classList.toggle('fails', wrong);
}

const shownBy = bench => bench.box.querySelector('.shown');
// What the knobs of a bench say, to be compared.
const settingOf = ({ form }) => all('[name]', form).map(field => field.value).join('\n');

// Pales a picture that is not of what the knobs say, if its answer takes longer than a moment.
function settle(bench) {
  if (bench.shows === settingOf(bench)) {
    clearTimeout(bench.pales);
    bench.pales = 0;
    shownBy(bench).classList.remove('stale');
  } else bench.pales ||= setTimeout(() => shownBy(bench).classList.add('stale'), 200);
}
// The picture is now of this setting, or of none.
function shows(bench, setting) {
  clearTimeout(bench.pales);
  bench.pales = 0;
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

// Puts a result into its bench.
function placeTurned(bench, result) {
  const pictures = () => all('.turned figure svg', bench.box), before = pictures();
  bench.box.querySelector('.turned').replaceWith(result);
  pictures().forEach((picture, k) => motion.tween(before[k], picture));
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
function place(bench, page, turned) {
  const number = turned ? 100 + bench.part : bench.part;
  const part = new RegExp(`<!-- part ${number} \\w+ -->\n([^]*?)<!-- end of part -->`);
  const [, innerHTML] = page.match(part) ?? [];
  if (innerHTML === undefined) return;
  const result = make('template', { innerHTML }).content.firstElementChild;
  if (turned) placeTurned(bench, result);
  else placeWhole(bench, result);
}

// Says to who does not see the picture what it shows.
function announce({ box, told }) {
  const shown = box.querySelector('.says > p') ?? box.querySelector('.shown title');
  told.textContent = shown?.textContent ?? '';
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
  const words = ['--part', String(bench.part), ...(turned ? wordsOf(bench.form) : [])];
  const files = {};
  for (const text of all('[data-file]', bench.form)) files[text.name + '.txt'] = text.value;
  const late = setTimeout(tell, 200, bench, 'Running …');
  function over() {
    clearTimeout(late);
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
      tell(bench, error || `The program ended with status ${status}.`, true);
    else {
      place(bench, html, turned);
      announce(bench);
      if (turned) shows(bench, setting);
      tell(bench, `${seconds.toFixed(2)} s${status ? '; a claim fails' : ''}`, status !== 0);
    }
    if (setting !== settingOf(bench)) moved(bench);
  }
  if (turned) settle(bench);
  start(words, files, `build/out/lesson${bench.lesson}/index.html`, {
    bench,
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
      bench.queue.clear();
      if (shownBy(bench).matches('.growing')) shows(bench, null);
      tell(bench, why, /early|cannot/.test(why));
    },
    done: result => bench.queue.add(() => end(result)),
  });
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

let address = '';  // that was set here, and need not be followed
function setAddress(fragment) {
  address = fragment;
  if (address !== location.hash) history.replaceState(history.state, '', address);
}
const addressOf = bench => `#${bench.lesson}.${bench.part}`;
const queryOf = ({ form }) => all('[name]:not([data-file])', form).map(field =>
  `${field.name}=${encodeURIComponent(wordOf(field)).replaceAll('%2C', ',')}`).join('&');
// Puts the settings of a form into the address, as its fragment; but for the opening bench's, since
// an address leads to the part's own.
function remember(bench) {
  if (!bench.opens) setAddress(`${addressOf(bench)}?${queryOf(bench)}`);
}
function forget(bench) {
  if (location.hash.startsWith(`${addressOf(bench)}?`)) setAddress(addressOf(bench));
}

function put(field, value) {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
function putAll(bench, query) {
  for (const [name, value] of new URLSearchParams(query)) {
    const field = bench.form.querySelector(`[name="${CSS.escape(name)}"]`);
    if (field) put(field, value);
  }
  run(bench);
}
// Sets the knobs that a query names, the others to their standards, and runs them.
function setTo(bench, query) {
  bench.form.reset();
  putAll(bench, query);
}

// A link that turns a bench leaves in the history how that stood, for Back.
function leaveBehind({ target }) {
  const [, part] = target.closest('a[href^="#"]')?.hash.match(/^#\d\.(\d+)\?/) ?? [];
  const bench = benches.get(Number(part));
  if (bench) history.replaceState({ ...history.state, [part]: queryOf(bench) }, '');
}
function comeBack({ state }) {
  for (const [part, query] of Object.entries(state ?? {}))
    if (benches.has(Number(part))) putAll(benches.get(Number(part)), query);
}
function follow() {
  if (location.hash === address) return;
  address = location.hash;
  const [, lesson, number, query] = address.match(/^#(?:(\d)\.)?(\d+)(?:\?(.*))?$/) ?? [];
  const bench = benches.get(Number(number));
  if (!bench || (lesson && lesson !== bench.lesson)) return;
  let fold = bench.box.closest('details');
  for (; fold; fold = fold.parentElement.closest('details')) fold.open = true;
  bench.box.scrollIntoView({ block: 'start' });
  if (query) setTo(bench, query);
}

// Puts a picture to draw into beside the field that holds its digits.
function canvasFor(field) {
  const side = Number(field.dataset.side);
  const size = 8;  // of a cell, in px
  const edge = side * size;
  const canvas = make('canvas', { width: edge, height: edge, className: 'cells', tabIndex: 0 });
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'a field to draw in: arrow keys move, the space bar inks');
  let erases = false;
  let last = null, cursor = null;
  function draw() {
    const pen = canvas.getContext('2d');
    [...field.value].slice(0, side * side).forEach((digit, k) => {
      pen.fillStyle = `hsl(0 0% ${100 - 11 * digit}%)`;
      pen.fillRect(k % side * size, Math.floor(k / side) * size, size, size);
    });
    if (cursor) pen.strokeRect(cursor[0] * size, cursor[1] * size, size, size);
  }
  // Inks a pen two cells wide along the way from the last place.
  function ink(x, y) {
    const cells = [...field.value.padEnd(side * side, '0')];
    function inkCell(col, row) {
      if (Math.min(col, row) >= 0 && side > Math.max(col, row))
        cells[row * side + col] = erases ? '0' : '9';
    }
    const [fromX, fromY] = last ?? [x, y];
    const steps = Math.max(1, Math.ceil(2 * Math.hypot(x - fromX, y - fromY)));
    for (let k = 0; k <= steps; ++k)
      for (const dx of [-0.5, 0.5])
        for (const dy of [-0.5, 0.5])
          inkCell(Math.floor(fromX + (x - fromX) * k / steps + dx),
            Math.floor(fromY + (y - fromY) * k / steps + dy));
    last = [x, y];
    put(field, cells.join(''));
  }
  function inkAt(event) {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    ink(x * side, (event.clientY - box.top) / box.height * side);
  }
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture?.(event.pointerId);
    last = null;
    inkAt(event);
  });
  canvas.addEventListener('pointermove', event => {
    if (event.buttons) (event.getCoalescedEvents?.() ?? [event]).forEach(inkAt);
  });
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener('keydown', event => {
    const move = moves[event.key];
    if (!move && event.key !== ' ') return;
    event.preventDefault();
    cursor ??= [side >> 1, side >> 1];
    if (move) cursor = cursor.map((at, k) => Math.min(side - 1, Math.max(0, at + move[k])));
    last = null;
    if (event.key === ' ') ink(cursor[0] + 0.5, cursor[1] + 0.5);
    draw();
  });
  field.addEventListener('input', draw);
  const rubber = button('Erase', () => {
    erases = !erases;
    rubber.setAttribute('aria-pressed', erases);
  });
  rubber.setAttribute('aria-pressed', false);
  field.before(canvas, rubber, button('Wipe', () => put(field, '0'.repeat(side * side))));
  field.form.addEventListener('reset', () => setTimeout(draw));
  draw();
}

// Compiles the program when the first bench comes near.
function compileWhenNear(box) {
  function near(entries, observer) {
    if (!entries.some(entry => entry.isIntersecting)) return;
    observer.disconnect();
    compiled().catch(() => {});
  }
  new IntersectionObserver(near, { rootMargin: '800px' }).observe(box);
}

// Puts the buttons of a bench with knobs into its row.
function furnishKnobs(bench, row) {
  const { form, part, lesson } = bench;
  bench.go = button('Run', () => run(bench));
  bench.go.className = 'go';
  bench.play = motion.player(form, () => !bench.runs && !bench.timer);
  if (bench.play) row.append(bench.play);
  function reset() {
    moved(bench);
    forget(bench);
  }
  row.append(bench.go, button('Reset', () => {
    form.reset();
    setTimeout(reset);
  }));
  form.addEventListener('input', () => moved(bench));
  form.addEventListener('change', () => remember(bench));
  if (bench.opens) return;
  // Links of the text that set these knobs are buttons, too.
  for (const link of all(`a[href^="#${lesson}.${part}?"]`))
    form.querySelector('.try').append(button(link.textContent, () => {
      setTo(bench, link.hash.split('?')[1]);
      remember(bench);
    }));
}

// Returns a button that holds a training's growing curve, and lets it go on.
function holder(bench) {
  const hold = button('Pause', () => {
    const holds = hold.textContent === 'Pause';
    hold.textContent = holds ? 'Go on' : 'Pause';
    bench.queue.hold(holds);
  });
  hold.hidden = true;
  return hold;
}

function furnish(form) {
  const { part, lesson } = form.dataset;
  const box = form.closest('.bench');
  const bench = { form, box, part: Number(part), lesson, seconds: 0, runs: false, timer: 0 };
  bench.opens = box.matches('.opening');
  bench.shows = settingOf(bench);
  bench.queue = motion.queue();
  bench.state = make('output');
  bench.told = make('span', { className: 'said', role: 'status' });
  bench.bar = make('progress', { hidden: true });
  bench.hold = holder(bench);
  bench.stop = button('Stop', () => {
    if (job?.bench === bench) stop('Stopped.');
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
  const whole = button(turns ? 'Run the whole part' : 'Run this part', () => run(bench, 'whole'));
  if (!bench.opens) row.append(whole);
  row.append(bench.hold, bench.stop, bench.state, bench.bar, bench.told);
  all('[data-side]', form).forEach(canvasFor);
  compileWhenNear(box);
  if (!bench.opens) benches.set(bench.part, bench);
}

function lead() {
  const [, lesson] = location.hash.match(/^#([1-6])\.\d/) ?? [];
  if (lesson) location.replace(`lesson${lesson}/index.html${location.hash}`);
}
const isCourse = !location.pathname.match(/lesson\d\/[^/]*$/);
const goTo = isCourse ? lead : follow;
const runs = document.getElementById('program') && typeof WebAssembly === 'object';
if (runs) {
  all('.knobs').forEach(furnish);
  document.addEventListener('click', leaveBehind, true);
  addEventListener('popstate', comeBack);
}
if (runs || isCourse) {
  addEventListener('hashchange', goTo);
  goTo();
}

}
