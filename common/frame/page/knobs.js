// Knobs write the command that does the same at home. Stands behind common/frame/page/numbers.js.
// SPDX-License-Identifier: MIT

const fieldOf = (form, name) => form.querySelector(`[name="${CSS.escape(name)}"]`);
const put = (field, value) => {
  field.value = value;
  fire(field, 'input');
};
// Sets the knobs that a query such as w=1,-1,0&z=2 names.
const setKnobs = (form, query) => {
  for (const [name, value] of new URLSearchParams(query ?? '')) {
    const field = fieldOf(form, name);
    if (field) put(field, value);
  }
};

// What the knobs of a form say, as the words behind --part N. A text goes into a file of its own.
const slidersOf = field => all('[type=range]', field.closest('.knob'));
// The numbers of a field, of which one may have a decimal comma.
const entriesOf = field =>
  (slidersOf(field).length > 1 ? field.value.split(',') : [field.value]);
const inDigits = word => {
  const number = numberOf(word);
  return Number.isNaN(number) || /^-?[\d.]+$/.test(word.trim()) ? word.trim() : String(number);
};
const wordOf = field => {
  if (field.matches('[data-file]')) return field.name + '.txt';
  return slidersOf(field).length ? entriesOf(field).map(inDigits).join(',') : field.value.trim();
};
const wordsOf = form => all('[name]', form).flatMap(field =>
  (field.value === '' ? [] : ['--' + field.name, wordOf(field)]));
const writeCall = form => {
  const words = ['--part', form.dataset.part, ...wordsOf(form)];
  // Nothing that a shell or make would act on.
  const safe = words.map(word => {
    const kept = word.replace(/[^\p{L}\p{N}_.,+=:/ ()^*|²³·√-]/gu, '');
    return /[ ()^*|]/.test(kept) ? `'${kept}'` : kept;
  }).join(' ');
  form.querySelector('.call').textContent = `make lesson${form.dataset.lesson} ARGS="${safe}"`;
};

// Sliders and the field beside them say the same.
const pair = field => {
  const sliders = slidersOf(field),
    text = field.closest('.knob').querySelector('[name]');
  if (field.type === 'range') text.value = sliders.map(slider => slider.value).join(',');
  else
    entriesOf(text).forEach((word, k) => {
      const value = numberOf(word);
      if (sliders[k] && !Number.isNaN(value)) sliders[k].value = value;
    });
  writeCall(field.form);
};
// Before whoever reads the form.
document.addEventListener('input', event => {
  if (event.target.closest('.knobs')) pair(event.target);
}, true);
document.addEventListener('reset', event => setTimeout(writeCall, 0, event.target));
