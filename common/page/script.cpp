// What a page does beside being read: links into folded code unfold it, a prediction is compared with what the program
// found, films turn, knobs write their command, and paper shows everything.
// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"

namespace page {

const std::string_view script = R"js(
'use strict';
const unfold = () => {
  const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
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
document.addEventListener('submit', event => {
  const form = event.target.closest('.predict');
  if (!form) return;
  event.preventDefault();
  const truth = parseFloat(form.dataset.answer);
  const guess = parseFloat(form.querySelector('input').value.replace(',', '.'));
  const off = Number((guess - truth).toPrecision(3)), factor = guess / truth;
  const short = number => Number(number.toPrecision(2));
  const beside = factor >= 2 && Number.isFinite(factor) ? `${short(factor)} times that`
    : factor > 0 && 0.5 >= factor ? `1/${short(1 / factor)} of that` : `off by ${off}`;
  form.querySelector('output').textContent = `It is ${form.dataset.answer}` +
    (Number.isNaN(guess) ? '.' : off === 0 ? ': exactly yours.' : `; yours is ${beside}.`);
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
  form.querySelector('.call').textContent = `make lesson${form.dataset.lesson} ARGS="${words.join(' ')}"`;
};
// A slider and the field beside it say the same.
const pair = field => {
  const box = field.parentElement, sliders = [...box.querySelectorAll('[type=range]')], text = box.querySelector('[name]');
  if (field.type === 'range') text.value = sliders.map(slider => slider.value).join(',');
  else text.value.split(',').forEach((value, k) => { if (sliders[k]) sliders[k].value = value; });
  writeCall(field.form);
};
document.addEventListener('input', event => { if (event.target.closest('.knobs')) pair(event.target); });
document.addEventListener('reset', event => setTimeout(writeCall, 0, event.target));
let folded = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details:not([open])')];
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => { for (const one of folded) one.open = false; });
)js";

}  // namespace page
