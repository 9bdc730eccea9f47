// Looks at pages in a real browser: no requests, no console messages, nothing wider than the
// window, pictures with texts, clicks that work by key, all of it on paper. Given lessons, it uses
// `make web`'s pages: turns all sliders on a laptop and a telephone, follows links, runs, stops,
// mistypes, derives; offline and from a file.
// Run: node tests/browser.mjs FOLDER [LESSONS]; with puppeteer-core (NODE_PATH) and a Chromium,
// whose path may stand in CHROMIUM, or with BROWSER=firefox, which only reads. Exits with 77 if
// either is absent.
// SPDX-License-Identifier: MIT
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shows_no_defects, types_knobs } from './browser/defects.mjs';
import { misdrawn, reads_pictures, takes_hold } from './browser/touch.mjs';
import { derives as derives_lines } from './browser/derivation.mjs';
import { moves, opens_course } from './browser/motion.mjs';

let checks = 0, failed = 0;
let subject = '';
const check = (holds, what) => {
  ++checks;
  if (holds) return;
  ++failed;
  console.log(`FAIL ${subject}: ${what}`);
};
const none = (list, what) => check(list.length === 0, `${what}: ${list.slice(0, 5).join('; ')}`);
const folder = resolve(process.argv[2] ?? 'build/out');
const lessons = process.argv.slice(3).map(Number);
const firefox = process.env.BROWSER === 'firefox';
const skip = why => {
  console.log(`browser: skipped, ${why}`);
  process.exit(77);
};
const paths = firefox
  ? ['/usr/bin/firefox-esr', '/usr/bin/firefox']
  : [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
const program = paths.find(path => path && existsSync(path)) ?? skip('no browser is here');
let puppeteer;
try {
  puppeteer = createRequire(join(process.cwd(), 'x.js'))('puppeteer-core');
} catch {
  skip('puppeteer-core is not here');
}
const browser = await puppeteer.launch({
  browser: firefox ? 'firefox' : 'chrome',
  executablePath: program,
  args: firefox ? [] : ['--no-sandbox'],
  protocolTimeout: 900_000,
}).catch(error => skip(`${program} does not start: ${String(error).split('\n')[0]}`));
const address = name => pathToFileURL(join(folder, name)).href;
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const text_of = (page, selector) => page.$eval(selector, one => one.textContent);

// The page may print nothing on the console and request only itself and its worker.
async function open(name, fragment = '') {
  subject = name;
  check(statSync(join(folder, name)).size <= 1.4e6, 'weighs at most 1.4 MB');
  const page = await browser.newPage();
  const own = url => /^(blob|data):/.test(url) || url.startsWith(address(name));
  page.on('console', message => check(false, `says on the console: ${message.text()}`));
  // Firefox complains of formulas that it has half read; unset_formulas looks at whole ones.
  const half_read = error => firefox && /^Invalid markup: Incorrect number/.test(error.message);
  page.on('pageerror', error => check(half_read(error), `throws: ${error.message}`));
  page.on('request', request => check(own(request.url()), `asks for ${request.url()}`));
  await page.goto(address(name) + fragment);
  return page;
}

// ----------------------------------------------------------------------------------------- reading

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

// Page: what was injected, and inner links that lead nowhere.
const injected = () =>
  document.querySelectorAll('script').length - 1 + document.querySelectorAll('.evil').length;
const dead_links = () => {
  const is_dead = id => {
    const part = id.match(/^\d\.(\d+)\?/)?.[1];
    return !document.getElementById(id) && !document.getElementById(`bench${part}`);
  };
  return [...document.querySelectorAll('a[href^="#"]')]
    .map(link => decodeURIComponent(link.hash.slice(1))).filter(is_dead);
};

// Page: where the core ends.
const end_of_core = () => {
  const headings = [...document.querySelectorAll('h2')];
  const answer = headings.findIndex(one => one.textContent === 'The answer');
  const end = headings[answer + 1];
  return end ? end.getBoundingClientRect().top + scrollY : 0;
};

// On paper all is unfolded, pictures have a size and a text.
async function prints(page, name) {
  await page.goto(`${address(name)}?on_paper`);  // anew, as it was given
  await page.emulateMediaType('print');
  const paper = await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    const box = one => one.getBoundingClientRect();
    const seen = one => box(one).height > 0;
    const mute = svg => seen(svg) &&
      (box(svg).width < 50 || box(svg).height < 20 || !svg.querySelector('title'));
    return {
      folded: document.querySelectorAll('details:not([open])').length,
      mute: [...document.querySelectorAll('figure svg')].filter(mute).length,
    };
  });
  const right = paper.folded === 0 && paper.mute === 0;
  check(right, `on paper: ${JSON.stringify(paper)}`);
}

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

async function look_at(name) {
  const page = await open(name);
  await looks_right(page, name);
  check(await page.evaluate(injected) === 0, 'something was injected');
  const has_picture = card => card.$('svg').then(picture => picture !== null);
  const drawn = await Promise.all((await page.$$('.cards article')).map(has_picture));
  check(!drawn.includes(false), 'a card without a picture');
  none(await page.evaluate(dead_links), 'links that lead nowhere');
  const screens = await page.evaluate(end_of_core) / 900;
  // The longest core, told at ease, has 14.7.
  check(screens <= 18, `a core of ${screens.toFixed(1)} screens`);
  await opens_code(page);
  if (!firefox) await copies_and_tells(page);
  await takes_predictions(page);
  await writes_commands(page);
  if (!firefox) await reads_pictures(page, name, check, address);
  if (!firefox) await prints(page, name);
  await page.close();
}

// ------------------------------------------------------------------------------------------- using

const form_of = part => `#knobs${part}`;
const state = (page, part) => text_of(page, `${form_of(part)} output`);
const results = (page, part) => text_of(page, `#bench${part} .turned`);
const press = (page, part, ...texts) => page.$$eval(`${form_of(part)} button`,
  (buttons, wanted) => buttons.find(one => wanted.includes(one.textContent)).click(), texts);
const press_whole = (page, part) => press(page, part, 'Run the whole part', 'Run this part');

// Waits until nothing runs or is due to.
const finished = (page, part) => page.waitForFunction(form => {
  const buttons = [...document.querySelectorAll(`${form} button`)];
  const stop = buttons.find(one => one.textContent === 'Stop');
  const said = document.querySelector(`${form} output`)?.textContent;
  return stop?.disabled && /./.test(said) && !/^Running|left|About/.test(said);
}, { timeout: 600_000, polling: 20 }, form_of(part));

async function run(page, part) {
  await page.$eval(`${form_of(part)} output`, output => { output.textContent = ''; });
  await press(page, part, 'Run');
  await finished(page, part);
}

// Page: sets a field as a reader does.
const set = (field, value, ...events) => {
  field.value = value;
  for (const event of events) field.dispatchEvent(new Event(event, { bubbles: true }));
};

// Page: where a bench's first knob and picture are, unless the window shows both.
const apart = (part, narrow) => {
  const bench = document.getElementById(`bench${part}`);
  const knob = bench.querySelector('.knob'), picture = bench.querySelector('.shown');
  for (let fold = bench.closest('details'); fold; fold = fold.parentElement.closest('details'))
    fold.open = true;
  if (narrow) knob.scrollIntoView({ block: 'end' });
  else bench.scrollIntoView({ block: 'start' });
  const a = knob.getBoundingClientRect(), b = picture.getBoundingClientRect();
  const inner = picture.firstElementChild?.getBoundingClientRect() ?? b;
  const seen = box => box.top >= -1 && innerHeight + 1 >= box.bottom;
  const in_place = !narrow || (0.46 * innerHeight >= b.height && a.top + 1 >= b.bottom);
  if (seen(a) && seen(b) && b.bottom + 1 >= inner.bottom && in_place) return '';
  return `knob ${a.top.toFixed()} to ${a.bottom.toFixed()}, picture ${b.top.toFixed()} to ` +
    `${b.bottom.toFixed()} of ${inner.height.toFixed()}, in ${innerHeight}`;
};

// Page: moves slider k by a step; returns the milliseconds until the picture follows, or an error.
const move = (part, k) => new Promise(done => {
  const form = document.getElementById(`knobs${part}`), bench = form.closest('.bench');
  const slider = form.querySelectorAll('[type=range]')[k];
  const pale = () => bench.querySelector('.shown').classList.contains('stale');
  const old = bench.querySelector('.turned'), before = slider.value, started = performance.now();
  slider.stepUp();
  if (slider.value === before) slider.stepDown();
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  const wrong = (command, said) => {
    const call = form.querySelector('.call').textContent, box = slider.parentElement;
    const field = box.querySelector('[name]');
    const place = [...box.querySelectorAll('[type=range]')].indexOf(slider);
    if (command !== call) return `${command} is not ${call}`;
    if (field.value.split(',')[place] !== slider.value) return 'slider and field differ';
    if (!command.includes(`--${field.name} ${field.value}`)) return 'slider and command differ';
    if (/fails/.test(said)) return said;
    return pale() ? 'the new picture is pale' : '';
  };
  const look = () => {
    const turned = bench.querySelector('.turned'), waits = performance.now() - started;
    const said = form.querySelector('output').textContent;
    if (/^About/.test(said))
      [...form.querySelectorAll('button')].find(one => one.textContent === 'Run').click();
    const times = [waits, 1000 * parseFloat(said)];
    if (turned !== old) done(wrong(turned.dataset.command, said) || times);
    else if (waits > 120_000 || form.querySelector('output.fails')) done(`nothing new: ${said}`);
    else setTimeout(look, 2);
  };
  look();
});

// A picture may take 100 milliseconds where its run takes 50.
async function turn_all(lesson, width, height) {
  const page = await open(`lesson${lesson}/index.html`), narrow = width < 600;
  await page.setViewport({ width, height, hasTouch: narrow, isMobile: narrow });
  const parts = await page.$$eval('.bench:not(.opening) .knobs', forms => forms
    .filter(form => form.querySelector('[name]')).map(form => Number(form.dataset.part)));
  none(await page.evaluate(misdrawn), 'curves that cannot be seen');
  const slow = outcome => outcome[0] > 100 && outcome[1] < 50;
  for (const part of parts) {
    subject = `lesson ${lesson} part ${part} at ${width}`;
    const places = await page.evaluate(apart, part, narrow);
    check(places === '', `picture and knob are not seen together: ${places}`);
    const picture = await page.$(`#bench${part} .shown svg, #bench${part} .says > *`);
    check(picture !== null, 'no picture before the first touch');
    const sliders = await page.$$eval(`${form_of(part)} [type=range]`, all => all.length);
    for (let k = 0; k < sliders; ++k) {
      let outcome;
      for (let tries = 0; tries < 5 && (!outcome || slow(outcome)); ++tries)
        outcome = await page.evaluate(move, part, k);
      check(Array.isArray(outcome) && !slow(outcome), `slider ${k}: ${outcome}`);
    }
  }
  await page.close();
}

async function follow_links(lesson) {
  const page = await open(`lesson${lesson}/index.html`);
  const links = (await page.$$eval('main p a[href*="?"], main li a[href*="?"]',
    all => all.map(one => one.getAttribute('href')))).filter(link => /^#\d\.\d+\?/.test(link));
  for (const link of new Set(links)) {
    const [, part, query] = link.match(/\.(\d+)\?(.*)/);
    await page.evaluate(wanted => {
      location.hash = '';
      document.querySelector(`main a[href="${CSS.escape(wanted)}"]`).click();
    }, link);
    await finished(page, part);
    const call = await page.$eval(`#bench${part} .turned`, one => one.dataset.command);
    const words = `${call} `.replace('"', ' ').replace('"', ' ');
    const missing = ([knob, value]) => !words.includes(`--${knob} ${value} `);
    const wrong = [...new URLSearchParams(query)].some(missing);
    const said = await state(page, part);
    check(!wrong && /^[\d.]+ s$/.test(said), `${link} leads to ${call}: ${said}`);
  }
  await page.close();
  return links.length;
}

// Tries the address, the buttons and the keys on a quick part.
async function turns_a_part(page) {
  await finished(page, 1);
  check(/XNOR/.test(await results(page, 1)), 'a link runs what it says');
  const type = async value => {
    await page.$eval('#knobs1 [name=w]', set, value, 'input', 'change');
    await pause(400);
    await finished(page, 1);
  };
  await type('1,0,0');
  const url = page.url();
  check(url.endsWith('#4.1?w=1,0,0&v=1,1,-1'), `a run stands in the address: ${url}`);
  await page.setOfflineMode(true);
  await type('1,0,9');
  const said = await state(page, 1);
  check(said === "lesson4: --w: '1,0,9' has '9', which is not between -3 and 3",
    `a wrong value shows the program's own line: ${said}`);
  check(await page.$('#bench1 .stale') !== null, 'and leaves the old picture pale');
  await type('1,0,"; rm -rf x"');
  const call = await text_of(page, '#knobs1 .call');
  check(!call.includes(';'), 'nothing is copied that a shell would act on');
  await press(page, 1, 'Reset');
  await pause(400);
  await finished(page, 1);
  check(/is AND/.test(await results(page, 1)), 'Reset runs again, and offline');
}

// A long run shows its progress, gives way and stops.
async function stops_a_part(page) {
  const says = async (pattern, what) => {
    const said = await state(page, 6);
    check(pattern.test(said), `${what}: ${said}`);
  };
  await press_whole(page, 6);
  // Not the seconds of the run before.
  await page.waitForFunction(() => /\d.*left/.test(document.querySelector('#knobs6 output').textContent) ||
    document.querySelector('#knobs6 progress:not([hidden])'), { timeout: 60_000 });
  if (await page.$('#knobs6 progress:not([hidden])') === null)
    await says(/left/, 'a long run says how far it is');
  await run(page, 1);
  await says(/Another/, 'what is superseded says so');
  await press_whole(page, 6);
  await pause(300);
  await press(page, 6, 'Stop');
  await says(/Stopped/, 'Stop stops');
}

// A derivation names a slip and counts the right line, without a compiler.
async function derives(page) {
  const form = '.derive[data-number]';
  for (const [line, verdict] of [
    ['((', /missing at the end/], ["2 * H' * dY", /factor/], ["H' * dY", /^right.*right$/]]) {
    await page.$eval(`${form} output`, one => { one.textContent = ''; });
    await page.$eval(`${form} [name]`, set, line, 'input');
    await page.$eval(form, one => one.requestSubmit());
    await page.waitForFunction(wanted => document.querySelector(wanted).textContent !== '',
      { timeout: 10_000, polling: 20 }, `${form} output`);
    await page.waitForFunction(
      wanted => !/^Judging/.test(document.querySelector(wanted).textContent),
      { timeout: 10_000, polling: 20 }, `${form} output`);
    await pause(300);
    const said = await page.$eval(`${form} output`, one => one.textContent + one.className);
    check(verdict.test(said), `dU = ${line}: ${said}`);
  }
}

async function manners() {
  const lesson4 = 'lesson4/index.html';
  let page = await open(lesson4, '#4.1?w=1,1,-1&v=1,1,-1');
  await turns_a_part(page);
  await stops_a_part(page);
  await takes_hold(page, check, finished, address);
  for (const hash of ['#9.1', '#4.99', '#%E0%A4%A'])
    await page.evaluate(one => { location.hash = one; }, hash);
  await derives(page);
  await page.close();

  page = await browser.newPage();
  await page.goto(address('index.html') + '#4.1?w=1,1,0&v=1,1,0');
  await page.waitForFunction(() => /lesson4/.test(location.href));
  await finished(page, 1);
  const w = await page.$eval('#knobs1 [name=w]', field => field.value);
  check(w === '1,1,0', 'the address of the course leads to the part');
  await page.close();

  page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.goto(address(lesson4));
  check(await page.$('h2') !== null, 'without JavaScript the text stands');
  check(await page.$('#bench1 .shown svg') !== null, 'without JavaScript its pictures stand');
  await page.close();
}

if (lessons.includes(1)) await opens_course({ open, check });
for (const lesson of lessons) await moves({ open, check, finished, lesson });
if (lessons.includes(1)) await derives_lines({ open, check });
if (lessons.includes(4)) await manners();
if (lessons.includes(1)) await types_knobs({ open, check });
for (const lesson of lessons) {
  await shows_no_defects({ open, check, firefox }, `lesson${lesson}/index.html`);
  await turn_all(lesson, 1400, 900);
  await turn_all(lesson, 360, 740);
  console.log(`lesson ${lesson}: ${await follow_links(lesson)} links`);
}
if (lessons.length === 0)
  for (const name of ['.', ...readdirSync(folder)])
    for (const file of ['index', 'gate', 'run'].map(kind => join(name, `${kind}.html`)))
      if (existsSync(join(folder, file))) {
        await look_at(file);
        await shows_no_defects({ open, check, firefox }, file);
      }
await browser.close();
console.log(`browser: ${checks} checks, ${failed} failed`);
process.exit(failed || checks === 0 ? 1 : 0);
