// Benches in use: sliders, links, addresses, runs that are stopped. tests/browser.mjs calls it.
// SPDX-License-Identifier: MIT
import { about, address, browser, check, none, open, pause, text_of } from './session.mjs';
import { misdrawn, takes_hold } from './touch.mjs';

const form_of = part => `#knobs${part}`;
const state = (page, part) => text_of(page, `${form_of(part)} output`);
const results = (page, part) => text_of(page, `#bench${part} .turned`);
const press = (page, part, ...texts) => page.$$eval(`${form_of(part)} button`,
  (buttons, wanted) => buttons.find(one => wanted.includes(one.textContent)).click(), texts);
const press_whole = (page, part) => press(page, part, 'Run the whole part', 'Run this part');

// Waits until nothing runs or is due to, but for what waits for a press of Run.
export const finished = (page, part) => page.waitForFunction(form => {
  const buttons = [...document.querySelectorAll(`${form} button`)];
  const stop = buttons.find(one => one.textContent === 'Stop');
  const said = document.querySelector(`${form} output`)?.textContent;
  return stop?.disabled && /./.test(said) && (/press Run/.test(said) || !/^Running|left|About/.test(said));
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

// Page: where a bench's first knob and picture are, unless the window shows both. On a telephone a tall picture needs 55
// percent of the height for letters that one can read (page.css); the knob, Run and what is said have the rest.
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
  const in_place = !narrow || (0.55 * innerHeight + 1 >= b.height && a.top + 1 >= b.bottom);
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
export async function turn_all(lesson, width, height) {
  const page = await open(`lesson${lesson}/index.html`), narrow = width < 600;
  await page.setViewport({ width, height, hasTouch: narrow, isMobile: narrow });
  const parts = await page.$$eval('.bench:not(.opening) .knobs', forms => forms
    .filter(form => form.querySelector('[name]')).map(form => Number(form.dataset.part)));
  none(await page.evaluate(misdrawn), 'curves that cannot be seen');
  const slow = outcome => outcome[0] > 100 && outcome[1] < 50;
  for (const part of parts) {
    about(`lesson ${lesson} part ${part} at ${width}`);
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

export async function follow_links(lesson) {
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
  check(/^[^-:]+: '1,0,9' has '9', which is not between -3 and 3$/.test(said),
    `a wrong value is told in words: ${said}`);
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

export async function manners() {
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
