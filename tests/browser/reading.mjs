// A page as a reader meets it: nothing wider than the window, texts not pale, formulas set, links
// that lead somewhere, predictions, derivations, code. tests/browser.mjs calls it.
// SPDX-License-Identifier: MIT
import { address, check, firefox, none, open, pause, text_of } from './session.mjs';
import { keeps_colours, prints } from './paper.mjs';
import { reads_pictures } from './touch.mjs';

// Code marked "Page:" runs in the page and sees nothing outside of itself.

// Page: unfolds what holds an element.
const unfold = one => {
  for (let fold = one.closest('details'); fold; fold = fold.parentElement.closest('details'))
    fold.open = true;
};

// Page: elements that stick out of the window and do not scroll.
const sticking_out = () => {
  const scrolls = one => /auto|scroll/.test(getComputedStyle(one).overflowX);
  const sticks_out = one => {
    if (one.closest('svg') && one.tagName !== 'svg') return false;
    for (let box = one; box; box = box.parentElement) if (scrolls(box)) return false;
    return one.getBoundingClientRect().right > innerWidth + 1;
  };
  return [...document.querySelectorAll('main *, nav *')].filter(sticks_out)
    .map(one => `${one.tagName} ${one.textContent.slice(0, 40)}`);
};

// Page: texts whose contrast is below 4.5 to 1 (WCAG 2.1).
const pale_texts = () => {
  const linear = part => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = colour => {
    const [red, green, blue] = colour.match(/[\d.]+/g).map(part => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const ground = one => {
    for (let box = one; box; box = box.parentElement) {
      const colour = getComputedStyle(box).backgroundColor;
      if (!/, 0\)$/.test(colour)) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const is_pale = one => {
    const has_text = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (one.closest('svg') || !has_text) return false;
    const ratio = light(getComputedStyle(one).color) / light(ground(one));
    return Math.max(ratio, 1 / ratio) < 4.5;
  };
  return [...document.querySelectorAll('main *, nav *')].filter(is_pale)
    .map(one => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`);
};

// Page: formulas that are torn, without a size, with a numerator not above or an index not below.
const unset_formulas = () => {
  const box = one => one.getBoundingClientRect();
  const flat = ({ children: [top, bottom] }) => box(top).top >= box(bottom).top;
  const level = ({ children: [base, index] }) => box(index).bottom <= box(base).bottom;
  const torn = ({ children }) => children.length !== 2;
  const any = (one, tags, holds) => [...one.querySelectorAll(tags)].some(holds);
  const is_unset = one => any(one, 'mfrac, msub, msup', torn) || (box(one).height > 0 &&
    (box(one).width < 3 || any(one, 'mfrac', flat) || any(one, 'msub', level)));
  return [...document.querySelectorAll('math')].filter(is_unset).map(one => one.textContent);
};

async function opens_code(page) {
  const number = await page.$('.number a');
  if (!number) return;
  const id = await number.evaluate(link => link.getAttribute('href').slice(1));
  const code = await page.$(`[id="${id}"]`);
  const is_open = () => code.evaluate(one => one.open);
  check(!await is_open(), 'code is folded at first');
  await number.focus();
  await page.keyboard.press('Enter');
  await pause(100);
  check(await is_open(), 'a number opens its code, by key');
}

async function takes_predictions(page) {
  const form = await page.$('.predict:not([hidden])');
  if (!form) return;
  await form.evaluate(unfold);
  const is_open = () => form.evaluate(one => one.nextElementSibling.open);
  check(!await is_open(), 'an answer is folded at first');
  await (await form.$('input')).focus();
  await page.keyboard.type('0,5');
  await page.keyboard.press('Enter');
  check(await is_open(), 'a prediction unfolds the answer');
  const answer = await text_of(form, 'output');
  const counts = /^It is [-\d.e]+; yours counts\.$/;
  const off = /^It is [-\d.e]+(; yours is (off by )?[-\d./e+]+( times that| of that)?\.)$/;
  check(counts.test(answer) || off.test(answer), `says '${answer}'`);
  await page.reload();
  const again = await page.$('.predict:not([hidden])');
  check(await text_of(again, 'output') === answer, 'a prediction stays for the next visit');
  check(await again.evaluate(one => one.nextElementSibling.open), 'and its answer open');
  await page.evaluate(() => localStorage.clear());
}

// Tries every width and both colour schemes.
async function looks_right(page, name) {
  for (const scheme of firefox ? ['light'] : ['light', 'dark'])
    for (const width of [360, 800, 1400]) {
      const features = [{ name: 'prefers-color-scheme', value: scheme }];
      if (!firefox) await page.emulateMediaFeatures(features);
      await page.setViewport({ width, height: 900 });
      await page.goto(address(name));
      const where = `${scheme}, at ${width}`;
      none(await page.evaluate(unset_formulas), `${where}: not set as mathematics`);
      none(await page.evaluate(sticking_out), `${where}: wider than the window`);
      none(await page.evaluate(pale_texts), `${where}: too pale`);
    }
}

// Page: what was injected, and inner links that lead nowhere. A page has a script in its head, and
// one at its end.
const injected = () =>
  document.querySelectorAll('script').length - 2 + document.querySelectorAll('.evil').length;
const dead_links = () => {
  const is_dead = id => {
    const part = id.match(/^\d\.(\d+)\?/)?.[1];
    return !document.getElementById(id) && !document.getElementById(`bench${part}`);
  };
  return [...document.querySelectorAll('a[href^="#"]')]
    .map(link => decodeURIComponent(link.hash.slice(1))).filter(is_dead);
};

// Without the program a link writes the command for home.
async function writes_commands(page) {
  for (const link of (await page.$$('main a[href*="?"]')).slice(0, 3)) {
    const [, part, query] = await link.evaluate(one => {
      one.click();
      return one.hash.match(/\.(\d+)\?(.*)/);
    });
    await pause(50);
    const call = await text_of(page, `#knobs${part} .call`);
    const written = ([knob, value]) => call.includes(`--${knob} ${value}`);
    check([...new URLSearchParams(query)].every(written), `${query} writes ${call}`);
  }
}

// Page: what is copied of the first formulas, and what they say of themselves.
const copied = () => {
  const box = document.querySelector('.formulas:has(.line)');
  if (!box) return null;
  const range = document.createRange();
  range.selectNodeContents(box);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  let text = '';
  addEventListener('copy', event => { text = event.clipboardData.getData('text/plain'); },
    { once: true });
  document.execCommand('copy');
  const first = box.querySelector('math').getAttribute('alttext');
  return { text, first, lines: box.querySelectorAll('.line').length };
};
// A formula is copied as a field takes it, a line a line; who is shown a derivation may read on.
async function copies_and_tells(page) {
  const now = await page.evaluate(copied);
  if (now) {
    check(now.text.includes(now.first), `copied: ${now.text}, where ${now.first} stands`);
    check(now.text.split('\n').length >= now.lines, `${now.lines} lines copied as ${now.text}`);
  }
  const told = await page.$('main > .derive .told');
  if (!told) return;
  const opens = await told.evaluate(async one => {
    one.open = true;
    await new Promise(done => setTimeout(done, 100));
    return one.closest('form').nextElementSibling.open;
  });
  check(opens, 'who is shown a derivation may read on');
}

export async function look_at(name) {
  const page = await open(name);
  await looks_right(page, name);
  check(await page.evaluate(injected) === 0, 'something was injected');
  const has_picture = card => card.$('svg').then(picture => picture !== null);
  const drawn = await Promise.all((await page.$$('.cards article')).map(has_picture));
  check(!drawn.includes(false), 'a card without a picture');
  none(await page.evaluate(dead_links), 'links that lead nowhere');
  await opens_code(page);
  if (!firefox) await copies_and_tells(page);
  await takes_predictions(page);
  await writes_commands(page);
  if (!firefox) await reads_pictures(page, name, check, address);
  if (!firefox) await prints(page, name);
  if (!firefox) await keeps_colours(page, name);
  await page.close();
}
