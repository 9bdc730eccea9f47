// What moves: the bench that opens a lesson, pictures on their way from a state to the next, Play,
// trainings whose curves grow, and pictures that pale when they are of other values than the knobs.
// tests/browser.mjs calls it.
// SPDX-License-Identifier: MIT
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const screens = [[1400, 900], [360, 740]];

// Page: what is wrong with the bench that opens a lesson, in its first screen.
const opening = () => {
  const bench = document.querySelector('.opening'), picture = bench?.querySelector('.shown svg');
  if (!picture) return 'no bench with a picture opens the lesson';
  const seen = one => one.checkVisibility() && one.getBoundingClientRect().height > 0;
  const touched = [...bench.querySelectorAll('[type=range],canvas')].filter(seen);
  if (touched.length !== 1) return `${touched.length} knobs in sight`;
  const bottom = Math.max(...[picture, touched[0]].map(one => one.getBoundingClientRect().bottom));
  return scrollY === 0 && innerHeight >= bottom ? '' : `it ends at ${bottom} of ${innerHeight}`;
};

// Page: the numbers of a bench's curves.
const curves = bench => [...document.querySelectorAll(`${bench} .shown svg polyline`)]
  .map(line => line.getAttribute('points')).join(' ');

// Page: the curves of a bench in each frame after its slider's next step, until a picture has
// replaced the old one and come to rest.
const frames = async bench => {
  const points = () => [...document.querySelectorAll(`${bench} .shown svg polyline`)]
    .map(line => line.getAttribute('points')).join(' ');
  const slider = document.querySelector(`${bench} [type=range]`);
  const old = document.querySelector(`${bench} .turned`), seen = [points()];
  for (let k = 0; k < 4; ++k) slider.stepUp();
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  let rest = 0;
  for (let k = 0; k < 600 && rest < 20; ++k) {
    await new Promise(requestAnimationFrame);
    const now = points(), replaced = document.querySelector(`${bench} .turned`) !== old;
    rest = replaced && now === seen.at(-1) ? rest + 1 : 0;
    if (now !== seen.at(-1)) seen.push(now);
  }
  return seen;
};

const numbers_in = text => text.match(/-?[\d.]+/g).map(Number);

// Of a picture with curves; cells are drawn anew.
async function tweens(page, check) {
  const bench = '#bench2';
  await page.evaluate(frames, bench);  // the program is there
  const seen = (await page.evaluate(frames, bench)).map(numbers_in);
  const [first, last] = [seen[0], seen.at(-1)];
  const lies_between = one => one.length === last.length && one.every((number, k) =>
    number >= Math.min(first[k], last[k]) - 0.01 && Math.max(first[k], last[k]) + 0.01 >= number);
  check(seen.length > 2 && seen.slice(1, -1).every(lies_between),
    `a picture passes from a state to the next: ${seen.length} frames`);
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  const still = await page.evaluate(frames, bench);
  check(still.length === 2, `with reduced motion it does not: ${still.length} frames`);
  await page.emulateMediaFeatures([]);
}

// Page: places of the opening slider while Play sweeps it, and how many pictures came.
const sweep = async () => {
  const bench = document.querySelector('.opening'), slider = bench.querySelector('[type=range]');
  const play = bench.querySelector('.play'), places = [slider.value], pictures = new Set();
  play.click();
  for (let k = 0; k < 1500 && play.textContent === 'Pause'; ++k) {
    await new Promise(done => setTimeout(done, 20));
    if (slider.value !== places.at(-1)) places.push(slider.value);
    pictures.add(bench.querySelector('.turned'));
  }
  return { places: places.map(Number), pictures: pictures.size, says: play.textContent };
};

async function plays(page, check) {
  const { places, pictures, says } = await page.evaluate(sweep);
  const [low, high] = await page.$eval('.opening [type=range]', one => [one.min, one.max].map(Number));
  const sweeps = says === 'Play' && places.includes(low) && places.includes(high);
  check(sweeps && places[0] === places.at(-1), `Play sweeps a slider and back: ${places}`);
  check(pictures > places.length / 2, `with ${pictures} pictures for ${places.length} places`);
}

// Page: types a wrong value; whether the picture is pale after 100 and after 500 milliseconds.
const paleness = async () => {
  const bench = document.querySelector('.opening');
  const pale = () => Number(getComputedStyle(bench.querySelector('.shown')).opacity) < 1;
  const field = bench.querySelector('[name]'), right = field.value, found = [];
  field.value = '1e9';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  for (const wait of [100, 400]) {
    await new Promise(done => setTimeout(done, wait));
    found.push(pale());
  }
  field.value = right;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return [...found, pale()];
};

// ----------------------------------------------------------------------------------- the address

async function comes_back(page, check, finished) {
  const w = () => page.$eval('#knobs1 [name=w]', field => field.value);
  const press = text => page.$$eval('#knobs1 button', (buttons, wanted) =>
    buttons.find(one => one.textContent === wanted).click(), text);
  await page.$eval('#knobs1 [type=range]', slider => {
    slider.stepUp();
    for (const event of ['input', 'change'])
      slider.dispatchEvent(new Event(event, { bubbles: true }));
  });
  await finished(page, 1);
  const turned = await w();
  check(page.url().includes(`?w=${turned}`), `a turn stands in the address: ${page.url()}`);
  await press('Reset');
  await pause(300);
  check(page.url().endsWith('#4.1'), `Reset takes it out: ${page.url()}`);
  const before = await w();
  await page.$eval('main p a[href^="#4.1?"]', link => link.click());
  await finished(page, 1);
  check(await w() !== before, 'a link in a sentence turns the knobs');
  await page.goBack();
  await finished(page, 1);
  check(await w() === before, `Back turns them back: ${await w()}`);
}

// -------------------------------------------------------------------------------- long trainings

const presses = (page, part, text) => page.$$eval(`#knobs${part} button`, (buttons, wanted) =>
  buttons.find(one => one.textContent === wanted && !one.hidden).click(), text);
const size_of = async (page, part) => (await page.evaluate(curves, `#bench${part}`)).length;

// A curve grows while the program trains, stands while it is held, and goes on.
async function grows(page, check, finished, part, steps) {
  const bench = `#bench${part}`;
  await page.$eval(`${bench} [name=steps]`, (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, steps);
  await page.waitForSelector(`${bench} .growing`, { timeout: 60_000 });
  const sizes = [];
  for (let k = 0; k < 300 && new Set(sizes).size < 3; ++k) {
    await pause(20);
    sizes.push(await size_of(page, part));
  }
  check(new Set(sizes).size > 2 && sizes.every((size, k) => k === 0 || size >= sizes[k - 1]),
    `part ${part}: the curve grows: ${[...new Set(sizes)]}`);
  await presses(page, part, 'Pause');
  const held = await size_of(page, part);
  await pause(600);
  check(await size_of(page, part) === held, `part ${part}: Pause holds it`);
  await presses(page, part, 'Go on');
  await finished(page, part);
  check(await page.$(`${bench} .growing, ${bench} .stale`) === null, `part ${part}: it ends`);
}

// A picture whose knob was moved while it was computed is pale.
async function tells_old_pictures(page, check, finished, part) {
  const bench = `#bench${part}`;
  const state = () => page.$eval(`#knobs${part} output`, one => one.textContent);
  await presses(page, part, 'Run');
  await pause(300);
  await page.$eval(`${bench} [type=range]`, slider => {
    slider.stepUp();
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.waitForFunction(form => [...document.querySelectorAll(`${form} button`)]
    .find(one => one.textContent === 'Stop').disabled, { timeout: 300_000 }, `#knobs${part}`);
  await pause(300);
  await finished(page, part);
  const said = await state(), drawn = () => page.$eval(`${bench} .shown`, one => one.innerHTML);
  if (await page.$(`${bench} .stale`) !== null)
    return check(/press Run/.test(said), `part ${part}: a pale picture says what to do: ${said}`);
  // What takes at most two seconds has run anew by itself, so that one more run draws the same.
  const before = await drawn();
  await presses(page, part, 'Run');
  await finished(page, part);
  check(await drawn() === before, `part ${part}: a picture of another value is not pale: ${said}`);
}

// Looks at a lesson's page.
export async function moves({ open, check, finished, lesson }) {
  const page = await open(`lesson${lesson}/index.html`);
  for (const [width, height] of screens) {
    await page.setViewport({ width, height });
    await page.reload();
    const wrong = await page.evaluate(opening);
    check(wrong === '', `opens at ${width} x ${height}: ${wrong}`);
  }
  // In a low window, as in one whose letters are enlarged, the picture keeps 18rem.
  await page.setViewport({ width: 1366, height: 650 });
  const width = await page.$eval('.opening .shown svg', one => one.getBoundingClientRect().width);
  check(width >= 288, `a picture ${width} px wide opens the lesson in a low window`);
  await page.setViewport({ width: 1400, height: 900 });
  if (lesson === 1) {
    await tweens(page, check);
    await plays(page, check);
    check(`${await page.evaluate(paleness)}` === 'false,true,false',
      'a picture pales when there was no answer for 200 milliseconds');
  }
  if (lesson === 4) await comes_back(page, check, finished);
  if (lesson === 6)
    for (const [part, steps] of [[5, 300], [8, 600]]) {  // more than two seconds each
      await grows(page, check, finished, part, steps);
      await tells_old_pictures(page, check, finished, part);
    }
  await page.close();
}

// The page of the course opens with lesson 1's.
export async function opens_course({ open, check }) {
  const page = await open('index.html');
  for (const [width, height] of screens) {
    await page.setViewport({ width, height });
    await page.reload();
    const wrong = await page.evaluate(opening);
    check(wrong === '', `opens at ${width} x ${height}: ${wrong}`);
  }
  await page.close();
}
