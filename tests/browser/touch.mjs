// Pictures that are touched: what they say under a pointer, a finger and by key is what was drawn,
// and what a knob owns follows the hand. tests/browser.mjs calls it.
// SPDX-License-Identifier: MIT
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

// Page: labels of pictures below 11 px.
const small_labels = () => [...document.querySelectorAll('figure svg text')]
  .filter(one => one.getBoundingClientRect().height > 0)
  .map(one => {
    const { a, b } = one.getScreenCTM();
    return [one, parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b)];
  })
  .filter(([, size]) => size < 10.45)  // of 10.5, for what is laid out in whole pixels
  .map(([one, size]) => `${size.toFixed(1)} px: ${one.textContent.slice(0, 30)}`);

// Page: pictures with logarithmic axes that do not say so.
const silent_axes = () => [...document.querySelectorAll('figure svg')]
  .filter(svg => svg.querySelector('[data-log]') && !/logarithmic/.test(svg.textContent))
  .map(svg => svg.querySelector('title').textContent);

// Page: references that nothing names.
const unnamed = () => [...document.querySelectorAll('figure .plot-level[data-name]')]
  .filter(line => ![...line.closest('svg').querySelectorAll('text')]
    .some(text => text.textContent.startsWith(`${line.dataset.name} `)))
  .map(line => line.dataset.name);

// Page: curves of two benches that touch the upper or lower end of their frame, where they were cut,
// or that fill less than a third of it.
export const misdrawn = () => [...document.querySelectorAll('.bench .shown svg')]
  .filter(svg => svg.querySelector('[data-frame]')).flatMap(svg => {
    const [, top, , height] = svg.querySelector('[data-frame]').dataset.frame.split(' ').map(Number);
    const heights = one => one.getAttribute('points').split(' ').map(at => Number(at.split(',')[1]));
    const title = svg.querySelector('title').textContent;
    return [...svg.querySelectorAll('polyline')].flatMap(line => {
      const all = heights(line), least = Math.min(...all), most = Math.max(...all);
      const what = `${title}, ${line.parentElement.dataset.name}`;
      return [[`${what} is cut`, title.startsWith('Terms') && (least <= top || most >= top + height)],
        [`${what} is flat`, title.startsWith('Loss of a ReLU') && height / 3 > most - least]]
        .filter(([, holds]) => holds).map(([words]) => words);
    });
  });

// Page: whether the fullest ink is farther from black (by night) or from white (by day) than zero.
const ink_stands_out = dark => {
  const cell = document.querySelector('figure .plot-shade.plot-value');
  if (!cell) return true;
  const light = colour => colour.match(/\d+/g).reduce((sum, part) => sum + +part, 0);
  const ink = light(getComputedStyle(cell).stroke);
  const paper = light(getComputedStyle(cell.closest('svg').querySelector('.plot-page')).fill);
  return dark ? ink > paper + 200 : paper > ink + 200;
};

// Page: where a value of a chart is on the screen, by the data of its axes.
const place_of = (svg, x, y) => {
  const { frame, x: xs, y: ys } = svg.querySelector('[data-frame]').dataset;
  const numbers = words => words.split(' ').map(Number);
  const [left, top, width, height] = numbers(frame), [low, high] = numbers(xs),
    [least, most] = numbers(ys);
  const at = new DOMPoint(left + width * (x - low) / (high - low),
    top + height * (1 - (y - least) / (most - least))).matrixTransform(svg.getScreenCTM());
  return { x: at.x, y: at.y };
};
const unfold = one => {
  for (let fold = one.closest('details'); fold; fold = fold.parentElement.closest('details'))
    fold.open = true;
  one.scrollIntoView({ block: 'center' });
};
const said = svg => svg.$eval('.reading text', text =>
  [...text.children].map(line => line.textContent).join(' ')).catch(() => 'nothing');

const swish = z => z / (1 + Math.exp(-z));

// In lesson 1 the curve is known; the pointer is 10 px beside it. The bench's picture stands in the
// text, too, where no knob turns it.
const curved = '.live #bench2 .shown svg, body:not(.live) #picture-activation svg';
async function reads_a_curve(page, check) {
  const svg = await page.$(curved);
  await svg.evaluate(unfold);
  for (const z of [2, -2, 2.48]) {
    const at = await svg.evaluate(place_of, z, swish(z));
    await page.mouse.move(at.x, at.y + 10);
    const [, value, place] = (await said(svg)).match(/^φ\(z\): (\S+) at z (\S+)$/) ?? [];
    // The curve has a point every .04; three digits of a value are .005 at most.
    check(Math.abs(value - swish(Number(place))) <= 0.005 && Math.abs(place - z) < 0.025,
      `at ${z} the crosshair says ${value} at ${place}, and φ is ${swish(z)}`);
  }
  await page.mouse.move(2, 2);
  check(await svg.$('.reading') === null, 'a pointer that leaves takes the crosshair along');
}

async function reads_by_key(page, check) {
  const svg = await page.$(curved);
  await svg.evaluate(one => one.focus());
  for (const key of ['Home', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'End'])
     await page.keyboard.press(key);
  check(/^φ\(z\): 2\.86 at z 3$/.test(await said(svg)), `End reads ${await said(svg)}`);
  await page.keyboard.press('ArrowDown');
  check(/^φ'\(z\): 1\.09 at z 3$/.test(await said(svg)), `the next curve: ${await said(svg)}`);
  const voice = await page.$eval('body > output.said', one => one.textContent);
  check(voice === await said(svg), `is heard as ${voice}`);
  await page.keyboard.press('Escape');
  check(await svg.$('.reading') === null, 'Escape ends it');
}

// A cell says its row, its column and its number, also under a finger.
async function reads_cells(page, check) {
  const svg = await page.$('figure svg:has([data-rows])');
  await svg.evaluate(unfold);
  for (const [row, col] of [[3, 2], [7, 4], [0, 7]]) {
    const { x, y, expected } = await svg.evaluate((picture, r, c) => {
      const image = picture.querySelector('[data-cells]'),
        [, cols, width, height] = image.dataset.cells.split(' ').map(Number);
      const at = new DOMPoint((c + 0.5) * width, (r + 0.5) * height)
        .matrixTransform(image.getScreenCTM());
      const name = (names, k) => names.split('|')[k];
      return { x: at.x, y: at.y, expected: `row ${name(image.dataset.rows, r)}, column ` +
        `${name(image.dataset.cols, c)}: ${image.dataset.values.split(' ')[r * cols + c]}` };
    }, row, col);
    await page.touchscreen.tap(x, y);
    check(await said(svg) === expected, `the cell of ${expected} says ${await said(svg)}`);
  }
}

// What every page's pictures owe.
export async function reads_pictures(page, name, check, address) {
  const none = (list, what) => check(list.length === 0, `${what}: ${list.slice(0, 5).join('; ')}`);
  await page.goto(`${address(name)}?touched`);
  none(await page.evaluate(silent_axes), 'logarithmic axes that do not say so');
  none(await page.evaluate(unnamed), 'references without a name');
  none(await page.evaluate(misdrawn), 'curves that cannot be seen');
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    check(await page.evaluate(ink_stands_out, scheme === 'dark'),
      `${scheme}: the fullest cell does not stand out`);
  }
  await page.setViewport({ width: 360, height: 740 });
  await page.evaluate(() => document.querySelectorAll('details').forEach(one => (one.open = true)));
  none(await page.evaluate(small_labels), 'labels too small on a telephone');
  for (const [width, height] of [[1400, 900], [360, 740]]) {
    await page.setViewport({ width, height, hasTouch: true });
    if (name.startsWith('lesson1/index')) {
      await reads_a_curve(page, check);
      await reads_by_key(page, check);
    }
    if (name.startsWith('lesson6/index')) await reads_cells(page, check);
  }
}

const knob = (page, part, name) => page.$eval(`#knobs${part} [name="${name}"]`, one => one.value);
const middle_of = one => one.evaluate(element => {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
});

// A press on the corner of a gate turns its bit; a dragged ray turns its knobs; a box selects.
export async function takes_hold(page, check, finished, address) {
  const press = async at => {
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.up();
  };
  await page.$eval('#bench1', unfold);
  const before = await knob(page, 1, 'w');
  const [corner] = await page.$$('#bench1 .plot-held');
  const bits = () => page.$$eval('#bench1 .shown .plot-held', all => all.map(one => one.textContent.trim()));
  const first = await bits();
  await press(await middle_of(corner));
  await pause(100);
  await finished(page, 1);
  const turned = await bits();
  const expected = first.map((bit, k) => (k ? bit : String(1 - bit)));
  check(String(turned) === String(expected), `a corner pressed turns ${first} into ${turned}`);
  check(await knob(page, 1, 'w') !== before, 'and sets the knob w');
  check(page.url().includes(`w=${await knob(page, 1, 'w')}`), 'which stands in the address');

  await page.$eval('#bench9', unfold);
  await page.$eval('#bench9 .shown', one => one.scrollIntoView({ block: 'center' }));
  const [, ray] = await page.$$('#bench9 .plot-held');
  const from = await middle_of(ray);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 5, from.y + 30, { steps: 4 });
  await pause(50);
  await page.mouse.up();
  const by = Number(await knob(page, 9, 'turn'));
  check(await knob(page, 9, 'ray') === '2' && by > 2 && by < 40,
    `the dragged ray is ${await knob(page, 9, 'ray')}, turned by ${by}`);
  await pause(400);
  await finished(page, 9);
  const told = await page.$eval('#bench9 .turned', one => one.textContent);
  check(told.includes(`Turned by ${by} degrees`), 'a dragged ray is drawn and judged');

  // A finger goes on when the picture under it has given way to the next.
  await page.$eval('#bench9 .shown', one => one.scrollIntoView({ block: 'center' }));
  const top = await middle_of((await page.$$('#bench9 .plot-held'))[0]);
  const picture = await page.$('#bench9 .shown svg');
  await page.touchscreen.touchStart(top.x, top.y);
  await page.touchscreen.touchMove(top.x + 12, top.y + 3);
  await page.waitForFunction(old => !old.isConnected, { timeout: 10_000 }, picture);
  await page.touchscreen.touchMove(top.x + 40, top.y + 12);
  await pause(50);
  const far = Number(await knob(page, 9, 'turn'));
  await page.touchscreen.touchEnd();
  check(await knob(page, 9, 'ray') === '1' && far > 15, `a finger turns ray 1 by ${far}`);
  await pause(400);
  await finished(page, 9);

  await page.$eval('#bench3', unfold);
  await page.$eval('#bench3 .shown', one => one.scrollIntoView({ block: 'center' }));
  await press(await middle_of(await page.$('#bench3 .plot-box[data-knobs=v]')));
  const chosen = await page.evaluate(() => document.activeElement.closest('.picked')
    ?.querySelector('[name]').name);
  check(chosen === 'v', `a box selects the sliders of ${chosen}`);

  const course = await page.browser().newPage();
  await course.setViewport({ width: 360, height: 740 });
  await course.goto(address('index.html'));
  const small = await course.evaluate(small_labels);
  check(small.length === 0, `cards with labels too small: ${small.slice(0, 5).join('; ')}`);
  await course.close();
}
