// The shell of a page that holds its lesson's program as WebAssembly: it gives each part a button that runs it, runs
// it in a worker with the flags that the knobs say, and puts what it found in the place of what stood there. Nothing
// is asked for from anywhere. On the page of the course it leads an address such as #4.3?w=1,-1,0 to its lesson. The
// forms are common/page/panel.cpp's; what knobs say as words is common/page/looks.cpp's.
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
      const found = program.FS.analyzePath(page).exists ? program.FS.readFile(page, { encoding: 'utf8' }) : '';
      postMessage({ kind: 'end', status, found, seconds: (performance.now() - started) / 1000 });
    };
    const settings = {
      arguments: words,
      instantiateWasm(imports, use) {
        WebAssembly.instantiate(compiled, imports).then(use, error => postMessage({ kind: 'broken', text: String(error) }));
        return {};
      },
      preRun: [program => {
        program.FS.init(() => null, () => {}, lines('error', new TextDecoder(), []));
        program.FS.streams[2].tty = {};  // as a terminal, which is shown how far the program is
        for (const [name, text] of Object.entries(files)) program.FS.writeFile(name, text);
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
let worker = null;  // one, idle or at `current`
let current = null;

// A run.

const quick = 0.2;         // seconds; what takes less follows the slider
const parts = new Map();   // by number: the form, its buttons, and the run that goes on
const state = (part, text, wrong = false) => {
  part.state.textContent = text;
  part.state.classList.toggle('fails', wrong);
};

const stop = said => {
  if (!current) return;
  worker?.terminate();
  worker = null;
  state(current, said);
  ended();
};

const ended = () => {
  current.stop.disabled = true;
  current = null;
};

// Runs the program for a part: `turned` with the words of its knobs, else as it stands at home.
const run = async (part, turned) => {
  stop('');
  current = part;
  part.next = false;
  part.stop.disabled = false;
  state(part, 'Running …');
  const token = part.token = {}, started = performance.now(), isOurs = () => current === part && part.token === token;
  const files = {}, words = ['--part', String(part.number), ...(turned ? wordsOf(part.form) : [])];
  for (const text of part.form.querySelectorAll('[data-file]')) files[text.name + '.txt'] = text.value;
  let error = '';
  try {
    const module = await compiled();
    if (!isOurs()) return;
    worker ??= newWorker();
    worker.onmessage = ({ data }) => {
      if (!isOurs()) return;
      if (data.kind === 'progress') return state(part, data.text);
      if (data.kind === 'error') return error = data.text;
      if (turned) part.seconds = data.seconds ?? Infinity;
      ended();
      finish(part, data, error, turned, (performance.now() - started) / 1000);
    };
    worker.postMessage({ compiled: module, words, files, page: `build/out/lesson${part.lesson}/index.html` });
  } catch (failure) {
    if (!isOurs()) return;
    ended();
    state(part, `This browser cannot run it (${failure}); the command below does the same at home.`, true);
  }
};

const finish = (part, { kind, status, text, found }, error, turned, seconds) => {
  if (kind === 'broken') {
    worker.terminate();
    worker = null;
    return state(part, `The program ended early: ${text}`, true);
  }
  if (status === 2 || !found) return state(part, error || `The program ended with status ${status}.`, true);
  place(part, found, turned);
  state(part, `Done in ${seconds.toFixed(seconds < 10 ? 2 : 0)} s${status ? '; a claim fails' : ''}.`, status !== 0);
  if (part.next) run(part, true);
};

// What it found.

// Puts a result of the program's page into this one: a turned one behind its knobs, a whole part's in the place of the
// old, where its pictures and tables may stand in the text.
const place = (part, page, turned) => {
  const number = turned ? 100 + part.number : part.number;
  const [, html] = page.match(new RegExp(`<!-- part ${number} \\w+ -->\n([^]*?)<!-- end of part -->`)) ?? [];
  if (html === undefined) return;
  const fresh = document.createElement('template');
  fresh.innerHTML = html;
  const section = fresh.content.querySelector('.run');
  if (turned) for (const piece of section.querySelectorAll('[id]')) piece.removeAttribute('id');  // the whole part's names
  if (turned) return part.output.replaceChildren(section);
  const old = document.querySelector(`.run[data-part="${part.number}"]`);
  if (!old) return part.output.before(section);
  for (const piece of section.querySelectorAll('[id]')) {
    const before = document.getElementById(piece.id);
    if (before && !old.contains(before)) before.replaceWith(piece);
  }
  const asked = [...old.querySelectorAll('form.predict')];
  section.querySelectorAll('form.predict').forEach((form, k) => {
    if (!asked[k]) return;
    form.hidden = asked[k].hidden;
    form.nextElementSibling.open = asked[k].nextElementSibling.open;
    form.nextElementSibling.firstElementChild.hidden = asked[k].hidden;
  });
  old.replaceWith(section);
};

// The forms.

const button = (text, act) => {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
};

// The settings of a form as the fragment of an address.
const addressOf = part => {
  const pairs = wordsOf(part.form).map((word, k) => (k % 2 ? `=${encodeURIComponent(word)}&` : word.slice(2)));
  return `#${part.lesson}.${part.number}?${pairs.join('').slice(0, -1).replaceAll('%2C', ',')}`;
};

let ours = '';  // the address that was set here, and need not be followed
const remember = (part, anew) => {
  ours = addressOf(part);
  if (ours === location.hash) return;
  if (anew) location.hash = ours;
  else location.replace(ours);
};

const put = (field, value) => {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

// Sets the knobs that an address names, and runs them.
const follow = () => {
  const hash = location.hash;
  if (hash === ours) return;
  ours = hash;
  const [, lesson, number, query] = hash.match(/^#(?:(\d)\.)?(\d+)(?:\?(.*))?$/) ?? [];
  const part = parts.get(Number(number));
  if (!part || (lesson && lesson !== part.lesson)) return;
  part.form.reset();
  for (const [name, value] of new URLSearchParams(query ?? '')) {
    const field = part.form.querySelector(`[name="${CSS.escape(name)}"]`);
    if (field) put(field, value);
  }
  for (let fold = part.form.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  part.form.scrollIntoView({ block: 'nearest' });
  if (query) run(part, true);
};

// A picture to draw into, cell by cell, beside the field that holds its digits.
const canvasFor = field => {
  const side = Number(field.dataset.side), canvas = document.createElement('canvas'), size = 8;
  canvas.width = canvas.height = side * size;
  canvas.className = 'cells';
  const draw = () => {
    const pen = canvas.getContext('2d');
    [...field.value].slice(0, side * side).forEach((digit, k) => {
      pen.fillStyle = `hsl(0 0% ${100 - 11 * digit}%)`;
      pen.fillRect(k % side * size, Math.floor(k / side) * size, size, size);
    });
  };
  const ink = event => {
    if (!event.buttons) return;
    const box = canvas.getBoundingClientRect();
    const col = Math.floor((event.clientX - box.left) / box.width * side), row = Math.floor((event.clientY - box.top) / box.height * side);
    if (col < 0 || row < 0 || col >= side || row >= side) return;
    const cells = [...field.value.padEnd(side * side, '0')];
    cells[row * side + col] = event.shiftKey ? '0' : '9';
    put(field, cells.join(''));
  };
  for (const kind of ['pointerdown', 'pointermove']) canvas.addEventListener(kind, ink);
  field.addEventListener('input', draw);
  field.before(canvas, button('Wipe', () => put(field, '0'.repeat(side * side))));
  field.form.addEventListener('reset', () => setTimeout(draw));
  draw();
};

const furnish = form => {
  const part = { form, number: Number(form.dataset.part), lesson: form.dataset.lesson, seconds: Infinity };
  part.output = document.getElementById(`turned${part.number}`);
  part.state = document.createElement('output');
  part.stop = button('Stop', () => stop('Stopped.'));
  part.stop.disabled = true;
  const row = form.querySelector('.buttons'), turns = form.querySelector('[name]');
  const start = () => {
    remember(part, true);
    run(part, true);
  };
  form.addEventListener('submit', event => (event.preventDefault(), turns && start()));
  if (turns) row.append(button('Run', start));
  row.append(button(turns ? 'Run the whole part' : 'Run this part', () => run(part, false)), part.stop);
  if (turns) row.append(button('Reset', () => form.reset()), button('Copy the command', () =>
    navigator.clipboard?.writeText(form.querySelector('.call').textContent).then(() => state(part, 'Copied.'), () => {})));
  row.after(part.state);
  form.hidden = false;
  form.addEventListener('input', () => {
    if (part.seconds >= quick) return;
    if (current === part) part.next = true;
    else run(part, true);
  });
  form.addEventListener('change', () => { if (part.seconds < quick) remember(part, false); });
  form.querySelectorAll('[data-side]').forEach(canvasFor);
  parts.set(part.number, part);
};

const lead = () => {
  const lesson = location.hash.match(/^#(\d)\.\d/);
  if (lesson) location.replace(`lesson${lesson[1]}/index.html${location.hash}`);
};

if (!document.getElementById('program')) {
  addEventListener('hashchange', lead);
  lead();
} else if (typeof WebAssembly !== 'object') {
  for (const form of document.querySelectorAll('.knobs'))
    form.append('This browser has no WebAssembly; the command does the same at home.');
} else {
  document.querySelectorAll('.knobs').forEach(furnish);
  addEventListener('hashchange', follow);
  follow();
}

}
