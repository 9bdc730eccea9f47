// The desk of derivations on a page: while a line is typed, it is shown as it is understood; Check
// and Enter judge, one line after the other, in a worker beside that of the benches. Lines stay for
// the next visit. Stands behind common/frame/web/program.js.
// SPDX-License-Identifier: MIT
{

const desk = newRunner();
let asked = Promise.resolve();  // when all that was asked is answered

// Asks the program, behind all that was asked before, for what is wanted then.
function ask(words, done, wanted = () => true) {
  asked = asked.then(() => wanted() && new Promise(next => {
    let late = 0;
    function end(result) {
      clearTimeout(late);
      next();
      done(result);
    }
    desk.start({
      words,
      started() {
        late = setTimeout(desk.stop, 20_000, 'This line takes too long.');
      },
      stopped: error => end({ status: 2, said: '', error }),
      done: end,
    });
  }));
}

// ----------------------------------------------------------------------------------- what is kept

// Lines by "1.8 dW", each with whether it was right.
const lines = () => Object(stored('lines'));
const key_of = field => `${field.form.dataset.number} ${field.name}`;
function keepLine(field, right) {
  const known = lines();
  if (field.value) known[key_of(field)] = [field.value, right];
  else delete known[key_of(field)];
  store('lines', known);
}

// -------------------------------------------------------------------------------------- one field

const part = (field, selector) => field.closest('.ask').querySelector(selector);
const call = (field, flag) =>
  ['--derive', field.form.dataset.number, flag, `${field.name} = ${field.value}`];
const is_right = field => part(field, 'output').matches('.right');

function say(field, text, right = false) {
  const output = part(field, 'output');
  output.textContent = text;
  if (text) part(field, '.problem')?.remove();  // which may say the same
  output.classList.toggle('right', right);
}

// Shows how a line is understood, or what is not.
function echo(field) {
  clearTimeout(field.timer);
  const box = part(field, '.echo');
  const { value } = field;
  if (!value.trim()) return box.replaceChildren();
  const is_there = () => value === field.value;  // else it was typed on
  ask(call(field, '--read'), ({ said, error }) => {
    if (!is_there()) return;
    box.innerHTML = said.startsWith('<math ') ? said : '';
    if (!error || part(field, 'output').textContent) return;
    box.append(newTag('div', { className: 'problem', textContent: error }));
  }, is_there);
}

// Asks for a hint, the first or a later one.
function help(field, which) {
  const line = `${'?'.repeat(which)}${field.name} ${field.value}`.trim();
  ask(['--derive', field.form.dataset.number, '--line', line], ({ said }) => {
    part(field, 'output').textContent += ` ${said}`;
  });
}

function judge(field) {
  const { value } = field;
  if (!value.trim() || field.judging === value) return;
  field.judging = value;
  echo(field);
  const late = setTimeout(say, 200, field, 'Judging …');
  ask(call(field, '--line'), ({ status, said, error }) => {
    clearTimeout(late);
    field.judging = null;
    const right = status === 0;
    if (right) keep(key_of(field));
    if (value !== field.value) return;  // it was typed on
    say(field, said || error, right);
    keepLine(field, right);
    if (right) return;
    field.dataset.tries = Number(field.dataset.tries ?? 0) + 1;
    if (field.dataset.tries > 2) help(field, field.dataset.tries - 2);
  });
}

function typed(field) {
  say(field, '');
  clearTimeout(field.timer);
  field.timer = setTimeout(() => {
    keepLine(field, false);
    echo(field);
  }, 150);
}

// --------------------------------------------------------------------------------------- one form

// Puts a sign or a name where the caret of the last field is; an index replaces the one there.
function press(form, text) {
  const field = form.at ?? form.querySelector('[name]');
  field.focus();
  let from = field.selectionStart;
  if (text.startsWith('_') && field.value.slice(0, from).endsWith('_l')) from -= 2;
  field.setSelectionRange(from, field.selectionEnd);
  document.execCommand('insertText', false, text);  // as if typed, for the browser's undo
}

// Shows the lines of the last visit.
function recall(form) {
  const done = new Set(kept()[lesson] ?? []);
  const before = lines();
  for (const field of all('[name]', form)) {
    const [line, right] = before[key_of(field)] ?? ['', false];
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

if (typeof WebAssembly === 'object') all('.derive').forEach(furnish);

}
