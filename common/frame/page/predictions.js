// What a reader predicts meets the answer: a number in a field, or a curve drawn into a chart.
// Stands behind common/frame/page/numbers.js.
// SPDX-License-Identifier: MIT

// What was predicted stays for the next visit, by lesson and question.
const questionOf = form => `${lesson} ${form.querySelector('label').textContent.trim()}`;
const answer = (form, guess) => {
  const truth = parseFloat(form.dataset.answer);
  const off = Number((guess - truth).toPrecision(3)),
    factor = guess / truth;
  const roundings = 1e-8 * Math.abs(truth),
    counts =
      guess >= form.dataset.low - roundings && Number(form.dataset.high) + roundings >= guess;
  const short = number => Number(number.toPrecision(2));
  const beside = factor >= 2 && Number.isFinite(factor) ? `${short(factor)} times that`
    : factor > 0 && 0.5 >= factor ? `1/${short(1 / factor)} of that`
    : `off by ${off}`;
  form.querySelector('output').textContent = `It is ${form.dataset.answer}` +
    (Number.isNaN(guess) ? '.' : counts ? '; yours counts.' : `; yours is ${beside}.`);
  form.nextElementSibling.open = true;
};
document.addEventListener('submit', event => {
  const form = event.target.closest('.predict');
  if (!form) return;
  event.preventDefault();
  const { value } = form.querySelector('input'),
    guess = numberOf(value);
  if (Number.isNaN(guess) && event.submitter?.value !== 'pass')
    return void (form.querySelector('output').textContent = 'A number, such as 0.2, 11907, 1/6, ' +
      '25% or 2^-50 (11,907 may also mean 11.907).');
  answer(form, guess);
  keep(`predict ${all('main .predict:not([hidden])').indexOf(form)}`);
  store('predictions', { ...stored('predictions'), [questionOf(form)]: value });
});
for (const form of all('main .predict:not([hidden])')) {
  const value = Object(stored('predictions'))[questionOf(form)];
  if (typeof value !== 'string') continue;
  form.querySelector('input').value = value;
  answer(form, numberOf(value));
}

// A chart without its curves, until the reader has drawn where they run: by hand, or by the keys.
// Adds the reader's line to the key, below the chart.
const nameYours = svg => {
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute('viewBox', `0 0 ${width} ${height + 26}`);
  svg.setAttribute('height', height + 26);
  svg.querySelector('.plot-page')?.setAttribute('height', height + 26);
  svg.append(newShape('path', { class: 'drawn', d: `M16 ${height + 7}L40 ${height + 7}` }),
    newShape('text', { class: 'plot-ink', x: 48, y: height + 12 }, 'yours'));
};
const drawIn = (form, figure, svg) => {
  const { width, height } = svg.viewBox.baseVal,
    ink = { fill: 'none', stroke: 'gray' },  // where the page's style is not read
    line = newShape('path', { class: 'drawn', ...ink }),
    pen = newShape('circle', { class: 'pen', r: 6, visibility: 'hidden', ...ink }),
    says = newTag('output');
  let strokes = [], at = [width / 4, height / 2], isDown = false;
  const show = () => line.setAttribute('d', strokes.join(''));
  const begin = place => {
    strokes.push(`M${place}`);
  };
  const go = place => {
    strokes[strokes.length - 1] += `L${place}`;
    show();
  };
  const placeOf = event => {
    const { x, y } = placeIn(svg, event);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const undo = () => {
    strokes.pop();
    isDown = false;
    show();
  };
  const asked = () => figure.classList.contains('asked');
  svg.addEventListener('pointerdown', event => {
    if (!asked()) return;
    svg.setPointerCapture(event.pointerId);
    begin(placeOf(event));
  });
  svg.addEventListener('pointermove', event => {
    if (asked() && event.buttons && strokes.length) go(placeOf(event));
  });
  const movePen = ([right, down], step) => {
    at = [Math.min(width, Math.max(0, at[0] + step * right)),
      Math.min(height, Math.max(0, at[1] + step * down))];
    if (isDown) go(at.join(' '));
  };
  const press = () => {
    isDown = !isDown;
    if (isDown) begin(at.join(' '));
  };
  svg.addEventListener('keydown', event => {
    const way = arrows[event.key];
    if (!asked() || !(way || [' ', 'Backspace'].includes(event.key))) return;
    event.preventDefault();
    if (way) movePen(way, event.shiftKey ? 2 : 10);
    else if (event.key === ' ') press();
    else undo();
    pen.setAttribute('cx', at[0]);
    pen.setAttribute('cy', at[1]);
    pen.setAttribute('visibility', 'visible');
    const percent = (place, size) => `${Math.round(100 * place / size)} %`;
    says.textContent = `The pen is ${isDown ? 'down' : 'up'}, ${percent(at[0], width)} from the ` +
      `left and ${percent(height - at[1], height)} from below.`;
  });
  svg.append(line, pen);
  svg.tabIndex = 0;
  figure.classList.add('asked');
  form.prepend(newTag('p', { textContent: 'Draw into the chart, with a finger or the mouse. By key: ' +
    'arrows move the pen, the space bar sets it down and lifts it.' }));
  form.append(' ', newButton('Undo', undo), ' ', says);
  form.addEventListener('submit', event => {
    event.preventDefault();
    if (!asked()) return;
    figure.classList.remove('asked');
    pen.remove();
    if (strokes.length) nameYours(svg);
    const fold = form.nextElementSibling.nextElementSibling;
    if (fold?.matches('.found')) fold.open = true;
    form.remove();
  });
};
for (const form of all('.draw')) {
  const figure = form.nextElementSibling,
    svg = figure?.querySelector('svg');
  if (svg) drawIn(form, figure, svg);
  else form.hidden = true;
}
