// The shell of a page that holds a lesson's program as WebAssembly: it runs the program in a worker with the flags that the
// knobs of a bench say, and puts what it draws into the bench; it judges the lines of derivations. Nothing is asked for
// from anywhere. On the page of the course it leads an address such as #4.3?w=1,-1,0 to its lesson. The benches are
// common/page/bench.cpp's; what knobs say as words is common/page/looks.cpp's.
// SPDX-License-Identifier: MIT
'use strict';
{

// The worker.

// The source of the worker, behind that of Emscripten's `course`, which makes a new program with a memory of its own.
const workerSource = `(${() => {
  // Returns what takes a stream byte by byte, and sends on each of its lines, those of progress, too.
  const lines = (kind, decoder, bytes) => byte => {
    if (byte !== 10 && byte !== 13) return void bytes.push(byte);
    const text = decoder.decode(new Uint8Array(bytes.splice(0))).replace(/\x1b\[[0-9;]*[A-Za-z]/g, '').trim();
    if (text) postMessage({ kind: byte === 10 ? kind : 'progress', text });
  };

  onmessage = ({ data: { compiled, words, files, page } }) => {
    const started = performance.now();
    let ended = false;
    const finish = (program, status) => {
      if (ended) return;
      ended = true;
      const found = page && program.FS.analyzePath(page).exists ? program.FS.readFile(page, { encoding: 'utf8' }) : '';
      postMessage({ kind: 'end', status, found, seconds: (performance.now() - started) / 1000 });
    };
    const settings = {
      arguments: words,
      instantiateWasm(imports, use) {
        WebAssembly.instantiate(compiled, imports).then(use, error => postMessage({ kind: 'broken', text: String(error) }));
        return {};
      },
      preRun: [program => {
        program.FS.init(() => null, page ? () => {} : lines('said', new TextDecoder(), []), lines('error', new TextDecoder(), []));
        program.FS.streams[2].tty = {};  // as a terminal, which is shown how far the program is
        for (const [name, text] of Object.entries(files)) program.FS.writeFile(name, text);
        // Of a bench only the result is wanted, not the lesson's text around it.
        if (page) for (const folder of program.FS.readdir('lessons').slice(2)) program.FS.unlink(`lessons/${folder}/README.md`);
      }],
      onExit(status) { finish(this, status); },
      onAbort(what) { postMessage({ kind: 'broken', text: String(what) }); },
    };
    course(settings).catch(error => postMessage({ kind: 'broken', text: String(error) }));
  };
}})();`;

// Makes the module from the page's text, which is compressed, once, when it is first needed.
let module_;
const compiled = () => module_ ??= (async () => {
  const letters = atob(document.getElementById('wasm').textContent), bytes = new Uint8Array(letters.length);
  for (let k = 0; k < bytes.length; ++k) bytes[k] = letters.charCodeAt(k);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
})();

const newWorker = () => {
  const source = document.getElementById('program').textContent + workerSource;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
};
let worker = null;  // one, idle or at `job`
let job = null;     // what it does, with what is to be told of it

const end = () => { job = null; };
// Ends what runs, which is told why.
const stop = why => {
  if (!job) return;
  worker?.terminate();
  worker = null;
  const { stopped } = job;
  end();
  stopped(why);
};

// Runs the program; `told` has progress(text), done(result) and stopped(why).
const start = async (words, files, page, told) => {
  stop('Another one was turned.');
  const ours = job = told, said = [];
  let error = '';
  try {
    const module = await compiled();
    if (job !== ours) return;
    worker ??= newWorker();
    worker.onmessage = ({ data }) => {
      if (job !== ours) return;
      if (data.kind === 'progress') return told.progress(data.text);
      if (data.kind === 'error') return error = data.text;
      if (data.kind === 'said') return said.push(data.text);
      end();
      if (data.kind !== 'broken') return told.done({ ...data, error, said: said.join(' ') });
      worker.terminate();
      worker = null;
      told.stopped(`The program ended early: ${data.text}`);
    };
    worker.postMessage({ compiled: module, words, files, page });
  } catch (failure) {
    if (job !== ours) return;
    end();
    told.stopped(`This browser cannot run it (${failure}); the command does the same at home.`);
  }
};

// A bench.

const at_once = 0.3, too_long = 2;  // seconds: what took less follows the slider; what took more waits for a button
const benches = new Map();          // by part

const tell = (bench, text, wrong = false) => {
  bench.state.textContent = text;
  bench.state.classList.toggle('fails', wrong);
};
const shown = bench => bench.box.querySelector('.shown');
const stale = (bench, is) => {
  shown(bench).classList.toggle('stale', is);
  if (is) shown(bench).dataset.at = bench.at;
};

// Puts a result of the program's page into this one: a turned one into its bench, a whole part's in the place of the old,
// whose pictures and tables may stand in the text.
const place = (bench, page, turned) => {
  const number = turned ? 100 + bench.part : bench.part;
  const [, html] = page.match(new RegExp(`<!-- part ${number} \\w+ -->\n([^]*?)<!-- end of part -->`)) ?? [];
  if (html === undefined) return;
  const fresh = document.createElement('template');
  fresh.innerHTML = html;
  const found = fresh.content.firstElementChild;
  if (turned) return morph(bench, found);
  for (const piece of all('[id]', found)) {
    const before = document.getElementById(piece.id);
    if (before && !before.closest('.run')) before.replaceWith(piece);
  }
  const old = document.querySelector(`.run[data-part="${bench.part}"]`);
  found.open = true;
  if (old) old.replaceWith(found);
  else bench.box.before(found);
  all('form.predict', found).forEach(form => { form.hidden = form.nextElementSibling.open = true; });
};
const morph = (bench, found) => {
  const film = bench.box.querySelector('.film input')?.value;
  bench.box.querySelector('.turned').replaceWith(found);
  for (const slider of all('.film input', found)) {
    if (film !== undefined && Number(film) <= Number(slider.max)) slider.value = film;
    turn(slider);
  }
};

const wait = bench => {
  bench.go.classList.add('wanted');
  tell(bench, `About ${bench.seconds.toFixed(0)} s: press Run.`);
};

// Runs a bench with the words of its knobs, or the whole part as it stands at home.
const run = (bench, turned = true) => {
  clearTimeout(bench.timer);
  bench.again = false;
  bench.go?.classList.remove('wanted');
  const files = {}, words = ['--part', String(bench.part), ...(turned ? wordsOf(bench.form) : [])];
  for (const text of all('[data-file]', bench.form)) files[text.name + '.txt'] = text.value;
  bench.stop.disabled = false;
  bench.bar.hidden = true;
  const late = setTimeout(() => tell(bench, 'Running …'), 200), at = wordsOf(bench.form).join(' ');
  const over = () => {
    clearTimeout(late);
    bench.stop.disabled = bench.bar.hidden = true;
  };
  start(words, files, `build/out/lesson${bench.lesson}/index.html`, {
    bench,
    progress(text) {
      const [, done, of] = text.match(/(\d+) of (\d+)/) ?? [];
      bench.bar.hidden = !of;
      if (of) Object.assign(bench.bar, { max: Number(of), value: Number(done) });
      tell(bench, text);
    },
    stopped(why) {
      over();
      tell(bench, why, /early|cannot/.test(why));
    },
    done({ status, found, error, seconds }) {
      over();
      if (turned) bench.seconds = seconds;
      if (status === 2 || !found) return tell(bench, error || `The program ended with status ${status}.`, true);
      place(bench, found, turned);
      bench.at = at;
      if (turned) stale(bench, false);
      tell(bench, `${seconds.toFixed(2)} s${status ? '; a claim fails' : ''}`, status !== 0);
      if (bench.again) run(bench);
    },
  });
};

// A knob was moved: the picture that stands there is old.
const moved = bench => {
  stale(bench, true);
  clearTimeout(bench.timer);
  if (job?.bench === bench && bench.seconds < at_once) bench.again = true;
  else if (bench.seconds > too_long) wait(bench);
  else bench.timer = setTimeout(run, bench.seconds < at_once ? 0 : 150, bench);
};

const button = (text, act) => {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
};

// The settings of a form as the fragment of an address.
const addressOf = bench => {
  const pairs = wordsOf(bench.form).map((word, k) => (k % 2 ? `=${encodeURIComponent(word)}&` : word.slice(2)));
  return `#${bench.lesson}.${bench.part}?${pairs.join('').slice(0, -1).replaceAll('%2C', ',')}`;
};
let ours = '';  // the address that was set here, and need not be followed
const remember = bench => {
  ours = addressOf(bench);
  if (ours !== location.hash) history.replaceState(null, '', ours);
};

const put = (field, value) => {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

// Sets the knobs that a query names, the others to their standards, and runs them.
const set_to = (bench, query) => {
  bench.form.reset();
  for (const [name, value] of new URLSearchParams(query)) {
    const field = bench.form.querySelector(`[name="${CSS.escape(name)}"]`);
    if (field) put(field, value);
  }
  run(bench);
};
const follow = () => {
  const hash = location.hash;
  if (hash === ours) return;
  ours = hash;
  const [, lesson, number, query] = hash.match(/^#(?:(\d)\.)?(\d+)(?:\?(.*))?$/) ?? [];
  const bench = benches.get(Number(number));
  if (!bench || (lesson && lesson !== bench.lesson)) return;
  for (let fold = bench.box.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  bench.box.scrollIntoView({ block: 'start' });
  if (query) set_to(bench, query);
};

// A picture to draw into, cell by cell, beside the field that holds its digits: with a finger, a mouse, or arrow keys and
// the space bar.
const canvasFor = field => {
  const side = Number(field.dataset.side), canvas = document.createElement('canvas'), size = 8;
  let erases = false, last = null, cursor = null;
  canvas.width = canvas.height = side * size;
  canvas.className = 'cells';
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'a field to draw in: arrow keys move, the space bar inks');
  const draw = () => {
    const pen = canvas.getContext('2d');
    [...field.value].slice(0, side * side).forEach((digit, k) => {
      pen.fillStyle = `hsl(0 0% ${100 - 11 * digit}%)`;
      pen.fillRect(k % side * size, Math.floor(k / side) * size, size, size);
    });
    if (cursor) pen.strokeRect(cursor[0] * size, cursor[1] * size, size, size);
  };
  // Inks a pen two cells wide along the way from the last place.
  const ink = (x, y) => {
    const cells = [...field.value.padEnd(side * side, '0')], from = last ?? [x, y];
    const steps = Math.max(1, Math.ceil(2 * Math.hypot(x - from[0], y - from[1])));
    for (let k = 0; k <= steps; ++k)
      for (const [dx, dy] of [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]]) {
        const col = Math.floor(from[0] + (x - from[0]) * k / steps + dx), row = Math.floor(from[1] + (y - from[1]) * k / steps + dy);
        if (col >= 0 && row >= 0 && side > col && side > row) cells[row * side + col] = erases ? '0' : '9';
      }
    last = [x, y];
    put(field, cells.join(''));
  };
  const at = event => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width * side, (event.clientY - box.top) / box.height * side];
  };
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture?.(event.pointerId);
    last = null;
    ink(...at(event));
  });
  canvas.addEventListener('pointermove', event => {
    if (event.buttons) for (const one of event.getCoalescedEvents?.() ?? [event]) ink(...at(one));
  });
  canvas.addEventListener('keydown', event => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step && event.key !== ' ') return;
    event.preventDefault();
    cursor ??= [side >> 1, side >> 1];
    if (step) cursor = cursor.map((place, k) => Math.min(side - 1, Math.max(0, place + step[k])));
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
};

const furnish = form => {
  const bench = { form, box: form.closest('.bench'), part: Number(form.dataset.part), lesson: form.dataset.lesson, seconds: 0, at: 'the standards' };
  bench.state = document.createElement('output');
  bench.bar = document.createElement('progress');
  bench.bar.hidden = true;
  bench.stop = button('Stop', () => stop('Stopped.'));
  bench.stop.disabled = true;
  const row = form.querySelector('.buttons'), turns = form.querySelector('[name]');
  form.addEventListener('submit', event => (event.preventDefault(), turns && run(bench)));
  if (turns) {
    bench.go = button('Run', () => run(bench));
    row.append(bench.go, button('Reset', () => { form.reset(); setTimeout(moved, 0, bench); }));
    form.addEventListener('input', () => moved(bench));
    form.addEventListener('change', () => remember(bench));
  }
  row.append(button(turns ? 'Run the whole part' : 'Run this part', () => run(bench, false)), bench.stop, bench.state, bench.bar);
  all('[data-side]', form).forEach(canvasFor);
  // Sentences of the text that set these knobs are buttons here, too.
  for (const link of all(`a[href^="#${bench.lesson}.${bench.part}?"]`))
    form.querySelector('.try').append(button(link.textContent, () => {
      set_to(bench, link.hash.split('?')[1]);
      remember(bench);
    }));
  new IntersectionObserver((seen, observer) => {  // the program is compiled when the first bench comes near
    if (!seen.some(one => one.isIntersecting)) return;
    observer.disconnect();
    compiled().catch(() => {});
  }, { rootMargin: '800px' }).observe(bench.box);
  benches.set(bench.part, bench);
};

// Derivations: each line is judged as soon as it is given.
const judge = (form, field) => {
  if (!field.value.trim()) return;
  const output = field.parentElement.nextElementSibling, tries = Number(field.dataset.tries ?? 0) + 1;
  const call = (line, done) => start(['--derive', form.dataset.number, '--line', line], {}, '', {
    progress() {}, stopped(why) { output.textContent = why; }, done,
  });
  call(`${field.name} = ${field.value.replace(new RegExp(`^\\s*${field.name}\\s*(=|←)`), '')}`, ({ status, said, error }) => {
    output.textContent = said || error;
    output.classList.toggle('right', status === 0);
    if (status === 0) return keep(`${form.dataset.number} ${field.name}`);
    field.dataset.tries = tries;
    if (tries >= 3) call(`?${field.name}`, help => { output.textContent += ` ${help.said}`; });
  });
};
const derivation = form => {
  form.addEventListener('submit', event => {
    event.preventDefault();
    const field = document.activeElement?.matches('.derive [name]') ? document.activeElement : all('[name]', form).find(one => !one.parentElement.nextElementSibling.matches('.right'));
    if (field) judge(form, field);
  });
  form.addEventListener('change', event => judge(form, event.target));
};

const lead = () => {
  const [, lesson] = location.hash.match(/^#([1-6])\.\d/) ?? [];
  if (lesson) location.replace(`lesson${lesson}/index.html${location.hash}`);
};
const is_course = !location.pathname.match(/lesson\d\/[^/]*$/);
if (is_course) {
  addEventListener('hashchange', lead);
  lead();
}
if (document.getElementById('program') && typeof WebAssembly === 'object') {
  document.body.classList.add('live');
  all('.knobs').forEach(furnish);
  all('.derive').forEach(derivation);
  for (const one of all('[data-set]')) one.addEventListener('click', () => set_to(benches.get(3), one.dataset.set));
  if (!is_course) {
    addEventListener('hashchange', follow);
    follow();
  }
}

}
