// How all pages look, light and dark, wide and narrow, on paper; and what a page does beside being read: links into
// folded code unfold it, a prediction is compared with what the program found, films turn, knobs write their command,
// and paper shows everything.
// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"

namespace page {

const std::string_view style = R"css(
:root{color-scheme:light dark;--ink:#1c1c1f;--paper:#fcfcfa;--soft:#5a5a65;--line:#dcdcd6;--tint:#f3f3ee;
  --link:#0b57a4;--good:#1a6b33;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e9e9ec;--paper:#16161a;--soft:#a9a9b4;--line:#34343c;--tint:#1f1f25;
  --link:#82b8ff;--good:#63cf81;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 Georgia,"Noto Serif","DejaVu Serif",serif}
.page{display:grid;grid-template-columns:15rem minmax(0,46rem);gap:3rem;max-width:68rem;margin:0 auto;
  padding:0 1.25rem 6rem}
.page>main:only-child{grid-column:1/-1}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:2.2rem 0 1rem;
  font:14px/1.5 system-ui,sans-serif}
nav ol{list-style:none;margin:.6rem 0;padding:0}nav li{padding:.15rem 0 .15rem 1.1rem;text-indent:-1.1rem}
nav li::before{display:inline-block;width:1.1rem;text-indent:0;content:""}
nav .holds::before{content:"✓";color:var(--good)}nav .fails::before{content:"✗";color:var(--bad)}
nav .open::before{content:"·"}nav .aside{color:var(--soft)}
nav a{color:inherit;text-decoration:none}nav a:hover,nav a:focus{color:var(--link);text-decoration:underline}
h1,h2,h3{font-family:system-ui,sans-serif;font-weight:600;line-height:1.25;overflow-wrap:anywhere}
h1{font-size:1.9rem;margin:2rem 0 .6rem}h2{font-size:1.35rem;margin:3rem 0 .6rem}h3{font-size:1.1rem}
a{color:var(--link)}
code,pre,.formulas{font:.84em/1.5 ui-monospace,"DejaVu Sans Mono",monospace}
code{overflow-wrap:anywhere}pre code{font-size:1em;overflow-wrap:normal}
pre{margin:1rem 0;padding:.6rem .9rem;background:var(--tint);overflow-x:auto}
.formulas{margin:1rem 0;padding:.55rem .9rem;background:var(--tint);border-left:3px solid var(--line);
  overflow-wrap:anywhere}
.formulas div{display:flex;white-space:pre-wrap;justify-content:space-between;gap:1.5rem}
.formulas div:target{outline:2px solid var(--link);outline-offset:2px}.number{flex:none}.number a{text-decoration:none}
details{margin:.4rem 0}summary{cursor:pointer;font:14px/1.6 system-ui,sans-serif;color:var(--soft)}
details:not([class]){margin:1rem 0;padding-left:.9rem;border-left:3px solid var(--line)}
details:not([class])>summary{font-size:15px;color:var(--ink)}
details.code p{margin:.5rem 0 0;font:13px/1.5 system-ui,sans-serif;color:var(--soft)}
details.code pre{margin:.1rem 0 .6rem}
.table,.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font:14px/1.5 system-ui,sans-serif;
  font-variant-numeric:tabular-nums}
td,th{padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
.wide td,.wide th{text-align:right;white-space:nowrap}.wide td:first-child,.wide th:first-child{text-align:left}
.run{margin:1.5rem 0;padding:.2rem 1.1rem .6rem;border:1px solid var(--line);border-radius:6px}
.run>p{font:15px/1.6 system-ui,sans-serif}.command{font:14px/1.5 system-ui,sans-serif;color:var(--soft)}
ul.claims,.claims ul{list-style:none;margin:.4rem 0;padding:0;font:14px/1.6 system-ui,sans-serif}
.claims span{color:var(--soft)}.claims .holds b{color:var(--good)}.claims .fails{color:var(--bad)}
.claims summary{color:var(--good)}
.predict{margin:1rem 0;padding:.7rem 1rem;background:var(--tint);border-radius:6px;font:15px/1.6 system-ui,sans-serif}
.predict input,.predict button{font:inherit;padding:.15rem .5rem;color:inherit;background:var(--paper);
  border:1px solid var(--soft);border-radius:4px}.predict button{cursor:pointer}
.knobs{margin:1.5rem 0;padding:.2rem 1.1rem .6rem;border:1px solid var(--link);border-radius:6px;
  font:15px/1.6 system-ui,sans-serif}.knobs>div{display:flex;flex-wrap:wrap;gap:.1rem .8rem;align-items:center;margin:.3rem 0}
.knobs>div>span{flex:1 0 100%}.knobs code{overflow-wrap:anywhere}.knobs [type=range]{flex:1;min-width:7rem;min-height:2rem}
.knobs input:not([type=range]),.knobs select,.knobs textarea,.knobs button{font:inherit;padding:.15rem .5rem;color:inherit;
  background:var(--paper);border:1px solid var(--soft);border-radius:4px;max-width:100%}.knobs textarea{width:100%}
.knobs button{cursor:pointer;margin:0 .5rem .4rem 0}.knobs .fails{color:var(--bad)}.knobs .cells{width:9rem;height:9rem;
  touch-action:none;border:1px solid var(--soft);image-rendering:pixelated}
.knobs button:disabled{opacity:.55;cursor:default}
figure{margin:1.4rem 0;overflow-x:auto}figure svg{width:100%;min-width:26rem;height:auto;display:block}
.film>div{display:none}.film>.now{display:block}
.film>p{position:sticky;left:0;display:flex;gap:.8rem;align-items:center;margin:.4rem 0;font:14px/1.5 system-ui,sans-serif}
.film label{display:flex;flex:1;gap:.8rem;align-items:center}.film input{flex:1;min-width:5rem}.film output{min-width:4rem}
.film button{font:inherit;padding:.15rem .7rem;color:inherit;background:var(--tint);border:1px solid var(--soft);
  border-radius:4px;cursor:pointer}
@media (max-width:820px){.page{display:block}nav{position:static;max-height:none;padding-top:1rem}h1{font-size:1.55rem}
  .formulas div{gap:.6rem}}
@media print{nav,.film>p{display:none}.film>div{display:none!important}.film>div:first-child,
  .film>div:nth-last-child(2){display:block!important}figure svg{min-width:0}.page{display:block}body{font-size:11pt}pre{white-space:pre-wrap}a{color:inherit}}
)css";

const std::string_view script = R"js(
'use strict';
const unfold = () => {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { return; }  // a link that nobody made here
  const wanted = document.getElementById(name);
  let fold = wanted && wanted.closest('details');
  if (!fold) return;
  for (; fold; fold = fold.parentElement.closest('details')) fold.open = true;
  wanted.scrollIntoView();
};
addEventListener('hashchange', unfold);
document.addEventListener('click', event => {
  const link = event.target.closest('a[href^="#"]');
  if (link && link.hash === location.hash) unfold();
});
unfold();
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
});
const turn = slider => {
  const film = slider.closest('.film'), frames = film.querySelectorAll(':scope > div');
  frames.forEach((frame, k) => frame.classList.toggle('now', k === Number(slider.value)));
  film.querySelector('output').textContent = frames[slider.value].dataset.label;
};
document.addEventListener('input', event => { if (event.target.closest('.film')) turn(event.target); });
document.addEventListener('click', event => {
  const button = event.target.closest('.film button');
  if (!button) return;
  const slider = button.closest('.film').querySelector('input');
  const stop = () => {
    clearInterval(button.timer);
    button.timer = 0;
    button.textContent = 'Play';
    button.setAttribute('aria-pressed', 'false');
  };
  if (button.timer) return stop();
  if (slider.value === slider.max) slider.value = 0;
  turn(slider);
  button.textContent = 'Stop';
  button.setAttribute('aria-pressed', 'true');
  button.timer = setInterval(() => {
    slider.value = Number(slider.value) + 1;
    turn(slider);
    if (slider.value === slider.max) stop();
  }, 250);
});
// What the knobs of a form say, as the words behind --part N. A text goes into a file of its own.
const wordsOf = form => [...form.querySelectorAll('[name]')].flatMap(field =>
  field.value === '' ? [] : ['--' + field.name, field.matches('[data-file]') ? field.name + '.txt' : field.value.trim()]);
const writeCall = form => {
  const words = ['--part', form.dataset.part, ...wordsOf(form)];
  const safe = words.map(word => word.replace(/[^\p{L}\p{N}_.,+=:/ -]/gu, '')).join(' ');  // nothing that a shell would act on
  form.querySelector('.call').textContent = `make lesson${form.dataset.lesson} ARGS="${safe}"`;
};
// A slider and the field beside it say the same.
const pair = field => {
  const box = field.parentElement, sliders = [...box.querySelectorAll('[type=range]')], text = box.querySelector('[name]');
  if (field.type === 'range') text.value = sliders.map(slider => slider.value).join(',');
  else text.value.split(',').forEach((value, k) => { if (sliders[k]) sliders[k].value = value; });
  writeCall(field.form);
};
// Before whoever reads the form: what they read is then what both say.
document.addEventListener('input', event => { if (event.target.closest('.knobs')) pair(event.target); }, true);
document.addEventListener('reset', event => setTimeout(writeCall, 0, event.target));
let folded = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details:not([open])')];
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => { for (const one of folded) one.open = false; });
)js";

}  // namespace page
