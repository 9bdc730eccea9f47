// Uses the pages of build/web as a reader with nothing but a browser does: runs each part of each lesson from its page,
// turns a knob of each, stops, mistypes, follows links, goes back, reloads; offline and from a file.
// Run: node tests/web.mjs build/web [LESSONS]; with puppeteer-core (NODE_PATH) and a Chromium, whose path may stand in CHROMIUM.
// Exits with 77 where one of the two is absent.
// SPDX-License-Identifier: MIT
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { check, finish, launch } from './chromium.mjs';

const folder = resolve(process.argv[2] ?? 'build/web');
const browser = await launch('web', { protocolTimeout: 900_000 });
const address = lesson => pathToFileURL(join(folder, `lesson${lesson}`, 'index.html')).href;

// Opens a page that may say nothing on the console and ask for nothing but itself and its worker.
async function open(lesson, fragment = '') {
  const page = await browser.newPage();
  page.on('console', message => check(false, `lesson ${lesson} says on the console: ${message.text()}`));
  page.on('pageerror', error => check(false, `lesson ${lesson} throws: ${error.message}`));
  page.on('request', request => check(/^(file|blob):/.test(request.url()), `lesson ${lesson} asks for ${request.url()}`));
  await page.goto(address(lesson) + fragment);
  return page;
}

const whole = async (page, part) => (await page.$(`#knobs${part} [name]`) ? 'Run the whole part' : 'Run this part');
const state = (page, part) => page.$eval(`#knobs${part} output`, output => output.textContent);
const press = (page, part, text) => page.$$eval(`#knobs${part} button`, (buttons, wanted) =>
  buttons.find(button => button.textContent === wanted).click(), text);
const finished = (page, part, minutes = 10) => page.waitForFunction(
  id => document.querySelector(`#knobs${id} [type=button]`) && !/^Running|^$|left/.test(document.querySelector(`#knobs${id} output`).textContent) &&
    [...document.querySelectorAll(`#knobs${id} button`)].find(button => button.textContent === 'Stop').disabled,
  { timeout: minutes * 60_000, polling: 20 }, part);
const claims = (page, within) => page.$eval(within, box => ({
  holds: box.querySelectorAll('.claims li.holds').length, fails: box.querySelectorAll('.claims li.fails, ul.claims .fails').length,
}));

// Runs every part at its defaults: none of the claims fails, and as many hold as in the whole run at home, or more, since some
// parts do more when they run alone.
async function whole_parts(page, lesson, parts) {
  for (const part of parts) {
    const box = `.run[data-part="${part}"]`, before = await page.$(box) ? await claims(page, box) : { holds: 0 };
    const button = await whole(page, part);
    await press(page, part, button);
    if (/Press again/.test(await state(page, part))) await press(page, part, button);
    await finished(page, part);
    const said = await state(page, part), after = await claims(page, box);
    check(/^Done/.test(said) && !/fails/.test(said) && after.fails === 0 && after.holds >= before.holds,
      `lesson ${lesson}, part ${part}: ${said} ${after.holds} claims hold, ${before.holds} of a whole run at home`);
    check(await page.$$eval(`[id]`, all => new Set(all.map(one => one.id)).size === all.length), `lesson ${lesson}, part ${part}: a name stands twice`);
  }
}

// Moves the first knob of a part to its highest value: another picture.
async function turned_parts(page, lesson, parts) {
  for (const part of parts) {
    if (!await page.$(`#knobs${part} [name]`)) continue;
    await press(page, part, 'Run');
    await finished(page, part);
    check(/^Done/.test(await state(page, part)), `lesson ${lesson}, knobs of part ${part}: ${await state(page, part)}`);
    const picture = () => page.$eval(`#turned${part}`, box => [...box.querySelectorAll('svg, table')].map(one => one.innerHTML).join());
    const before = await picture();
    await page.$eval(`#knobs${part}`, form => {
      const field = form.querySelector('[type=range], select, [data-side], textarea');
      if (field.matches('select')) field.selectedIndex = field.options.length - 1;
      else if (field.matches('[type=range]')) field.value = field.value === field.max ? field.min : field.max;
      else if (field.matches('textarea')) field.value = 'to be or not to be, that is the question. '.repeat(60);
      else field.value = '9'.repeat(field.dataset.side ** 2);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await press(page, part, 'Run');
    await finished(page, part);
    check(/^Done/.test(await state(page, part)) && await picture() !== before,
      `lesson ${lesson}, knobs of part ${part}: another value, another picture (${await state(page, part)})`);
  }
}

// What the address, the buttons and the keys do, on a part that is quick.
async function manners() {
  let page = await open(4, '#4.3?w=1,1,-1&v=1,1,-1');
  await finished(page, 3);
  check(/XNOR/.test(await page.$eval('#turned3', box => box.textContent)), 'a link runs what it says');
  await page.$eval('#knobs3 [name=w]', field => {
    field.value = '1,0,0';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press(page, 3, 'Run');
  await finished(page, 3);
  check(page.url().endsWith('#4.3?w=1,0,0&v=1,1,-1'), 'a run stands in the address: ' + page.url());
  await page.goBack();
  await new Promise(wait => setTimeout(wait, 300));
  await finished(page, 3);
  check(/XNOR/.test(await page.$eval('#turned3', box => box.textContent)), 'the back button brings the run before');
  await page.$eval('#knobs3 [name=w]', field => { field.value = '1,0,9'; });
  await press(page, 3, 'Run');
  await finished(page, 3);
  const line = "lesson4: --w: '1,0,9' has '9', which is not between -3 and 3";
  check(await state(page, 3) === line, `a wrong value shows the program's own line: ${await state(page, 3)}`);
  await press(page, 3, 'Reset');
  await page.setOfflineMode(true);
  await press(page, 3, 'Run');
  await finished(page, 3);
  check(/is XOR/.test(await page.$eval('#turned3', box => box.textContent)), 'runs again, and offline');
  await page.close();

  page = await open(4);
  await press(page, 6, await whole(page, 6));
  await page.waitForFunction(() => /\d/.test(document.querySelector('#knobs6 output').textContent), { timeout: 60_000 });
  check(/left/.test(await state(page, 6)), `a long run says how far it is: ${await state(page, 6)}`);
  await press(page, 6, 'Stop');
  check(/Stopped/.test(await state(page, 6)), `Stop stops: ${await state(page, 6)}`);
  await page.close();

  page = await browser.newPage();
  await page.goto(pathToFileURL(join(folder, 'index.html')).href + '#4.3?w=1,1,0&v=1,1,0');
  await page.waitForFunction(() => /lesson4/.test(location.href));
  await finished(page, 3);
  check(await page.$eval('#knobs3 [name=w]', field => field.value) === '1,1,0', 'the address of the course leads to the part');
  await page.close();

  page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.goto(address(4));
  check(/<noscript>[^<]*JavaScript/.test(await page.content()), 'without JavaScript the page says what is missing');
  check(await page.$('h2') !== null && await page.$('.run svg, figure svg') !== null, 'without JavaScript the text and its pictures stand');
  await page.close();

}

const wanted = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [1, 2, 3, 4, 5, 6];
const lessons = wanted.filter(lesson => existsSync(join(folder, `lesson${lesson}`, 'index.html')));
const size = lessons.reduce((sum, lesson) => sum + statSync(join(folder, `lesson${lesson}`, 'index.html')).size, 0) / 1e6;
console.log(`${lessons.length} lessons, ${size.toFixed(1)} MB`);
check(size <= 2 * lessons.length, 'the lessons are at most 12 MB');
if (lessons.includes(4)) await manners();
for (const lesson of lessons) {
  const page = await open(lesson);
  const parts = await page.$$eval('.knobs', forms => forms.map(form => Number(form.dataset.part)));
  await whole_parts(page, lesson, parts);
  await turned_parts(page, lesson, parts);
  await page.close();
  console.log(`lesson ${lesson}: ${parts.length} parts`);
}
await finish('web', browser);
