// What a page does beside being read: links into folded code unfold it, a prediction is compared with what the program
// found, films turn, and paper shows everything.
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
  const off = Number((guess - truth).toPrecision(3));
  form.querySelector('output').textContent = `It is ${form.dataset.answer}` +
    (Number.isNaN(guess) ? '.' : off === 0 ? ': exactly yours.' : `; yours is off by ${off}.`);
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
let folded = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details:not([open])')];
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => { for (const one of folded) one.open = false; });
)js";

}  // namespace page
