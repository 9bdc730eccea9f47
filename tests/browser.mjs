// Looks at pages in a real browser as a reader does: nothing is asked for from anywhere, nothing is said on the console,
// nothing is wider than the window, every picture says what it shows, what can be clicked works by key as well, paper shows
// all. With numbers of lessons it uses the pages of `make web` instead: turns every slider of every bench on a laptop and on
// a telephone, follows every link, runs, stops, mistypes, derives; offline and from a file.
// Run: node tests/browser.mjs FOLDER [LESSONS]; with puppeteer-core (NODE_PATH) and a Chromium, whose path may stand in
// CHROMIUM, or with BROWSER=firefox, which only reads. Exits with 77 where one of the two is absent.
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
const firefox = process.env.BROWSER === 'firefox', paths = firefox ? ['/usr/bin/firefox-esr', '/usr/bin/firefox']
  : [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
const program = paths.find(one => one && existsSync(one));
let puppeteer;
try {
  puppeteer = createRequire(join(process.cwd(), 'x.js'))('puppeteer-core');
} catch { /* it is not here */ }
if (!program || !puppeteer) {
  console.log(`browser: skipped, ${program ? 'puppeteer-core' : firefox ? 'firefox' : 'chromium'} is not here`);
  process.exit(77);
}
const browser = await puppeteer.launch({ browser: firefox ? 'firefox' : 'chrome', executablePath: program,
  args: firefox ? [] : ['--no-sandbox'], protocolTimeout: 900_000 }).catch(error => {
  console.log(`browser: skipped, ${program} does not start: ${String(error).split('\n')[0]}`);
  process.exit(77);
});
const address = name => pathToFileURL(join(folder, name)).href;
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

// Opens a page that may say nothing on the console and ask for nothing but itself and its worker.
async function open(name, fragment = '') {
  check(statSync(join(folder, name)).size <= 1.4e6, `${name} weighs at most 1.4 MB`);
  const page = await browser.newPage();
  page.on('console', message => check(false, `${name} says on the console: ${message.text()}`));
  page.on('pageerror', error => check(false, `${name} throws: ${error.message}`));
  page.on('request', request => check(/^(blob|data):/.test(request.url()) || request.url().startsWith(address(name)),
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

// In the page: formulas that are not set as mathematics: without a size, or a fraction whose numerator is not above.
const unset_formulas = () => [...document.querySelectorAll('math')].filter(one => {
  const box = one.getBoundingClientRect(), above = part => part.getBoundingClientRect().top;
  return box.height > 0 && (3 > box.width || [...one.querySelectorAll('mfrac')].some(part => above(part.children[0]) >= above(part.children[1])) ||
    [...one.querySelectorAll('msub')].some(part => part.children[1].getBoundingClientRect().bottom <= part.children[0].getBoundingClientRect().bottom));
}).map(one => one.textContent);

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
    await form.evaluate(unfold);
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
    await page.keyboard.press('Home');
    await film.$eval('button', button => button.click());
    const between = await film.evaluate(one => new Promise(done => {
      const frames = new Set([...one.querySelectorAll(':scope > div')].map(frame => frame.innerHTML)), until = performance.now() + 700;
      const look = () => (!frames.has(one.querySelector('.now').innerHTML) || performance.now() > until ? done(until > performance.now()) : void setTimeout(look, 5));
      look();
    }));
    check(between || !name.startsWith("lesson"), `${name}: a film moves between its frames`);
    check(await film.$eval('button', one => one.textContent) === 'Stop' || await frame() === last, `${name}: a film plays`);
  }
}

async function look_at(name) {
  const page = await open(name);
  for (const scheme of ['light', 'dark'])
    for (const width of [360, 800, 1400]) {
      if (firefox && scheme === 'dark') continue;
      if (!firefox) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.setViewport({ width, height: 900 });
      await page.goto(address(name));
      const unset = await page.evaluate(unset_formulas);
      check(unset.length === 0, `${name} at ${width}: not set as mathematics: ${unset.slice(0, 3).join('; ')}`);
      const wide = await page.evaluate(sticking_out), pale = await page.evaluate(pale_texts);
      check(wide.length === 0, `${name} at ${width}: wider than the window: ${wide.slice(0, 3).join('; ')}`);
      check(pale.length === 0, `${name}, ${scheme}: too pale: ${pale.slice(0, 3).join('; ')}`);
    }
  const { injected, dead } = await page.evaluate(() => ({
    injected: document.querySelectorAll('script').length - 1 + document.querySelectorAll('.evil').length,
    dead: [...document.querySelectorAll('a[href^="#"]')].map(link => decodeURIComponent(link.hash.slice(1)))
      .filter(id => !document.getElementById(id) && !document.getElementById(`bench${id.match(/^\d\.(\d+)\?/)?.[1]}`)),
  }));
  check(injected === 0, `${name}: something was injected`);
  check(await page.$$eval('.cards article', all => all.every(one => one.querySelector('svg'))), `${name}: a card without a picture`);
  check(dead.length === 0, `${name}: links that lead nowhere: ${dead.slice(0, 5).join(' ')}`);
  const tall = await page.evaluate(() => {
    const headings = [...document.querySelectorAll('h2')], end = headings[headings.findIndex(one => one.textContent === 'The answer') + 1];
    return end ? end.getBoundingClientRect().top + scrollY : 0;
  });
  check(tall <= 14 * 900, `${name}: a core of ${(tall / 900).toFixed(1)} screens`);
  await answers_keys(page, name);
  const turns = await page.$$('main a[href*="?"]');
  for (const link of turns.slice(0, 3)) {  // without the program a link writes the command that does it at home
    const [, part, query] = await link.evaluate(one => (one.click(), one.hash.match(/\.(\d+)\?(.*)/)));
    await pause(50);
    const call = await page.$eval(`#knobs${part} .call`, one => one.textContent);
    check([...new URLSearchParams(query)].every(([knob, value]) => call.includes(`--${knob} ${value}`)), `${name}: ${query} writes ${call}`);
  }
  if (firefox) return page.close();

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
const found = (page, part) => page.$eval(`#bench${part} .turned`, box => box.textContent);
const press = (page, part, text) => page.$$eval(`${form_of(part)} button`, (buttons, wanted) =>
  buttons.find(button => wanted.includes(button.textContent)).click(), [text].flat());
const whole = ['Run the whole part', 'Run this part'];
// Nothing runs, and nothing waits to.
const finished = (page, part) => page.waitForFunction(form => {
  const buttons = [...document.querySelectorAll(`${form} button`)], said = document.querySelector(`${form} output`)?.textContent;
  return buttons.find(one => one.textContent === 'Stop')?.disabled && /./.test(said) && !/^Running|left|About/.test(said);
}, { timeout: 600_000, polling: 20 }, form_of(part));
const run = async (page, part, button = 'Run') => {
  await page.$eval(`${form_of(part)} output`, output => { output.textContent = ''; });
  await press(page, part, button);
  await finished(page, part);
  return state(page, part);
};
// In the page: whether the first knob and the whole picture of a bench are in the window together.
const together = (part, narrow) => {
  const bench = document.getElementById(`bench${part}`), knob = bench.querySelector('.knob'), picture = bench.querySelector('.shown');
  for (let fold = bench.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  if (narrow) knob.scrollIntoView({ block: 'end' });
  else bench.scrollIntoView({ block: 'start' });
  const a = knob.getBoundingClientRect(), b = picture.getBoundingClientRect(), inner = picture.firstElementChild?.getBoundingClientRect() ?? b;
  const seen = box => box.top >= -1 && innerHeight + 1 >= box.bottom;
  return seen(a) && seen(b) && b.bottom + 1 >= inner.bottom && (!narrow || (0.46 * innerHeight >= b.height && a.top + 1 >= b.bottom)) ? ''
    : `knob ${a.top.toFixed()} to ${a.bottom.toFixed()}, picture ${b.top.toFixed()} to ${b.bottom.toFixed()} of ${inner.height.toFixed()}, in ${innerHeight}`;
};

// In the page: moves slider k of a bench by a step, and says when the picture is that of the knobs: milliseconds, or what
// went wrong.
const move = (part, k) => new Promise(done => {
  const form = document.getElementById(`knobs${part}`), bench = form.closest('.bench'), slider = form.querySelectorAll('[type=range]')[k];
  const old = bench.querySelector('.turned'), before = slider.value, started = performance.now();
  slider.stepUp();
  if (slider.value === before) slider.stepDown();
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  if (!bench.querySelector('.shown').classList.contains('stale')) return done('the old picture does not pale');
  const look = () => {
    const now = bench.querySelector('.turned'), waits = performance.now() - started, said = form.querySelector('output').textContent;
    if (/^About/.test(said)) [...form.querySelectorAll('button')].find(one => one.textContent === 'Run').click();
    if (now === old) return waits > 120_000 || form.querySelector('output.fails') ? done(`nothing new: ${said}`) : void setTimeout(look, 2);
    if (now.dataset.command !== form.querySelector('.call').textContent) return done(`${now.dataset.command} is not ${form.querySelector('.call').textContent}`);
    const field = slider.parentElement.querySelector('[name]'), place = [...slider.parentElement.querySelectorAll('[type=range]')].indexOf(slider);
    if (field.value.split(',')[place] !== slider.value || !now.dataset.command.includes(`--${field.name} ${field.value}`)) return done('slider and command differ');
    if (/fails/.test(said)) return done(said);
    done(bench.querySelector('.shown').classList.contains('stale') ? 'the new picture is pale' : [waits, 1000 * parseFloat(said)]);
  };
  look();
});

// Turns every slider of every bench.
async function turn_all(lesson, width, height) {
  const name = `lesson${lesson}/index.html`, page = await open(name), narrow = 600 > width;
  await page.setViewport({ width, height, hasTouch: narrow, isMobile: narrow });
  const parts = await page.$$eval('.knobs', forms => forms.filter(form => form.querySelector('[name]')).map(form => Number(form.dataset.part)));
  for (const part of parts) {
    const where = `lesson ${lesson} part ${part} at ${width}`, apart = await page.evaluate(together, part, narrow);
    check(apart === '', `${where}: picture and knob are not seen together: ${apart}`);
    check(await page.$(`#bench${part} .shown svg, #bench${part} .says > *`) !== null, `${where}: no picture before the first touch`);
    const sliders = await page.$$eval(`${form_of(part)} [type=range]`, all => all.length);
    for (let k = 0; k < sliders; ++k) {
      let told = await page.evaluate(move, part, k);
      for (let again = 0; again < 4 && told[1] < 50 && told[0] > 100; ++again) told = await page.evaluate(move, part, k);
      check(Array.isArray(told) && (told[1] >= 50 || told[0] <= 100), `${where}, slider ${k}: ${told}`);
    }
  }
  await page.close();
}

// Follows each link of the text that turns knobs.
async function follow_links(lesson) {
  const page = await open(`lesson${lesson}/index.html`);
  const links = await page.$$eval('main p a[href*="?"], main li a[href*="?"]', all => all.map(one => one.getAttribute('href')).filter(one => /^#\d\.\d+\?/.test(one)));
  for (const link of new Set(links)) {
    const [, part, query] = link.match(/\.(\d+)\?(.*)/);
    await page.evaluate(wanted => { location.hash = ''; document.querySelector(`main a[href="${CSS.escape(wanted)}"]`).click(); }, link);
    await finished(page, part);
    const call = await page.$eval(`#bench${part} .turned`, one => one.dataset.command), said = await state(page, part);
    const wrong = [...new URLSearchParams(query)].filter(([knob, value]) => !`${call} `.replace('"', ' ').replace('"', ' ').includes(`--${knob} ${value} `));
    check(wrong.length === 0 && /^[\d.]+ s$/.test(said), `lesson ${lesson}: ${link} leads to ${call}: ${said}`);
  }
  await page.close();
  return links.length;
}

// What the address, the buttons and the keys do, on a part that is quick.
async function manners() {
  const w = '#knobs3 [name=w]', lesson4 = 'lesson4/index.html';
  let page = await open(lesson4, '#4.3?w=1,1,-1&v=1,1,-1');
  await finished(page, 3);
  check(/XNOR/.test(await found(page, 3)), 'a link runs what it says');
  const type = async value => {
    await page.$eval(w, (one, wanted) => {
      one.value = wanted;
      one.dispatchEvent(new Event('input', { bubbles: true }));
      one.dispatchEvent(new Event('change', { bubbles: true }));
    }, value);
    await pause(400);
    await finished(page, 3);
  };
  await type('1,0,0');
  check(page.url().endsWith('#4.3?w=1,0,0&v=1,1,-1'), 'a run stands in the address: ' + page.url());
  await page.setOfflineMode(true);
  await type('1,0,9');
  check(await state(page, 3) === "lesson4: --w: '1,0,9' has '9', which is not between -3 and 3", `a wrong value shows the program's own line: ${await state(page, 3)}`);
  check(await page.$('#bench3 .stale') !== null, 'and leaves the old picture pale');
  await type('1,0,"; rm -rf x"');
  check(!/;/.test(await page.$eval('#knobs3 .call', one => one.textContent)), 'nothing is copied that a shell would act on');
  await press(page, 3, 'Reset');
  await pause(400);
  await finished(page, 3);
  check(/is XOR/.test(await found(page, 3)), 'Reset runs again, and offline');
  await press(page, 6, whole);
  await page.waitForFunction(() => /\d/.test(document.querySelector('#knobs6 output').textContent), { timeout: 60_000 });
  check(await page.$('#knobs6 progress:not([hidden])') !== null || /left/.test(await state(page, 6)), `a long run says how far it is: ${await state(page, 6)}`);
  await run(page, 3);
  check(/Another/.test(await state(page, 6)), `what is superseded says so: ${await state(page, 6)}`);
  await press(page, 6, whole);
  await pause(300);
  await press(page, 6, 'Stop');
  check(/Stopped/.test(await state(page, 6)), `Stop stops: ${await state(page, 6)}`);
  for (const hash of ['#9.1', '#4.99', '#%E0%A4%A']) await page.evaluate(one => { location.hash = one; }, hash);

  // A line that is derived: a slip is named, the right one counts; both without a compiler.
  const form = '.derive[data-number]';
  const derive = async line => {
    await page.$eval(`${form} output`, one => { one.textContent = ''; });
    await page.$eval(`${form} [name]`, (one, wanted) => {
      one.value = wanted;
      one.dispatchEvent(new Event('change', { bubbles: true }));
    }, line);
    await page.waitForFunction(wanted => document.querySelector(wanted).textContent !== '', { timeout: 10_000, polling: 20 }, `${form} output`);
    await pause(300);
    return page.$eval(`${form} output`, one => one.textContent + one.className);
  };
  for (const [line, told] of [['((', /missing at the end/], ["2 * H' * dY", /factor/], ["H' * dY", /^right.*right$/]])
    check(told.test(await derive(line)), `dU = ${line}: ${await derive(line)}`);
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
  check(await page.$('h2') !== null && await page.$('#bench3 .shown svg') !== null, 'without JavaScript the text and its pictures stand');
  await page.close();
}

if (lessons.includes(4)) await manners();
for (const lesson of lessons) {
  await turn_all(lesson, 1400, 900);
  await turn_all(lesson, 360, 740);
  console.log(`lesson ${lesson}: ${await follow_links(lesson)} links`);
}
if (lessons.length === 0)
  for (const name of ['.', ...readdirSync(folder)])
    for (const file of ['index', 'gate', 'run'].map(kind => join(name, `${kind}.html`)))
      if (existsSync(join(folder, file))) await look_at(file);
await browser.close();
console.log(`browser: ${checks} checks, ${failed} failed`);
process.exit(failed || checks === 0 ? 1 : 0);
