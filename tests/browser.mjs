// Looks at pages in a real browser as a reader does: nothing is asked for from anywhere, nothing is said on the console,
// nothing is wider than the window, every picture says what it shows, what can be clicked works by key as well, paper shows
// all. With numbers of lessons it uses the pages of `make web` instead: runs each part, turns a knob of each, stops,
// mistypes, follows links, goes back; offline and from a file.
// Run: node tests/browser.mjs FOLDER [LESSONS]; with puppeteer-core (NODE_PATH) and a Chromium, whose path may stand in
// CHROMIUM. Exits with 77 where one of the two is absent.
// SPDX-License-Identifier: MIT
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

let checks = 0, failed = 0;
const check = (holds, what) => {
  ++checks;
  if (holds) return;
  ++failed;
  console.log(`FAIL ${what}`);
};
const folder = resolve(process.argv[2] ?? 'build/out'), lessons = process.argv.slice(3).map(Number);
const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(one => one && existsSync(one));
let puppeteer;
try {
  puppeteer = createRequire(join(process.cwd(), 'x.js'))('puppeteer-core');
} catch { /* it is not here */ }
if (!chromium || !puppeteer) {
  console.log(`browser: skipped, ${chromium ? 'puppeteer-core' : 'chromium'} is not here`);
  process.exit(77);
}
const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'], protocolTimeout: 900_000 });
const address = name => pathToFileURL(join(folder, name)).href;
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

// Opens a page that may say nothing on the console and ask for nothing but itself and its worker.
async function open(name, fragment = '') {
  check(statSync(join(folder, name)).size <= 2e6, `${name} weighs at most 2 MB`);
  const page = await browser.newPage();
  page.on('console', message => check(false, `${name} says on the console: ${message.text()}`));
  page.on('pageerror', error => check(false, `${name} throws: ${error.message}`));
  page.on('request', request => check(request.url().startsWith('blob:') || request.url().startsWith(address(name)),
    `${name} asks for ${request.url()}`));
  await page.goto(address(name) + fragment);
  return page;
}

// ------------------------------------------------------------------------------------------------------------- reading

// In the page: unfolds what holds an element, and the elements that stick out of the window and do not scroll by themselves.
const unfold = one => {
  for (let fold = one.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
};
const sticking_out = () => [...document.querySelectorAll('main *, nav *')].filter(one => {
  if (one.closest('svg') && one.tagName !== 'svg') return false;
  for (let box = one; box; box = box.parentElement) if (/auto|scroll/.test(getComputedStyle(box).overflowX)) return false;
  return one.getBoundingClientRect().right > innerWidth + 1;
}).map(one => `${one.tagName} ${one.textContent.slice(0, 40)}`);

// In the page: texts whose contrast with the ground of the page is below 4.5 to 1 (WCAG 2.1).
const pale_texts = () => {
  const light = colour => colour.match(/[\d.]+/g).slice(0, 3).map(part => part / 255)
    .map(part => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0.05);
  const ground = one => {
    for (let box = one; box; box = box.parentElement) {
      const colour = getComputedStyle(box).backgroundColor;
      if (!/, 0\)$/.test(colour)) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('main *, nav *')].filter(one => {
    if (one.closest('svg') || ![...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())) return false;
    const ratio = light(getComputedStyle(one).color) / light(ground(one));
    return Math.max(ratio, 1 / ratio) < 4.5;
  }).map(one => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`);
};

async function answers_keys(page, name) {
  const number = await page.$('.number a'), form = await page.$('.predict:not([hidden])'), film = await page.$('.film');
  if (number) {
    const code = await page.$(await number.evaluate(link => `[id="${link.getAttribute('href').slice(1)}"]`));
    check(!await code.evaluate(one => one.open), `${name}: code is folded at first`);
    await number.focus();
    await page.keyboard.press('Enter');
    await pause(100);
    check(await code.evaluate(one => one.open), `${name}: a number opens its code, by key`);
  }
  if (form) {
    const is_open = () => form.evaluate(one => one.nextElementSibling.open);
    check(!await is_open(), `${name}: an answer is folded at first`);
    await (await form.$('input')).focus();
    await page.keyboard.type('0,5');
    await page.keyboard.press('Enter');
    check(await is_open(), `${name}: a prediction unfolds the answer`);
    const told = await form.$eval('output', output => output.textContent);
    check(/^It is [-\d.e]+(; yours counts\.|; yours is (off by )?[-\d./e+]+( times that| of that)?\.)$/.test(told), `${name}: told '${told}'`);
  }
  if (film) {
    await film.evaluate(unfold);
    const last = await film.$$eval(':scope > div', frames => frames.length - 1);
    const frame = () => film.evaluate(one => {
      const frames = [...one.querySelectorAll(':scope > div')], shown = frames.filter(div => div.offsetHeight > 0);
      return shown.length === 1 && one.querySelector('output').textContent === shown[0].dataset.label ? frames.indexOf(shown[0]) : -1;
    });
    check(await frame() === last, `${name}: a film shows its last frame first`);
    await (await film.$('input')).focus();
    await page.keyboard.press('ArrowLeft');
    check(await frame() === last - 1, `${name}: an arrow key turns a film`);
    await film.$eval('button', button => button.click());
    await pause(700);
    check(await film.$eval('button', one => one.textContent) === 'Stop' || await frame() === last, `${name}: a film plays`);
  }
}

async function look_at(name) {
  const page = await open(name);
  for (const scheme of ['light', 'dark'])
    for (const width of [360, 800, 1400]) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.setViewport({ width, height: 900 });
      await page.goto(address(name));
      const wide = await page.evaluate(sticking_out), pale = await page.evaluate(pale_texts);
      check(wide.length === 0, `${name} at ${width}: wider than the window: ${wide.slice(0, 3).join('; ')}`);
      check(pale.length === 0, `${name}, ${scheme}: too pale: ${pale.slice(0, 3).join('; ')}`);
    }
  const { injected, dead } = await page.evaluate(() => ({
    injected: document.querySelectorAll('script').length - 1 + document.querySelectorAll('.evil').length,
    dead: [...document.querySelectorAll('a[href^="#"]')].map(link => decodeURIComponent(link.hash.slice(1)))
      .filter(id => !document.getElementById(id)),
  }));
  check(injected === 0, `${name}: something was injected`);
  check(dead.length === 0, `${name}: links that lead nowhere: ${dead.slice(0, 5).join(' ')}`);
  await answers_keys(page, name);

  // On paper everything is unfolded, films show their first and last frame, and every picture has a size and a text.
  await page.goto(`${address(name)}?on_paper`);  // anew, as it was given
  await page.emulateMediaType('print');
  const paper = await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    const seen = one => one.getBoundingClientRect().height > 0;
    return {
      folded: document.querySelectorAll('details:not([open])').length,
      films: [...document.querySelectorAll('.film')].map(film => [...film.querySelectorAll(':scope > div')].filter(seen).length),
      mute: [...document.querySelectorAll('figure svg')].filter(svg => seen(svg) &&
        (svg.getBoundingClientRect().width < 50 || svg.getBoundingClientRect().height < 20 || !svg.querySelector('title'))).length,
    };
  });
  check(paper.folded === 0 && paper.mute === 0 && paper.films.every(count => count === 2), `${name} on paper: ${JSON.stringify(paper)}`);
  await page.close();
}

// --------------------------------------------------------------------------------------------------------------- using

const form_of = part => `#knobs${part}`;
const state = (page, part) => page.$eval(`${form_of(part)} output`, output => output.textContent);
const found = (page, part) => page.$eval(`#turned${part}`, box => box.textContent);
const press = (page, part, text) => page.$$eval(`${form_of(part)} button`, (buttons, wanted) =>
  buttons.find(button => wanted.includes(button.textContent)).click(), [text].flat());
const whole = ['Run the whole part', 'Run this part'];
const finished = (page, part) => page.waitForFunction(
  form => document.querySelector(`${form} [type=button]`) && !/^Running|^$|left/.test(document.querySelector(`${form} output`).textContent) &&
    [...document.querySelectorAll(`${form} button`)].find(button => button.textContent === 'Stop').disabled,
  { timeout: 600_000, polling: 20 }, form_of(part));
const run = async (page, part, button = 'Run') => {
  await press(page, part, button);
  await finished(page, part);
  return state(page, part);
};
const set = (page, field, value) => page.$eval(field, (one, wanted) => {
  one.value = wanted;
  one.dispatchEvent(new Event('input', { bubbles: true }));
}, value);
const claims = (page, within) => page.$$eval(`${within} .claims li`, all => ({
  holds: all.filter(one => one.className === 'holds').length, fails: all.filter(one => one.className === 'fails').length,
}));

// Runs a part at its defaults: no claim fails, and as many hold as in the whole run at home, or more, since some parts do more
// when they run alone. Then moves its first knob to its highest value: another picture.
async function use_part(page, lesson, part) {
  const box = `.run[data-part="${part}"]`, before = await claims(page, box), said = await run(page, part, whole), after = await claims(page, box);
  check(/^Done/.test(said) && !/fails/.test(said) && after.fails === 0 && after.holds >= before.holds,
    `lesson ${lesson}, part ${part}: ${said} ${after.holds} claims hold, ${before.holds} of a whole run at home`);
  check(await page.$$eval('[id]', all => new Set(all.map(one => one.id)).size === all.length), `lesson ${lesson}, part ${part}: a name stands twice`);
  if (!await page.$(`${form_of(part)} [name]`)) return;
  const picture = () => page.$$eval(`#turned${part} svg, #turned${part} table`, all => all.map(one => one.innerHTML).join());
  const standard = await run(page, part), usual = await picture();
  await page.$eval(form_of(part), form => {
    const field = form.querySelector('[type=range], select, [data-side], textarea');
    if (field.matches('select')) field.selectedIndex = field.options.length - 1;
    else if (field.matches('[type=range]')) field.value = field.value === field.max ? field.min : field.max;
    else if (field.matches('textarea')) field.value = 'to be or not to be, that is the question. '.repeat(60);
    else field.value = '9'.repeat(field.dataset.side ** 2);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const turned = await run(page, part);
  check(/^Done/.test(standard) && /^Done/.test(turned) && await picture() !== usual,
    `lesson ${lesson}, knobs of part ${part}: another value, another picture (${standard} ${turned})`);
}

// What the address, the buttons and the keys do, on a part that is quick.
async function manners() {
  const w = '#knobs3 [name=w]', lesson4 = 'lesson4/index.html';
  let page = await open(lesson4, '#4.3?w=1,1,-1&v=1,1,-1');
  await finished(page, 3);
  check(/XNOR/.test(await found(page, 3)), 'a link runs what it says');
  await set(page, w, '1,0,0');
  await run(page, 3);
  check(page.url().endsWith('#4.3?w=1,0,0&v=1,1,-1'), 'a run stands in the address: ' + page.url());
  await page.goBack();
  await pause(300);
  await finished(page, 3);
  check(/XNOR/.test(await found(page, 3)), 'the back button brings the run before');
  await page.$eval(w, field => { field.value = '1,0,9'; });
  const line = "lesson4: --w: '1,0,9' has '9', which is not between -3 and 3", told = await run(page, 3);
  check(told === line, `a wrong value shows the program's own line: ${told}`);
  await press(page, 3, 'Reset');
  await page.setOfflineMode(true);
  await run(page, 3);
  check(/is XOR/.test(await found(page, 3)), 'runs again, and offline');
  await press(page, 6, whole);
  await page.waitForFunction(() => /\d/.test(document.querySelector('#knobs6 output').textContent), { timeout: 60_000 });
  check(/left/.test(await state(page, 6)), `a long run says how far it is: ${await state(page, 6)}`);
  await press(page, 6, 'Stop');
  check(/Stopped/.test(await state(page, 6)), `Stop stops: ${await state(page, 6)}`);
  await page.close();

  page = await browser.newPage();
  await page.goto(address('index.html') + '#4.3?w=1,1,0&v=1,1,0');
  await page.waitForFunction(() => /lesson4/.test(location.href));
  await finished(page, 3);
  check(await page.$eval(w, field => field.value) === '1,1,0', 'the address of the course leads to the part');
  await page.close();

  page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.goto(address(lesson4));
  check(/<noscript>[^<]*JavaScript/.test(await page.content()), 'without JavaScript the page says what is missing');
  check(await page.$('h2') !== null && await page.$('.run svg, figure svg') !== null, 'without JavaScript the text and its pictures stand');
  await page.close();
}

if (lessons.includes(4)) await manners();
for (const lesson of lessons) {
  const page = await open(`lesson${lesson}/index.html`);
  const parts = await page.$$eval('.knobs', forms => forms.map(form => Number(form.dataset.part)));
  for (const part of parts) await use_part(page, lesson, part);
  await page.close();
  console.log(`lesson ${lesson}: ${parts.length} parts`);
}
if (lessons.length === 0)
  for (const name of ['.', ...readdirSync(folder)])
    for (const file of ['index', 'gate', 'run'].map(kind => join(name, `${kind}.html`)))
      if (existsSync(join(folder, file))) await look_at(file);
await browser.close();
console.log(`browser: ${checks} checks, ${failed} failed`);
process.exit(failed || checks === 0 ? 1 : 0);
