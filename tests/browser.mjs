// Opens the pages of a full run in a real browser: nothing is asked for from anywhere, nothing is said on the console,
// nothing is wider than the window, every picture says what it shows, and what can be clicked works by key as well.
// Run: node tests/browser.mjs FOLDER, which holds index.html and lesson1/index.html, ...; with puppeteer-core and a
// Chromium, whose path may stand in CHROMIUM. Exits with 77 where one of the two is absent.
// SPDX-License-Identifier: MIT
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { check, finish, launch } from './chromium.mjs';

const folder = resolve(process.argv[2] ?? 'build/out');
const browser = await launch('browser');

// In the page: elements that stick out of the window and do not scroll by themselves.
const sticking_out = () => [...document.querySelectorAll('main *, nav *')].filter(one => {
  if (one.closest('svg') && one.tagName !== 'svg') return false;
  for (let box = one; box; box = box.parentElement) if (/auto|scroll/.test(getComputedStyle(box).overflowX)) return false;
  return one.getBoundingClientRect().right > innerWidth + 1;
}).map(one => `${one.tagName} ${one.textContent.slice(0, 40)}`);

// In the page: texts whose contrast with the ground of the page is below 4.5 to 1 (WCAG 2.1).
const pale_texts = () => {
  const light = colour => {
    const parts = colour.match(/[\d.]+/g).slice(0, 3).map(part => part / 255);
    const [r, g, b] = parts.map(part => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = one => {
    for (let box = one; box; box = box.parentElement) {
      const colour = getComputedStyle(box).backgroundColor;
      if (!/, 0\)$/.test(colour)) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('main *, nav *')].filter(one => {
    if (one.closest('svg') || ![...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())) return false;
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05) < 4.5;
  }).map(one => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`);
};

// In the page: pictures without size or text.
const mute_pictures = () => [...document.querySelectorAll('figure:not(.film) svg, .film > .now svg')].filter(svg => {
  for (let fold = svg.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  const box = svg.getBoundingClientRect();
  return box.width < 50 || box.height < 20 || !svg.querySelector('title');
}).length;

async function links_unfold_code(page, name) {
  const number = await page.$('.number a');
  if (!number) return;
  const target = await number.evaluate(link => link.getAttribute('href').slice(1));
  const is_open = () => page.evaluate(id => document.getElementById(id).open, target);
  check(!(await is_open()), `${name}: code is folded at first`);
  await number.focus();
  await page.keyboard.press('Enter');
  await new Promise(done => setTimeout(done, 100));
  check(await is_open(), `${name}: a number opens its code, by key`);
}

async function predictions_unfold_answers(page, name) {
  const form = await page.$('.predict:not([hidden])');
  if (!form) return;
  const is_open = () => form.evaluate(one => one.nextElementSibling.open);
  check(!(await is_open()), `${name}: an answer is folded at first`);
  await (await form.$('input')).focus();
  await page.keyboard.type('0,5');
  await page.keyboard.press('Enter');
  check(await is_open(), `${name}: a prediction unfolds the answer`);
  const told = await form.$eval('output', output => output.textContent);
  check(/^It is [-\d.e]+(; yours is (off by )?[-\d./e+]+( times that| of that)?\.|: exactly yours\.)$/.test(told), `${name}: told '${told}'`);
}

async function films_turn(page, name) {
  const film = await page.$('.film');
  if (!film) return;
  await film.evaluate(one => {
    for (let fold = one.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  });
  const frame = () => film.evaluate(one => {
    const frames = [...one.querySelectorAll(':scope > div')], shown = frames.filter(div => div.offsetHeight > 0);
    return shown.length === 1 && one.querySelector('output').textContent === shown[0].dataset.label ? frames.indexOf(shown[0]) : -1;
  });
  const last = await film.evaluate(one => one.querySelectorAll(':scope > div').length - 1);
  check((await frame()) === last, `${name}: a film shows its last frame first`);
  await (await film.$('input')).focus();
  await page.keyboard.press('ArrowLeft');
  check((await frame()) === last - 1, `${name}: an arrow key turns a film`);
  const button = await film.$('button');
  await button.click();
  await new Promise(done => setTimeout(done, 700));
  check((await button.evaluate(one => one.textContent)) === 'Stop' || (await frame()) === last, `${name}: a film plays`);
}

// On paper everything is unfolded, and films show their first and last frame.
async function prints_whole(page, name, url) {
  await page.goto(`${url}?on_paper`);  // anew, as it was given
  await page.evaluate(() => document.querySelectorAll('.film input').forEach(slider => {
    slider.value = 1;  // a reader has turned it
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }));
  await page.emulateMediaType('print');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const folded = await page.evaluate(() => document.querySelectorAll('details:not([open])').length);
  check(folded === 0, `${name}: ${folded} folds on paper`);
  const frames = await page.evaluate(() => [...document.querySelectorAll('.film')].map(
    film => [...film.querySelectorAll(':scope > div')].filter(div => div.offsetHeight > 0).length));
  check(frames.every(count => count === 2), `${name}: frames on paper: ${frames}`);
}

async function look_at(browser, file, name) {
  check(statSync(file).size <= 2e6, `${name} weighs at most 2 MB`);
  const page = await browser.newPage();
  const url = pathToFileURL(file).href, asked = [], said = [];
  page.on('request', request => request.url().startsWith(url) || asked.push(request.url()));
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(String(error)));
  for (const scheme of ['light', 'dark'])
    for (const width of [360, 800, 1400]) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.setViewport({ width, height: 900 });
      await page.goto(url);
      const wide = await page.evaluate(sticking_out), pale = await page.evaluate(pale_texts);
      check(wide.length === 0, `${name} at ${width}: wider than the window: ${wide.slice(0, 3).join('; ')}`);
      check(pale.length === 0, `${name}, ${scheme}: too pale: ${pale.slice(0, 3).join('; ')}`);
    }
  check((await page.evaluate(() => document.querySelectorAll('script').length)) === 1 &&
    (await page.evaluate(() => document.querySelectorAll('.evil').length)) === 0, `${name}: nothing was injected`);
  const dead = await page.evaluate(() => [...document.querySelectorAll('a[href^="#"]')].map(link => link.hash.slice(1))
    .filter(id => !document.getElementById(decodeURIComponent(id))));
  check(dead.length === 0, `${name}: links that lead nowhere: ${dead.slice(0, 5).join(' ')}`);
  await links_unfold_code(page, name);
  await predictions_unfold_answers(page, name);
  await films_turn(page, name);
  const mute = await page.evaluate(mute_pictures);
  check(mute === 0, `${name}: ${mute} pictures without size or text`);
  await prints_whole(page, name, url);
  check(asked.length === 0, `${name} asks for ${asked[0]}`);
  check(said.length === 0, `${name} says ${said[0]}`);
  await page.close();
}

let pages = 0;
for (const name of ['.', ...readdirSync(folder)])
  for (const kind of ['index', 'data', 'gate', 'run']) {
    const file = join(folder, name, `${kind}.html`);
    if (!existsSync(file)) continue;
    ++pages;
    await look_at(browser, file, name === '.' ? 'the course' : `${name}/${kind}`);
  }
check(pages > 0, `no page in ${folder}`);
await finish('browser', browser);
