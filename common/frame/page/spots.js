// What pictures hold, as places with what is said of them: { x, y, says }. Pictures say it in
// data-*, as common/frame/plot writes it.
// SPDX-License-Identifier: MIT

const spots = (() => {

const listOf = words => words.split(' ').map(Number);
const short = number => String(Number(number.toPrecision(3)));

// Maps between the places of a chart and its values, if it has axes.
const axesOf = svg => {
  const axis = svg.querySelector('[data-frame]');
  if (!axis) return null;
  const { frame, x, y, log = '', titles, names } = axis.dataset,
    [least, most] = listOf(x);
  const [left, top, width, height] = listOf(frame);
  const map = (name, [low, high]) => share => {
    const at = low + share * (high - low);
    return log.includes(name) ? 10 ** at : at;
  };
  const mapX = map('x', listOf(x)),
    mapY = map('y', listOf(y));
  return {
    left, top, right: left + width, bottom: top + height,
    title: titles.split('|')[0].split(',')[0] || 'x', names: names?.split('|'),
    // A place, to the digits that a hundredth of a pixel leaves.
    words: value => log.includes('x') ? short(value)
      : value.toFixed(Math.max(0, -Math.ceil(Math.log10((most - least) / width / 50))))
        .replace(/\.0+$|(\.\d*?)0+$/, '$1').replace(/^-0$/, '0'),
    x: at => mapX((at - left) / width),
    y: at => mapY(1 - (at - top) / height),
  };
};

// A spot is a place with what is said of it: { x, y, says }.
const spotOn = (axes, name, x, y) => ({ x, y, says: () => {
  const value = axes.x(x),
    place = axes.names?.[Math.round(value) - 1] ?? axes.words(value);
  return `${name ? name + ': ' : ''}${short(axes.y(y))} at ${axes.title} ${place}`;
} });
const translation = one => listOf(one.getAttribute('transform').match(/translate\(([^)]*)\)/)[1]);

// The lines of a chart, read at their points, and long straight pieces without marks anywhere.
const linesOf = (svg, axes) => all('polyline', svg).map(line => {
  const series = line.parentElement,
    points = line.getAttribute('points').split(' ').map(pair => pair.split(',').map(Number));
  const spots = points.map(([x, y]) => spotOn(axes, series.dataset.name, x, y));
  const marked = series.querySelector('.plot-dot') && spots.length > 2;
  return { spots, at: x => readLine(axes, series.dataset.name, spots, x, marked) };
});
// The spots of a line above x, which may be several.
const readLine = (axes, name, spots, x, marked) => spots.slice(1).flatMap((b, k) => {
  const a = spots[k];
  if (x > Math.max(a.x, b.x) || Math.min(a.x, b.x) > x || a.x === b.x) return [];
  const nearest = b.x - x > x - a.x ? a : b;
  if (marked || 30 > Math.abs(b.x - a.x)) return [nearest];
  return [spotOn(axes, name, x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))];
});
const levelsOf = (svg, axes) => all('.plot-level[data-name]', svg).map(line => {
  const y = Number(line.getAttribute('d').split(' ').pop()),
    says = () => `${line.dataset.name}: ${line.dataset.value}`;
  return { spots: [{ x: axes.right, y, says }], at: x => [{ x, y, says }] };
});
// The marks of series without a line.
const marksOf = (svg, axes) => all('[data-name]', svg)
  .filter(series => !series.querySelector('polyline'))
  .map(series => ({ spots: all('.plot-dot', series)
    .map(mark => spotOn(axes, series.dataset.name, ...translation(mark)))
    .sort((a, b) => a.x - b.x) }))
  .filter(({ spots }) => spots.length);

// The words for cell (row, col) of an image.
const wordsOfCell = (data, rows, cols, row, col) => {
  const along = (range, share) => {
    const [low, high] = listOf(range);
    return short(low + share * (high - low));
  };
  if (!data.x) {
    const name = (labels, k) => labels?.split('|')[k] || String(k + 1);
    return `row ${name(data.rows, row)}, column ${name(data.cols, col)}`;
  }
  const [x, y] = data.titles.split('|');
  return `${x} ${along(data.x, col / (cols - 1))}, ${y} ${along(data.y, 1 - row / (rows - 1))}`;
};
const cellsOf = svg => all('[data-cells]', svg).flatMap(image => {
  const [rows, cols, width, height] = listOf(image.dataset.cells),
    values = image.dataset.values.split(' '),
    [left, top] = translation(image),
    name = image.dataset.name ? image.dataset.name + ', ' : '';
  const cell = (row, col) => ({
    x: left + (col + 0.5) * width, y: top + (row + 0.5) * height, width, height,
    says: () => `${name}${wordsOfCell(image.dataset, rows, cols, row, col)}: ` +
      values[row * cols + col],
  });
  return Array.from({ length: rows }, (_, row) =>
    ({ spots: Array.from({ length: cols }, (_, col) => cell(row, col)) }));
});

const boxesOf = svg => {
  const spots = all('.plot-box[data-name]', svg).map(box => {
    const [x, y, width, height] = ['x', 'y', 'width', 'height']
      .map(name => Number(box.getAttribute(name)));
    const { name, value, knobs } = box.dataset;
    return { x: x + width / 2, y: y + height / 2, width, height, knobs,
      says: () => value ? `${name}: ${value}` : name };
  });
  return spots.length ? [{ spots }] : [];
};
// What can be read, in groups between which the arrows up and down lead.
const groupsOf = svg => {
  const axes = axesOf(svg);
  const charted = axes ? [...linesOf(svg, axes), ...levelsOf(svg, axes), ...marksOf(svg, axes)] : [];
  return [...charted, ...cellsOf(svg), ...boxesOf(svg)];
};

const within = ({ x, y, width, height }, at) =>
  width / 2 >= Math.abs(at.x - x) && height / 2 >= Math.abs(at.y - y);
// The spot that a place means, if any.
const spotAt = (svg, at) => {
  const axes = axesOf(svg),
    inFrame = !axes || (at.x >= axes.left - 6 && axes.right + 6 >= at.x &&
      at.y >= axes.top - 6 && axes.bottom + 6 >= at.y);
  if (!inFrame) return null;
  const distances = groupsOf(svg).flatMap(group => {
    if (group.at)
      return group.at(at.x).map(spot =>
        ({ spot, far: Math.abs(spot.y - at.y) + Math.abs(spot.x - at.x) / 4 }));
    return group.spots.map(spot => ({ spot, far: Math.hypot(spot.x - at.x, spot.y - at.y) }));
  }).filter(({ spot, far }) => (spot.width ? within(spot, at) : axes || 20 > far));
  return distances.sort((a, b) => a.far - b.far)[0]?.spot ?? null;
};

return { axesOf, groupsOf, at: spotAt };
})();
