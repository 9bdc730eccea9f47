// How all pages look, light and dark, wide and narrow, on paper; and what a page does beside being
// read: numbers fetch their code, predictions are compared with theory, films turn, knobs write
// their command, the contents say where one is and what one has done, and paper shows everything.
// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"

namespace page {

const std::string_view style = R"css(
:root{color-scheme:light dark;--ink:#1c1c1f;--paper:#fcfcfa;--soft:#5a5a65;--line:#dcdcd6;--tint:#f3f3ee;
  --link:#0b57a4;--good:#1a6b33;--bad:#b3261e;--sans:system-ui,sans-serif}
@media (prefers-color-scheme:dark){:root{--ink:#e9e9ec;--paper:#16161a;--soft:#a9a9b4;--line:#34343c;--tint:#1f1f25;
  --link:#82b8ff;--good:#63cf81;--bad:#ff8a80}}
*{box-sizing:border-box}html{scroll-padding-top:3.2rem}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 Georgia,"Noto Serif","DejaVu Serif",serif}
.skip{position:absolute;left:-99rem}.skip:focus{left:.5rem;top:.5rem;z-index:9;background:var(--paper);padding:.3rem}
.page{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:2.5rem;max-width:84rem;margin:0 auto;padding:0 1.25rem 6rem}
.page>main:only-child{grid-column:1/-1}main>*{max-width:44rem}main>.bench,main>.cards,.found .bench,main>.found:has(.bench){max-width:none}.found>:not(.bench,.found){max-width:44rem}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:2.2rem 0 1rem;font:14px/1.45 var(--sans)}
nav summary{font-weight:600;color:var(--ink)}nav ol{list-style:none;margin:.5rem 0;padding:0}
nav li{padding:.15rem 0 .15rem 1.1rem;text-indent:-1.1rem}nav li::before{display:inline-block;width:1.1rem;text-indent:0;content:""}
nav .done::before{content:"✓";color:var(--good)}nav .aside{color:var(--soft)}nav [aria-current]{font-weight:600;color:var(--link)}
nav a{color:inherit;text-decoration:none}nav a:hover,nav a:focus{color:var(--link);text-decoration:underline}
h1,h2,h3{font-family:var(--sans);font-weight:600;line-height:1.25;overflow-wrap:anywhere}
h1{font-size:1.9rem;margin:2rem 0 .6rem}h2{font-size:1.35rem;margin:2.6rem 0 .6rem}h3{font-size:1.1rem}a{color:var(--link)}
code,pre{font:.84em/1.5 ui-monospace,"DejaVu Sans Mono",monospace}code{overflow-wrap:anywhere}
pre code{font-size:1em;overflow-wrap:normal}pre{margin:1rem 0;padding:.6rem .9rem;background:var(--tint);overflow-x:auto}
.formulas{position:relative;margin:1rem 0;padding:.5rem 2rem .5rem .9rem;background:var(--tint);border-left:3px solid var(--line);
  font-size:1.05em}
.line{display:grid;grid-template-columns:minmax(0,1fr) auto 4.2rem;gap:0 1rem;align-items:center;padding:.12rem 0}
.line:target{outline:2px solid var(--link);outline-offset:2px}.math{overflow-x:auto;overflow-y:hidden;white-space:nowrap;padding:.15rem 0}
.math math{margin-right:1.6rem}.note{font:14px/1.4 var(--sans);color:var(--soft)}.number{text-align:right;font-size:.9em}
.number a{text-decoration:none}.means{position:absolute;right:.3rem;top:.2rem;margin:0}.means[open]{position:static}
.means p{margin:.3rem 0 0;font:14px/1.5 var(--sans)}.means summary{list-style:none;padding:0 .45rem;border:1px solid var(--line);border-radius:50%}
details{margin:.4rem 0}summary{cursor:pointer;font:14px/1.6 var(--sans);color:var(--soft)}
details:not([class]){margin:1rem 0;padding-left:.9rem;border-left:3px solid var(--line)}nav details:not([class]){margin:0;padding:0;border:0}
main>details:not([class])>summary{font-size:15px;color:var(--ink)}
details.code p{margin:.5rem 0 0;font:13px/1.5 var(--sans);color:var(--soft)}details.code pre{margin:.1rem 0 .6rem}
.table,.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font:14px/1.5 var(--sans);font-variant-numeric:tabular-nums}
td,th{padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
.wide td,.wide th{text-align:right;white-space:nowrap}.wide td:first-child,.wide th:first-child{text-align:left}
.run{margin:1rem 0}.run p,.says p{font:15px/1.6 var(--sans)}.command{font:14px/1.5 var(--sans);color:var(--soft)}
ul.claims{list-style:none;margin:.4rem 0;padding:0;font:14px/1.6 var(--sans)}.claims span{color:var(--soft)}
.claims .holds b{color:var(--good)}.claims .fails{color:var(--bad)}.fails{color:var(--bad)}
.predict,.derive{margin:1rem 0;padding:.7rem 1rem;background:var(--tint);border-radius:6px;font:15px/1.6 var(--sans)}
.derive label{display:flex;gap:.4rem;align-items:center;white-space:nowrap}.derive input{flex:1;min-width:4rem;max-width:26rem}
.asked svg{touch-action:none;cursor:crosshair}.asked polyline,.asked .plot-dot,.asked .plot-band{visibility:hidden}.drawn{fill:none;stroke:var(--soft);stroke-width:3}
.derive output{display:block;min-height:1.2em;color:var(--soft)}.derive .right{color:var(--good)}
input,select,textarea,button{font:inherit;padding:.15rem .5rem;color:inherit;background:var(--paper);border:1px solid var(--soft);
  border-radius:4px;max-width:100%}button{cursor:pointer}button:disabled{display:none}input[type=range]{padding:0;min-width:5rem}
figure{margin:1.2rem 0;overflow-x:auto}figure svg{width:100%;max-width:34rem;height:auto;display:block}
.said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.film>div{display:none}.film>.now{display:block}.film>p{display:flex;gap:.8rem;align-items:center;margin:.4rem 0;font:14px/1.5 var(--sans)}
.film label{display:flex;flex:1;gap:.8rem;align-items:center}.film input{flex:1}.film output{min-width:4rem}
.bench{margin:1.6rem 0;padding:.8rem 1rem;border:1px solid var(--link);border-radius:8px;font:15px/1.5 var(--sans)}
.bench .turned{display:contents}.shown figure{margin:0}.shown.stale{opacity:.45}.says{font-size:15px}.says:empty,.says details:not(:has(ul)){display:none}
.asks{margin:0 0 .4rem;font-weight:600}.knob{display:flex;gap:.2rem .7rem;align-items:center;flex-wrap:wrap;margin:.25rem 0}
.knob>span{flex:1 1 9rem}.knob [type=range]{flex:2 1 7rem;min-height:1.9rem}.knob input:not([type=range]){width:5.5rem}
.entries{display:grid;grid-template-columns:max-content minmax(5rem,1fr);gap:.1rem .8rem}.entries .wide,.entries [name]{grid-column:1/-1}
.entries input:not([type=range]),.knob textarea{width:100%}.knob [data-side]{flex-basis:100%}.bench button{margin:0 .4rem .3rem 0}.bench:not(:has([name],figure,button:not(.copy))){display:none}
.try button{border-color:var(--link);color:var(--link)}.cells{width:10rem;height:10rem;touch-action:none;border:1px solid var(--soft);image-rendering:pixelated}
.wanted{border-color:var(--link);box-shadow:0 0 0 2px var(--link)}progress{width:100%}body:not(.live) .knob,body:not(.live) .buttons,body:not(.live) [data-set]{display:none}
.live .dead{display:none}.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:1.5rem}
.cards article{border:1px solid var(--line);border-radius:8px;padding:.4rem 1rem 1rem}.cards h2{margin:.6rem 0;font-size:1.1rem}.cards p{font-size:15px}
.promise{font-size:1.15rem}.begin,.next a{display:inline-block;padding:.3rem .9rem;border:1px solid var(--link);border-radius:6px;text-decoration:none}
@media (min-width:1100px){.bench:has([name]){display:grid;grid-template-columns:minmax(0,1.25fr) minmax(20rem,1fr);gap:0 1.6rem}
  .bench .shown,.bench .says{grid-column:1}.bench .knobs{grid-column:2;grid-row:1/3}
  .bench:has([name]) .shown svg{max-width:none;max-height:min(29rem,calc(100vh - 7rem))}}
@media (max-width:1099px){.bench{display:flex;flex-direction:column}.bench .says{order:1}.bench:has([name]) .shown{position:sticky;top:2.4rem;z-index:1;background:var(--paper);max-height:45vh;overflow:hidden}
  .bench .shown svg{max-height:40vh;max-width:100%}}
@media (max-width:820px){.page{display:block;padding:0 .75rem 4rem}h1{font-size:1.5rem;margin-top:1rem}.bench{padding:.5rem .6rem}
  nav{position:sticky;top:0;z-index:2;padding:.35rem 0;background:var(--paper);border-bottom:1px solid var(--line);max-height:80vh}
  .line{grid-template-columns:minmax(0,1fr) auto}.line .note{grid-column:1/-1;grid-row:2}.line .note:empty{display:none}}
@media print{.draw,nav,.film>p,.knob,.buttons,.try,.predict,.derive,.home,.skip,.means{display:none!important}.film>div{display:none!important}
  .film>div:first-child,.film>div:nth-last-child(2){display:block!important}.page,.bench{display:block!important}body{font-size:11pt}
  pre{white-space:pre-wrap}a{color:inherit}figure,.line,.bench,tr{break-inside:avoid}.shown{position:static!important;max-height:none!important}}
)css";

const std::string_view script = R"js(
'use strict';
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const nav = document.querySelector('nav details'), narrow = matchMedia('(max-width:820px)');
const bar = () => { if (nav) nav.open = !narrow.matches; };
narrow.addEventListener('change', bar);
bar();

// What the reader did, by the lesson: kept in the browser, where it keeps anything.
const lesson = location.pathname.match(/lesson(\d)/)?.[1] ?? '';
const kept = () => { try { return JSON.parse(localStorage.getItem('course') ?? '{}'); } catch { return {}; } };
const keep = what => {
  const course = kept();
  course[lesson] = [...new Set([...course[lesson] ?? [], what])];
  try { localStorage.setItem('course', JSON.stringify(course)); } catch { /* a browser that keeps nothing */ }
  mark();
};
const sectionOf = one => {  // the anchor of the heading above
  for (let at = one; at; at = at.previousElementSibling ?? at.parentElement) if (at.tagName === 'H2') return at.id;
};
// A section is done when all that it asks for is: predictions, lines to derive, exercises.
const mark = () => {
  const done = new Set(kept()[lesson] ?? []), asked = new Map();
  const ask = (one, is) => asked.set(sectionOf(one), (asked.get(sectionOf(one)) ?? true) && is);
  all('main .predict:not([hidden])').forEach((form, k) => ask(form, done.has(`predict ${k}`)));
  for (const form of all('.derive')) for (const field of all('[name]', form)) ask(form, done.has(`${form.dataset.number} ${field.name}`));
  for (const cell of all('main table tr td:last-child')) if (/^\d\.\d/.test(cell.parentElement.cells[0].textContent)) ask(cell.closest('div'), /done/.test(cell.textContent));
  for (const item of all('nav li')) item.classList.toggle('done', asked.get(decodeURIComponent(item.firstElementChild?.hash?.slice(1) ?? '')) === true);
};
mark();
for (const card of all('.cards article')) if (kept()[card.dataset.lesson]?.length) { const link = card.querySelector('.begin'); if (link) link.textContent = 'Continue'; }
const headings = all('main h2[id]');
const here = () => {
  const now = headings.filter(one => one.getBoundingClientRect().top < innerHeight / 3).pop();
  for (const link of all('nav li a')) link.toggleAttribute('aria-current', now !== undefined && decodeURIComponent(link.hash.slice(1)) === now.id);
  if (nav && narrow.matches) nav.querySelector('summary').textContent = now?.textContent ?? `Lesson ${lesson}`;
};
addEventListener('scroll', here, { passive: true });
here();

const unfold = () => {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { return; }  // a link that nobody made here
  const [, part, query] = name.match(/^\d\.(\d+)\?(.*)/) ?? [];  // a link that turns knobs: here their command says it
  const wanted = document.getElementById(part ? `bench${part}` : name);
  if (!wanted || (part && document.body.classList.contains('live'))) return;
  for (const [knob, value] of new URLSearchParams(query ?? '')) {
    const field = wanted.querySelector(`[name="${CSS.escape(knob)}"]`);
    if (field) field.value = value;
    if (field) pair(field);
  }
  let fold = query ? wanted.querySelector('.home') : wanted.closest('details');
  if (!fold) return;
  for (; fold; fold = fold.parentElement.closest('details')) fold.open = true;
  wanted.scrollIntoView();
};
addEventListener('hashchange', unfold);
document.addEventListener('click', event => {
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  if (nav && link.closest('nav') && narrow.matches) nav.open = false;
  const code = link.closest('.number') && document.getElementById(link.hash.slice(1));
  if (code) {  // the code comes to the formula, and goes back to the end of the page
    event.preventDefault();
    code.open = !code.open || code.parentElement.id === 'listings';
    if (code.open) link.closest('.formulas').after(code);
    else document.getElementById('listings').append(code);
  } else if (link.hash === location.hash) unfold();
});
addEventListener('DOMContentLoaded', () => {
  if (!document.body.classList.contains('live')) for (const home of all('.bench .home')) home.open = true;
  unfold();
});
// A number as hands write it: 1/6, 25 %, 2^-50, 0,5, 10 000 or 10,000.
const numberOf = text => {
  const word = text.replace(/\s/g, '').replace(/^(\d+),(\d{3})$/, '$1$2').replace(',', '.');
  if (word.endsWith('%')) return numberOf(word.slice(0, -1)) / 100;
  const sign = ['/', '^'].find(one => word.includes(one)), at = word.indexOf(sign);
  if (!sign) return word === '' ? NaN : Number(word);
  const a = numberOf(word.slice(0, at)), b = numberOf(word.slice(at + 1));
  return sign === '/' ? a / b : a ** b;
};
document.addEventListener('submit', event => {
  const form = event.target.closest('.predict');
  if (!form) return;
  event.preventDefault();
  const truth = parseFloat(form.dataset.answer);
  const guess = numberOf(form.querySelector('input').value), told = form.querySelector('output');
  if (Number.isNaN(guess) && (!event.submitter || event.submitter.value !== 'pass'))
    return void (told.textContent = 'A number, such as 0.2, 1/6, 25% or 2^-50.');
  const off = Number((guess - truth).toPrecision(3)), factor = guess / truth;
  const roundings = 1e-8 * Math.abs(truth), counts = guess >= form.dataset.low - roundings && Number(form.dataset.high) + roundings >= guess;
  const short = number => Number(number.toPrecision(2));
  const beside = factor >= 2 && Number.isFinite(factor) ? `${short(factor)} times that`
    : factor > 0 && 0.5 >= factor ? `1/${short(1 / factor)} of that` : `off by ${off}`;
  told.textContent = `It is ${form.dataset.answer}` +
    (Number.isNaN(guess) ? '.' : counts ? '; yours counts.' : `; yours is ${beside}.`);
  form.nextElementSibling.open = true;
  keep(`predict ${all('main .predict:not([hidden])').indexOf(form)}`);
});
// A chart without its curves, until the reader has drawn where they run.
for (const form of all('.draw')) {
  const figure = form.nextElementSibling, svg = figure?.querySelector('svg');
  if (!svg) continue;
  figure.classList.add('asked');
  let stroke = '';
  const place = event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return `${at.x.toFixed(1)} ${at.y.toFixed(1)}`;
  };
  const line = document.createElementNS(svg.namespaceURI, 'path');
  line.setAttribute('class', 'drawn');
  svg.append(line);
  svg.addEventListener('pointerdown', event => { svg.setPointerCapture(event.pointerId); stroke += 'M' + place(event); });
  svg.addEventListener('pointermove', event => { if (event.buttons && stroke) line.setAttribute('d', stroke += 'L' + place(event)); });
  form.addEventListener('submit', event => { event.preventDefault(); figure.classList.remove('asked'); });
}
document.addEventListener('click', event => {
  if (event.target.closest('.derive [value=pass]')) {
    event.preventDefault();
    event.target.form.nextElementSibling.open = true;
  }
  const copy = event.target.closest('.copy');
  if (copy) navigator.clipboard?.writeText(copy.previousElementSibling.textContent).then(() => { copy.textContent = 'Copied'; }, () => {});
});
const turn = slider => {
  const film = slider.closest('.film'), frames = all(':scope > div', film);
  frames.forEach((frame, k) => frame.classList.toggle('now', k === Number(slider.value)));
  const label = frames[slider.value].dataset.label;
  film.querySelector('output').textContent = label;
  slider.setAttribute('aria-valuetext', `${slider.parentElement.textContent.trim()} ${label}`);
};
for (const slider of all('.film input')) turn(slider);
document.addEventListener('input', event => {
  const film = event.target.closest('.film'), button = film?.querySelector('button');
  if (button?.timer) button.click();
  if (film) turn(event.target);
});
// Moves each path of a frame a share of its way to the same path of the next, if that has as many numbers.
const between = (frame, next, share) => {
  const paths = all('[points],[d]', next), kept = (path, name) => path[name + 'Kept'] ??= path.getAttribute(name) ?? '';
  all('[points],[d]', frame).forEach((path, k) => {
    const name = path.hasAttribute('d') ? 'd' : 'points', there = paths[k] ? kept(paths[k], name).match(/-?[\d.]+/g) ?? [] : [];
    if (kept(path, name).match(/-?[\d.]+/g)?.length !== there.length) return;
    path.setAttribute(name, kept(path, name).replace(/-?[\d.]+/g, number => {
      const goal = there.shift();  // flags of arcs are the same, and stay what they are
      return number === goal ? number : (Number(number) + share * (goal - number)).toFixed(2);
    }));
  });
};
document.addEventListener('click', event => {
  const button = event.target.closest('.film button');
  if (!button) return;
  const film = button.closest('.film'), slider = film.querySelector('input'), frames = all(':scope > div', film), moves = 3;
  let move = 0;
  const stop = () => {
    clearInterval(button.timer);
    button.timer = 0;
    for (const frame of frames) between(frame, frame, 0);
    button.textContent = 'Play';
    button.setAttribute('aria-pressed', 'false');
  };
  if (button.timer) return stop();
  if (slider.value === slider.max) slider.value = 0;
  turn(slider);
  button.textContent = 'Stop';
  button.setAttribute('aria-pressed', 'true');
  button.timer = setInterval(() => {
    const frame = frames[slider.value], next = frames[Number(slider.value) + 1] ?? frame;
    between(frame, next, ++move % moves / moves);
    if (move % moves) return;
    slider.value = Number(slider.value) + 1;
    turn(slider);
    if (slider.value === slider.max) stop();
  }, 40);
});
// What the knobs of a form say, as the words behind --part N. A text goes into a file of its own.
const wordsOf = form => all('[name]', form).flatMap(field =>
  field.value === '' ? [] : ['--' + field.name, field.matches('[data-file]') ? field.name + '.txt' : field.value.trim()]);
const writeCall = form => {
  const words = ['--part', form.dataset.part, ...wordsOf(form)];
  const safe = words.map(word => word.replace(/[^\p{L}\p{N}_.,+=:/ -]/gu, '')).join(' ');  // nothing that a shell would act on
  form.querySelector('.call').textContent = `make lesson${form.dataset.lesson} ARGS="${safe}"`;
};
// Sliders and the field beside them say the same.
const pair = field => {
  const box = field.parentElement, sliders = all('[type=range]', box), text = box.querySelector('[name]');
  if (field.type === 'range') text.value = sliders.map(slider => slider.value).join(',');
  else text.value.split(',').forEach((value, k) => { if (sliders[k]) sliders[k].value = value; });
  writeCall(field.form);
};
// Before whoever reads the form: what they read is then what both say.
document.addEventListener('input', event => { if (event.target.closest('.knobs')) pair(event.target); }, true);
document.addEventListener('reset', event => setTimeout(writeCall, 0, event.target));
let folded = [];
addEventListener('beforeprint', () => {
  for (const code of all('.code')) document.getElementById('listings').append(code);
  folded = all('details:not([open])');
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => { for (const one of folded) one.open = false; });
)js";

}  // namespace page
