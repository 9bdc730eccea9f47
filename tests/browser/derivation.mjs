// Tries the fields of derivations on a page that holds its program: what is shown while a line is
// typed, that no line is lost and no bench stopped, keys, and what stays after a reload.
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';

const form_of = number => `.derive[data-number="${number}"]`;
const field_of = (number, name) => `${form_of(number)} [name="${name}"]`;

// Page: what a field and what belongs to it show.
const shown = selector => {
  const box = document.querySelector(selector).closest('.ask');
  const output = box.querySelector('output');
  return {
    value: box.querySelector('input').value,
    math: box.querySelector('.echo math')?.outerHTML ?? '',
    shapes: [...box.querySelectorAll('.echo mtext')].map(one => one.textContent).join(' '),
    problem: box.querySelector('.problem')?.textContent ?? '',
    said: output.textContent,
    right: output.classList.contains('right'),
  };
};
// Page: unfolds what holds a field, and brings it into the window.
const reveal = selector => {
  const one = document.querySelector(selector);
  for (let fold = one.closest('details'); fold; fold = fold.parentElement.closest('details'))
    fold.open = true;
  one.scrollIntoView({ block: 'center' });
};
const until = async (page, selector, holds, milliseconds = 8000) => {
  const end = Date.now() + milliseconds;
  for (;;) {
    const now = await page.evaluate(shown, selector);
    if (holds(now) || Date.now() > end) return now;
    await new Promise(done => setTimeout(done, 20));
  }
};
const type = async (page, selector, text) => {
  await page.evaluate(reveal, selector);
  await page.focus(selector);
  await page.$eval(selector, field => field.select());
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
};

// While a line is typed it is shown as it is understood, as --read does.
async function echoes({ page, check }) {
  const field = field_of('1.2', 'dW');
  await type(page, field, 'H.T @ dZ');
  const now = await until(page, field, ({ math }) => math);
  check(now.shapes === '5×3ᵀ 5×4 3 × 4', `shapes below the parts: ${now.shapes}`);
  check(now.said === '', `nothing is judged while one types: ${now.said}`);
  const read = execFileSync('build/lesson1',
    ['--derive', '1.2', '--read', 'dW = H.T @ dZ'], { encoding: 'utf8' }).trim();
  const written = await page.evaluate(html => {
    const box = document.createElement('div');
    box.innerHTML = html;
    return box.innerHTML;
  }, read);
  check(now.math === written, `the page shows ${now.math}, and --read says ${written}`);

  await type(page, field, 'H dZ');
  const misfit = await until(page, field, ({ problem }) => problem);
  check(/H is 5 × 3 and dZ is 5 × 4/.test(misfit.problem), `what does not fit: ${misfit.problem}`);
  await type(page, field, 'H.T @');
  const open = await until(page, field, ({ problem }) => /end/.test(problem));
  check(/missing at the end, behind/.test(open.problem), `where it ends: ${open.problem}`);
}

// Lines are judged one after the other: dW, Tab, db, a click, and both count.
async function judges_all({ page, check }) {
  await type(page, field_of('1.2', 'dW'), "H'*dZ");
  await page.keyboard.press('Tab');
  await page.keyboard.type('column sums of dZ');
  await page.$eval(`${form_of('1.2')} button:not([type])`, one => one.click());
  for (const name of ['dW', 'db']) {
    const now = await until(page, field_of('1.2', name), ({ right }) => right);
    check(now.right && /^right, to/.test(now.said), `${name} counts: ${now.said}`);
  }
  await type(page, field_of('1.2', 'dH'), 'dZ*W');
  await page.keyboard.press('Enter');
  const wrong = await until(page, field_of('1.2', 'dH'), ({ said }) => /fit|must/.test(said));
  check(/does not fit/.test(wrong.said) && !wrong.right, `a wrong line is named: ${wrong.said}`);
  check(wrong.problem === '', `once, and not as ${wrong.problem} as well`);
  for (let tries = 0; tries < 3; ++tries) {
    await page.keyboard.press('Enter');
    await new Promise(done => setTimeout(done, 600));
  }
  const helped = await until(page, field_of('1.2', 'dH'), ({ said }) => /is made of/.test(said));
  check(/is made of/.test(helped.said), `hints come one after the other: ${helped.said}`);
}

// A bench that runs goes on while a line is judged.
async function leaves_benches({ page, check }) {
  const bench = await page.$$eval('.knobs', forms => forms[0].dataset.part);
  await page.evaluate(part => {
    const form = document.getElementById(`knobs${part}`);
    form.querySelectorAll('button').forEach(one => {
      if (/^Run (the whole|this)/.test(one.textContent)) one.click();
    });
  }, bench);
  await type(page, field_of('1.2', 'dH'), "dZ*W'");
  await page.keyboard.press('Enter');
  const now = await until(page, field_of('1.2', 'dH'), ({ right }) => right);
  check(now.right, `judged beside a bench: ${now.said}`);
  await page.waitForFunction(part => /\d s/.test(
    document.querySelector(`#knobs${part} output`).textContent), { timeout: 60_000 }, bench);
  const said = await page.$eval(`#knobs${bench} output`, one => one.textContent);
  check(!/turned|Stopped/.test(said), `the bench was not stopped: ${said}`);
}

async function presses_keys({ page, check }) {
  const field = field_of('1.3', 'dZ_l');
  await type(page, field, 'dH_l');
  const press = key => page.$eval(`${form_of('1.3')} [data-key="${key}"]`, one => one.click());
  for (const key of ['⊙', "φ'(", 'Z_l']) await press(key);
  await page.keyboard.type(')');
  const now = await until(page, field, ({ math }) => math);
  check(now.value === "dH_l⊙φ'(Z_l)", `keys write at the caret: ${now.value}`);
  const below = await page.$eval(field, one =>
    one.closest('.ask').querySelector('.keys') !== null);
  check(below, 'the keys stand below the field');
  // Undo takes back what the key wrote, and in no other field.
  await type(page, field_of('1.3', 'dX'), 'dZ_1');
  await press('ᵀ');
  for (const wanted of ['dZ_1ᵀ', 'dZ_1']) {
    const { value } = await page.evaluate(shown, field_of('1.3', 'dX'));
    const other = (await page.evaluate(shown, field)).value;
    check(value === wanted && other === "dH_l⊙φ'(Z_l)", `a key and its undo: ${value}, ${other}`);
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
  }
}

// Exercises whose answers are numbers have the same form, and lines stay for the next visit.
async function stays({ page, check }) {
  await type(page, field_of('1.4', 'relu'), '2^-20');
  await page.keyboard.press('Enter');
  await until(page, field_of('1.4', 'relu'), ({ right }) => right);
  await type(page, field_of('1.4', 'slope'), '0.2');
  await page.keyboard.press('Enter');
  const wrong = await until(page, field_of('1.4', 'slope'), ({ said }) => /tanh/.test(said));
  check(/square of tanh/.test(wrong.said), `a number is judged: ${wrong.said}`);
  await page.reload();
  for (const [number, name, value, right] of [['1.2', 'dW', "H'*dZ", true],
    ['1.4', 'relu', '2^-20', true], ['1.4', 'slope', '0.2', false]]) {
    await page.evaluate(reveal, field_of(number, name));
    const now = await until(page, field_of(number, name), one => one.value !== '');
    check(now.value === value && now.right === right,
      `${name} stays: ${JSON.stringify(now)}`);
  }
  const again = await until(page, field_of('1.2', 'dW'), ({ math }) => math);
  check(again.math !== '', 'and is shown again');
}

export async function derives({ open, check }) {
  for (const [width, height] of [[1400, 900], [360, 740]]) {
    const page = await open('lesson1/index.html');
    await page.setViewport({ width, height });
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    for (const one of [echoes, judges_all, leaves_benches, presses_keys, stays])
      await one({ page, check: (holds, what) => check(holds, `at ${width}: ${what}`) });
    await page.close();
  }
}
