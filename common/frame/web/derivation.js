// The desk of derivations on a page: while a line is typed, it is shown as it is understood; Check
// and Enter judge, one line after the other, in a worker beside that of the benches. Lines stay for
// the next visit. Stands behind common/frame/web/shell.js.
// SPDX-License-Identifier: MIT
{

let worker = null;
let running = null;   // the job that the worker is at
const waiting = [];   // jobs: words, done(result), of an echo also its field

// Ends the job, and tells its client.
function finish(result) {
  const { done, timer } = running;
  clearTimeout(timer);
  running = null;
  done(result);
  next();
}
// A worker that broke, or takes forever, is replaced.
function give_up(why) {
  worker?.terminate();
  worker = null;
  finish({ status: 2, said: '', error: why });
}

async function next() {
  if (running || waiting.length === 0) return;
  const job = waiting.shift();
  running = job;
  const said = [];
  let error = '';
  function listen({ data }) {
    if (job !== running) return;
    if (data.kind === 'said') said.push(data.text);
    else if (data.kind === 'error') error = data.text;
    else if (data.kind === 'broken') give_up(`The program ended early: ${data.text}`);
    else if (data.kind === 'end') finish({ status: data.status, said: said.join(' '), error });
  }
  try {
    const program = await compiled();
    worker ??= newWorker();
    worker.onmessage = listen;
    worker.postMessage({ compiled: program, words: job.words, files: {}, page: '' });
    job.timer = setTimeout(give_up, 20_000, 'This line takes too long.');
  } catch (failure) {
    give_up(`This browser cannot run it (${failure}); the command does the same at home.`);
  }
}

// An echo takes the place of an older one of its field; a line to judge goes before echoes.
function ask(job) {
  const old = waiting.findIndex(one => one.echoes && one.echoes === job.echoes);
  if (old >= 0) waiting.splice(old, 1);
  const first = job.echoes ? -1 : waiting.findIndex(one => one.echoes);
  waiting.splice(first < 0 ? waiting.length : first, 0, job);
  next();
}

// ----------------------------------------------------------------------------------- what is kept

// Lines by "1.8 dW", each with whether it was right.
function lines() {
  try {
    const stored = JSON.parse(localStorage.getItem('lines'));
    return stored && typeof stored === 'object' ? stored : {};
  } catch {
    return {};
  }
}
const key_of = field => `${field.form.dataset.number} ${field.name}`;
function store(field, right) {
  const stored = lines();
  if (field.value) stored[key_of(field)] = [field.value, right];
  else delete stored[key_of(field)];
  try {
    localStorage.setItem('lines', JSON.stringify(stored));
  } catch { /* a browser that keeps nothing */ }
}

// -------------------------------------------------------------------------------------- one field

const part = (field, selector) => field.closest('.ask').querySelector(selector);
const call = (field, flag) =>
  ['--derive', field.form.dataset.number, flag, `${field.name} = ${field.value}`];
const is_right = field => part(field, 'output').matches('.right');

function say(field, text, right = false) {
  const output = part(field, 'output');
  output.textContent = text;
  output.classList.toggle('right', right);
}

// Shows how a line is understood, or what is not.
function echo(field) {
  clearTimeout(field.timer);
  const box = part(field, '.echo');
  const { value } = field;
  if (!value.trim()) return box.replaceChildren();
  ask({
    echoes: field,
    words: call(field, '--read'),
    done({ said, error }) {
      if (value !== field.value) return;
      box.innerHTML = said.startsWith('<math>') ? said : '';
      if (!error) return;
      box.append(Object.assign(document.createElement('div'),
        { className: 'problem', textContent: error }));
    },
  });
}

// Asks for the next hint.
function help(field) {
  const hints = Number(field.dataset.hints ?? 0) + 1;
  field.dataset.hints = hints;
  ask({
    words: ['--derive', field.form.dataset.number, '--line', '?'.repeat(hints) + field.name],
    done({ said }) {
      part(field, 'output').textContent += ` ${said}`;
    },
  });
}

function judge(field) {
  const { value } = field;
  if (!value.trim() || field.judging === value) return;
  field.judging = value;
  echo(field);
  const late = setTimeout(say, 200, field, 'Judging …');
  ask({
    words: call(field, '--line'),
    done({ status, said, error }) {
      clearTimeout(late);
      field.judging = null;
      const right = status === 0;
      if (right) keep(key_of(field));
      if (value !== field.value) return;  // it was typed on
      say(field, said || error, right);
      store(field, right);
      if (right) return;
      field.dataset.tries = Number(field.dataset.tries ?? 0) + 1;
      if (field.dataset.tries >= 3) help(field);
    },
  });
}

function typed(field) {
  say(field, '');
  clearTimeout(field.timer);
  field.timer = setTimeout(() => {
    store(field, false);
    echo(field);
  }, 150);
}

// --------------------------------------------------------------------------------------- one form

// Puts a sign or a name where the caret of the last field is; an index replaces the one there.
function press(form, text) {
  const field = form.at ?? form.querySelector('[name]');
  let from = field.selectionStart;
  if (text.startsWith('_') && field.value.slice(0, from).endsWith('_l')) from -= 2;
  field.setRangeText(text, from, field.selectionEnd, 'end');
  field.focus();
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

// Shows the lines of the last visit.
function recall(form) {
  const done = new Set(kept()[lesson] ?? []);
  const stored = lines();
  for (const field of all('[name]', form)) {
    const [line, right] = stored[key_of(field)] ?? ['', false];
    if (line) field.value = line;
    if (right) say(field, 'right', true);
    else if (!line && done.has(key_of(field))) say(field, 'right, on another day', true);
    if (line) echo(field);
  }
}

// Puts the keys below a field, which stays where it is in the window.
function bring(keys, field) {
  const before = field.getBoundingClientRect().top;
  part(field, '.echo').before(keys);
  scrollBy({ top: field.getBoundingClientRect().top - before, behavior: 'instant' });
}

function furnish(form) {
  const keys = form.querySelector('.keys');
  form.addEventListener('focusin', ({ target }) => {
    if (!target.name) return;
    form.at = target;
    target.closest('.ask').classList.add('used');
    if (keys) bring(keys, target);
  });
  form.addEventListener('input', ({ target }) => typed(target));
  form.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !event.target.name) return;
    event.preventDefault();
    judge(event.target);
  });
  function check() {
    const filled = all('[name]', form).filter(field => field.value.trim() && !is_right(field));
    filled.forEach(judge);
    return filled.length;
  }
  form.addEventListener('submit', event => {
    event.preventDefault();
    if (check() === 0) all('[name]', form).find(field => !is_right(field))?.focus();
  });
  // An echo may move the button away between down and up.
  form.querySelector('button:not([type],[value])').addEventListener('pointerdown', check);
  if (keys) {
    part(form.querySelector('[name]'), '.echo').before(keys);
    keys.addEventListener('pointerdown', event => event.preventDefault());  // the field stays
    keys.addEventListener('click', ({ target }) => {
      if (target.dataset.key) press(form, target.dataset.key);
    });
  }
  const observer = new IntersectionObserver(entries => {
    if (!entries.some(entry => entry.isIntersecting)) return;
    observer.disconnect();
    recall(form);
  }, { rootMargin: '400px' });
  observer.observe(form);
}

if (document.getElementById('program') && typeof WebAssembly === 'object')
  all('.derive').forEach(furnish);

}
