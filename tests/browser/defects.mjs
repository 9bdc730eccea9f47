// What once was wrong on the pages and must not come again: formulas that one cannot read, names
// that say nothing, numbers that are misread, answers in sight, what is offered and is not there.
// Called by tests/browser.mjs. axe-core (in NODE_PATH) looks at accessibility; without it that part
// is skipped, visibly.
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const some = list => `${list.length}, such as ${list.slice(0, 4).join('; ')}`;

// Code marked "Page:" runs in the page and sees nothing outside of itself.

// Page: what is wrong with formulas, all of them unfolded, in a wide or narrow window.
const bad_formulas = narrow => new Promise(done => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const all = selector => [...document.querySelectorAll(selector)];
  const has_math_font = () => {
    const pen = document.createElement('canvas').getContext('2d');
    const width = font => {
      pen.font = `40px ${font}`;
      return pen.measureText('Wim∑').width;
    };
    return ['Latin Modern Math', 'STIX Two Math', 'Cambria Math', 'DejaVu Math TeX Gyre']
      .some(font => width(`"${font}", monospace`) !== width('monospace'));
  };
  const look = () => {
    const wrong = [];
    for (const glyph of all('math *')) {
      const size = parseFloat(getComputedStyle(glyph).fontSize);
      const is_seen = glyph.children.length === 0 && /[^\s\u2061\u2062]/.test(glyph.textContent);
      if (is_seen && size < 11) wrong.push(`${glyph.textContent} of ${size} px`);
      if (glyph.tagName === 'mo' && glyph.textContent === '-') wrong.push('a hyphen for a minus');
    }
    for (const box of all('.math span')) {
      const says = box.textContent.slice(0, 40), scrolls = box.scrollWidth > box.clientWidth + 1;
      if (box.scrollHeight > box.clientHeight + 1) wrong.push(`${says} is clipped`);
      if (scrolls && !narrow) wrong.push(`${says} runs off to the right`);
      if (scrolls && (box.tabIndex !== 0 || !box.matches('.scrolls')))
        wrong.push(`${says} scrolls, without a sign or without keys`);
    }
    const height = one => one.getBoundingClientRect().height;
    for (const table of has_math_font() ? all('mo + mtable') : [])
      if (0.8 * height(table) > height(table.previousElementSibling))
        wrong.push(`a bracket of ${height(table.previousElementSibling)} px at ${height(table)}`);
    for (const code of all('.formulas code'))
      if (/^\s*(import|make|from|for) |──/.test(code.textContent)) wrong.push(code.textContent);
    done(wrong);
  };
  setTimeout(look, 150);  // behind the observer of what scrolls
});

// Page: names that do not tell one from another, and keyboards that hide signs.
const bad_names = () => {
  const all = selector => [...document.querySelectorAll(selector)];
  const name = one => one.getAttribute('aria-label') ?? '';
  const benches = all('.bench').map(name);
  const twice = benches.filter((one, k) => benches.indexOf(one) !== k);
  const fields = all('.derive input').filter(one => !name(one).includes(one.name));
  const typed = all('select, textarea').filter(one => /typed/.test(name(one)));
  const keyboards = all('input[inputmode]').map(one => `inputmode of ${one.name}`);
  document.querySelector('main h2[id]')?.scrollIntoView();
  here();  // now, not when the browser has scrolled
  const current = all('[aria-current=""]').map(one => `${one.textContent}, current as nothing`);
  return [...twice, ...fields.map(one => `a field '${name(one)}'`), ...typed.map(name),
    ...keyboards, ...current];
};

// Page: whether all spellings are read as the list says; returns those that are not.
const misread = list => list.filter(([text, wanted]) => {
  const read = numberOf(text), number = wanted === '' ? NaN : Number(wanted);
  if (Number.isNaN(number)) return !Number.isNaN(read);
  return !(Math.abs(read - number) <= 1e-14 * Math.abs(number));  // some roundings of a power
}).map(([text]) => `'${text}' is ${numberOf(text)}`);
const spellings = readFileSync('tests/numbers_by_hand.txt', 'utf8').split('\n').slice(0, -1)
  .map(line => line.split('\t'));

let axe = null;
try {
  axe = readFileSync(createRequire(join(process.cwd(), 'x.js')).resolve('axe-core/axe.min.js'), 'utf8');
} catch {
  console.log('browser: accessibility skipped, axe-core is not here');
}
async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations: found } = await axe.run();
    return found.map(one => `${one.id} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 90)}`);
  });
}

// Reads a page at both sizes and in both colour schemes: formulas may change with the size, and what
// axe-core looks for with either, one at a time.
export async function shows_no_defects({ open, check, firefox }, name) {
  const page = await open(name);
  for (const [scheme, width] of [['light', 1400], ['dark', 360]]) {
    if (!firefox)
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setViewport({ width, height: 900 });
    const wrong = await page.evaluate(bad_formulas, width === 360);
    check(wrong.length === 0, `at ${width}, formulas: ${some(wrong)}`);
    const found = axe && !firefox ? await violations(page) : [];
    check(found.length === 0, `${scheme}, at ${width}, accessibility: ${some(found)}`);
  }
  const names = await page.evaluate(bad_names);
  check(names.length === 0, `names: ${some(names)}`);
  const numbers = await page.evaluate(misread, spellings);
  check(numbers.length === 0, `numbers: ${some(numbers)}`);
  await draws(page, check, firefox);
  if (name === 'index.html') await greets(page, check);
  await page.close();
  if (name === 'lesson1/index.html') await survives_storage(open, check, name);  // all share it
  if (!firefox) await stands_without_javascript(open, check, name);
}

// Below a chart that is to be drawn nothing tells how it runs, until it is drawn: by key, undone,
// drawn again, named, compared.
async function draws(page, check, firefox) {
  await page.goto(`${page.url().split('?')[0]}?drawn`);
  const form = await page.$('.draw');
  if (!form) return;
  await page.evaluate(() => {
    for (let fold = document.querySelector('.draw'); fold; fold = fold.parentElement.closest('details'))
      fold.open = true;
  });
  const figure = await form.evaluateHandle(one => one.nextElementSibling);
  const is_open = () => figure.evaluate(one => one.nextElementSibling.open);
  check(await is_open() === false, 'what stands under a chart to draw is folded');
  const curve = () => figure.evaluate(one =>
    getComputedStyle(one.querySelector('polyline')).visibility);
  check(await curve() === 'hidden', 'its curves are not there');
  if (!firefox) {
    await page.emulateMediaType('print');
    check(await curve() === 'visible', 'on paper they are');
    await page.emulateMediaType('screen');
  }
  const line = () => figure.evaluate(one => one.querySelector('.drawn').getAttribute('d') ?? '');
  await figure.$eval('svg', one => one.focus());
  for (const key of ['ArrowRight', ' ', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key);
  check(/^M[\d. ]+L[\d. ]+L[\d. ]+$/.test(await line()), `keys draw: ${await line()}`);
  const undo = await form.evaluateHandle(one =>
    [...one.querySelectorAll('button')].find(button => button.textContent === 'Undo'));
  await undo.evaluate(one => one.click());
  check(await line() === '', 'Undo takes the last stroke');
  await figure.$eval('svg', one => one.focus());
  for (const key of [' ', 'ArrowRight']) await page.keyboard.press(key);
  await form.evaluate(one => one.requestSubmit());
  check(await is_open() && await curve() === 'visible', 'Compare shows the curves and the text');
  check(/yours/.test(await figure.evaluate(one => one.textContent)), 'the key names the reader\'s');
}

// The cards say which lessons were begun.
async function greets(page, check) {
  const links = await page.evaluate(() => {
    localStorage.course = '{"1":["predict 0"]}';
    localStorage.places = '{"1":"the-answer"}';
    greet();
    const links = [...document.querySelectorAll('.cards .begin')]
      .map(one => `${one.textContent} ${one.hash}`);
    localStorage.clear();
    return links;
  });
  const begun = links.filter(text => text === 'Continue #the-answer').length;
  check(begun > 0 || links.length === 0, `the cards say what was begun: ${links}`);
}

// Whatever else wrote into the browser's store, the page works.
async function survives_storage(open, check, name) {
  const page = await open(name);
  for (const course of ['null', '{"1":5,"2":"x","4":{}}', '[1]', '"x"', 'x']) {
    await page.evaluate(stored => { localStorage.course = stored; }, course);
    await page.reload();
    const works = await page.evaluate(() => {
      keep('something');
      return typeof writeCall === 'function' && kept()[lesson].includes('something');
    });
    check(works, `with ${course} in the store`);
  }
  await page.evaluate(() => localStorage.clear());
  await page.close();
}

// Without JavaScript the contents go away as one reads, and nothing is offered that cannot be done.
async function stands_without_javascript(open, check, name) {
  const page = await open(name);
  await page.setJavaScriptEnabled(false);
  await page.setViewport({ width: 360, height: 740 });
  await page.reload();
  const seen = await page.evaluate(() => {
    scrollTo(0, 3000);
    const is_seen = one => one.getClientRects().length > 0;
    const dead = [...document.querySelectorAll('.draw, .copy, .predict button, ' +
      '.presets, .knob')].filter(is_seen).map(one => one.className || one.textContent);
    const nav = document.querySelector('nav')?.getBoundingClientRect();
    return { dead, below: nav ? nav.bottom : 0 };
  });
  check(seen.dead.length === 0, `without JavaScript it offers ${some(seen.dead)}`);
  check(seen.below <= 100 || name === 'index.html',
    `without JavaScript the contents cover ${seen.below} px`);
  await page.close();
}

// Knobs are typed as predictions are, fast as well.
export async function types_knobs({ open, check }) {
  const page = await open('lesson1/index.html', '#1.2?z=1');
  await page.waitForFunction(() =>
    /^[\d.]+ s/.test(document.querySelector('#knobs2 .buttons output').textContent),
  { timeout: 60_000 });
  const type = async text => {
    await page.$eval('#knobs2 input[name=z]', field => { field.value = ''; });
    await page.focus('#knobs2 input[name=z]');
    for (const letter of text) {
      await page.keyboard.type(letter);
      await pause(text.length > 3 ? 0 : 20);
    }
    await pause(1500);
    return page.evaluate(() => ({
      said: document.querySelector('#knobs2 .buttons output').textContent,
      slider: document.querySelector('#knobs2 [type=range]').value,
      call: document.querySelector('#bench2 .turned').dataset.command,
      heard: document.querySelector('#knobs2 [role=status]').textContent,
    }));
  };
  for (const [text, number] of [['0,5', '0.5'], ['-2', '-2'], ['−2', '-2'], ['1/2', '0.5']]) {
    const { said, slider, call, heard } = await type(text);
    check(/^[\d.]+ s/.test(said) && slider === number && call.includes(`--z ${number} `) && heard,
      `'${text}' says ${said}, slider ${slider}, ${call}; heard '${heard}'`);
  }
  await page.close();
}
