// What a bench owes to whoever turns it: nothing jumps, a second run can be stopped, what was moved
// while the page loaded counts, pictures keep their focus and their place, errors are words, and a
// finger meets what it means. tests/browser.mjs calls it, on pages that hold a program.
// SPDX-License-Identifier: MIT
import { about, address, browser, check, none, open, pause } from './session.mjs';

// Code marked "Page:" runs in the page and sees nothing outside of itself.

// Page: unfolds what holds the benches.
const unfold_benches = () => {
  for (const bench of document.querySelectorAll('.bench'))
    for (let fold = bench.closest('details'); fold; fold = fold.parentElement.closest('details'))
      fold.open = true;
};

// Page: how far the end of a bench moves with its first run.
const jump = id => new Promise(done => {
  const form = document.getElementById(id), bench = form.closest('.bench');
  const height = () => bench.getBoundingClientRect().height;
  const before = height(), old = bench.querySelector('.turned'), started = performance.now();
  [...form.querySelectorAll('button')].find(one => one.textContent === 'Run').click();
  const look = () => {
    const waits = old === bench.querySelector('.turned') && 60_000 > performance.now() - started;
    if (waits) return void setTimeout(look, 20);
    requestAnimationFrame(() => done(height() - before));
  };
  look();
});

// A sentence with another number may be a line longer.
async function jumps(page, lesson) {
  for (const [width, height] of [[1400, 900], [360, 740]]) {
    await page.setViewport({ width, height });
    await page.reload();
    await page.evaluate(unfold_benches);
    const forms = await page.$$eval('.knobs', all =>
      all.filter(form => form.querySelector('[name]')).map(form => form.id));
    for (const id of forms) {
      const by = await page.evaluate(jump, id);
      check(Math.abs(by) <= 24, `lesson ${lesson}, ${id} at ${width}: the first run moves what follows by ${by}`);
    }
  }
}

// Page: what can be pressed and is smaller than 24 px, in a window as narrow as a telephone's.
const small_targets = () => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const box = one => one.getBoundingClientRect();
  return [...document.querySelectorAll('button, summary, select, input, .plot-held')]
    .filter(one => box(one).height > 0 && one.checkVisibility())
    .filter(one => 23.9 > Math.min(box(one).width, box(one).height))
    .map(one => `${one.tagName} ${(one.textContent || one.name).trim().slice(0, 20)}: ` +
      `${box(one).width.toFixed(1)} x ${box(one).height.toFixed(1)}`);
};

// Page: how many derivations have keys that are out of sight.
const keys_out_of_sight = () => [...document.querySelectorAll('.keys')]
  .filter(keys => keys.scrollWidth > keys.clientWidth + 1).length;

async function meets_fingers(page) {
  await page.setViewport({ width: 360, height: 740, hasTouch: true, isMobile: true });
  await page.reload();
  await pause(100);
  none(await page.evaluate(small_targets), 'too small for a finger');
  check(await page.evaluate(keys_out_of_sight) === 0, 'keys of a derivation out of sight');
}

// The whole of lesson 1's part 7 runs for seconds.
async function stops_the_second(page) {
  await page.setViewport({ width: 1400, height: 900 });
  await page.reload();
  await page.evaluate(unfold_benches);
  const press = name => page.$$eval('#knobs7 button', (all, wanted) =>
    all.find(one => one.textContent === wanted).click(), name);
  const state = () => page.$eval('#knobs7 output', one => one.textContent);
  await press('Run the whole part');
  await pause(600);
  await press('Run the whole part');
  await pause(300);
  const can = await page.$$eval('#knobs7 button', all =>
    !all.find(one => one.textContent === 'Stop').disabled);
  check(can, 'a second run can be stopped');
  await press('Stop');
  check(/Stopped/.test(await state()), `and is: ${await state()}`);
}

// A slider may be moved before the scripts have come.
async function catches_up() {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(() => {
    new MutationObserver((_, observer) => {
      const slider = document.querySelector('#opening [type=range]');
      if (!slider) return;
      observer.disconnect();
      slider.value = slider.max;
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(address('lesson1/index.html'));
  await page.waitForFunction(() => /^[\d.]+ s/.test(document.querySelector('#opening output').textContent),
    { timeout: 20_000 }).catch(() => {});
  const now = await page.evaluate(() => {
    const bench = document.getElementById('opening'), slider = bench.querySelector('[type=range]');
    const { name, value } = bench.querySelector('[name]');
    return { moved: slider.value === slider.max, same: value === slider.value,
      drawn: bench.querySelector('.turned').dataset.command.includes(`--${name} ${slider.max} `) };
  });
  check(now.moved && now.same && now.drawn, `moved while it loads: ${JSON.stringify(now)}`);
  await page.close();
}

// Back on a page, sliders and fields say the same.
async function comes_back() {
  const page = await browser.newPage();
  await page.goto(address('lesson1/index.html'));
  await page.focus('#opening [type=range]');
  await page.keyboard.press('ArrowRight');
  await page.goto(address('index.html'));
  await page.goBack();
  const now = await page.evaluate(() => [...document.querySelectorAll('.knobs .knob')].map(row =>
    [[...row.querySelectorAll('[type=range]')].map(one => one.value).join(','), row.querySelector('[name]').value])
    .filter(([sliders, field]) => sliders && sliders.split(',').some((one, k) => Number(one) !== Number(field.split(',')[k])))
    .map(both => both.join(' beside ')));
  none(now, 'Back shows sliders beside other numbers');
  await page.close();
}

// A picture that is replaced keeps the focus, and stays where it was scrolled.
async function keeps_place(page) {
  await page.setViewport({ width: 1400, height: 900 });
  await page.reload();
  const turn = () => page.evaluate(() => new Promise(done => {
    const bench = document.getElementById('opening'), old = bench.querySelector('.turned');
    const slider = bench.querySelector('[type=range]');
    slider.stepUp();
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    const look = () => (bench.querySelector('.turned') === old ? setTimeout(look, 10) : done());
    look();
  }));
  await turn();
  await page.$eval('#opening .shown svg', one => one.focus());
  await turn();
  check(await page.evaluate(() => document.activeElement.matches('#opening .shown svg')), 'a new picture keeps the focus');
  await page.$eval('#opening .shown figure', one => {
    one.style.width = '15rem';  // narrower than its picture
    one.querySelector('svg').style.minWidth = '30rem';
    one.scrollLeft = 40;
  });
  await page.addStyleTag({ content: '#opening .shown figure{width:15rem}#opening .shown svg{min-width:30rem}' });
  await turn();
  const left = await page.$eval('#opening .shown figure', one => one.scrollLeft);
  check(left === 40, `and stays where it was scrolled: ${left}`);
}

// Predictions are tried in reading.mjs; here the place at which one was.
async function remembers_place(page) {
  await page.evaluate(() => localStorage.clear());
  await page.evaluate(() => document.querySelectorAll('main h2[id]')[3].scrollIntoView());
  await pause(200);
  const at = await page.evaluate(() => document.querySelectorAll('main h2[id]')[3].id);
  const course = await browser.newPage();
  await course.goto(address('index.html'));
  const link = await course.$eval('.cards .begin', one => `${one.textContent} ${decodeURIComponent(one.hash)}`);
  check(link === `Continue #${at}`, `the course leads on to where one was: ${link}, not ${at}`);
  await course.evaluate(() => localStorage.clear());
  await course.close();
}

export async function serves(lesson) {
  const page = await open(`lesson${lesson}/index.html`);
  about(`bench of lesson ${lesson}`);
  await jumps(page, lesson);
  await meets_fingers(page);
  if (lesson === 1) {
    await stops_the_second(page);
    await catches_up();
    await comes_back();
    await keeps_place(page);
    await remembers_place(page);
  }
  await page.close();
}
