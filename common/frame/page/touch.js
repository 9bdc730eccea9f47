// Pictures that can be touched: under a pointer, a finger or arrow keys they say what they hold, and
// what a knob owns can be taken by hand. They say it in data-*, as common/plot writes it. Stands
// behind common/frame/page/page.js.
// SPDX-License-Identifier: MIT

{
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
// Marks without a line: of a series that has none, or alone with a name.
const marksOf = (svg, axes) => {
  const groups = new Map();
  for (const mark of all('.plot-dot[transform]', svg)) {
    const series = mark.closest('[data-name]');
    if (!series || series.querySelector('polyline')) continue;
    const [x, y] = translation(mark),
      spot = spotOn(axes, series.dataset.name, x, y);
    if (series === mark)
      spot.says = () => `${series.dataset.name}: ${short(axes.x(x))}, ${short(axes.y(y))}`;
    const key = series === mark ? svg : series;
    groups.set(key, [...groups.get(key) ?? [], spot]);
  }
  return [...groups.values()].map(spots => ({ spots: spots.sort((a, b) => a.x - b.x) }));
};

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

const make = (name, attributes, text = '') => {
  const one = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.textContent = text;
  return one;
};
const hide = () => all('.reading').forEach(one => one.remove());
// Lines of at most `most` letters.
const folded = (words, most) => words.split(' ').reduce((lines, word) => {
  const last = lines[lines.length - 1];
  if (last !== undefined && most >= last.length + word.length)
    lines[lines.length - 1] = `${last} ${word}`;
  else lines.push(word);
  return lines;
}, []);

// Shows a spot: a crosshair through it or a frame around it, and its words beside. None of it is a
// path, which moving pictures compare.
const show = (svg, spot) => {
  hide();
  const { width, height } = svg.viewBox.baseVal,
    axes = axesOf(svg),
    own = make('g', { class: 'reading' });
  svg.append(own);
  if (spot.width)
    own.append(make('rect', { class: 'around', x: spot.x - spot.width / 2,
      y: spot.y - spot.height / 2, width: spot.width, height: spot.height }));
  else own.append(make('circle', { cx: spot.x, cy: spot.y, r: 5 }));
  if (axes && !spot.width)
    own.append(
      make('line', { x1: spot.x, x2: spot.x, y1: axes.top, y2: axes.bottom }),
      make('line', { x1: axes.left, x2: axes.right, y1: spot.y, y2: spot.y }));
  const words = make('text', { 'text-anchor': 'middle' }),
    lines = folded(spot.says(), 44);
  lines.forEach((line, k) => words.append(make('tspan', { x: 0, dy: k ? 22 : 0 }, line)));
  own.append(words);
  const half = words.getBBox().width / 2 + 8,
    tall = 22 * lines.length + 6,
    off = (spot.height ?? 12) / 2 + 8;
  const x = Math.max(half + 2, Math.min(width - half - 2, spot.x)),
    above = spot.y - off - tall,
    top = above > 2 ? above : Math.min(spot.y + off, height - tall - 2);
  const card = make('rect', { class: 'card', x: x - half, y: top, width: 2 * half, height: tall,
    rx: 4 });
  words.before(card);
  words.setAttribute('transform', `translate(${x} ${top + 19})`);
};

// Where an event is, in the units of a picture.
const placeIn = (svg, event) => new DOMPoint(event.clientX, event.clientY)
  .matrixTransform(svg.getScreenCTM().inverse());
const pictureOf = event => {
  const svg = event.target.closest?.('figure svg.plot');
  return svg?.closest('.asked') ? null : svg ?? null;
};

// ------------------------------------------------------------------------------- reading by hand

const read = event => {
  const svg = holding ? null : pictureOf(event),
    spot = svg && spotAt(svg, placeIn(svg, event));
  if (spot) show(svg, spot);
  else hide();
};
let holding = null;
document.addEventListener('pointermove', read);
document.addEventListener('pointerdown', read);
// A finger that is lifted leaves, too, but wants to read on.
document.documentElement.addEventListener('pointerleave', event => {
  if (event.pointerType === 'mouse') hide();
});

// ------------------------------------------------------------------------------- reading by key

const voice = Object.assign(document.createElement('output'), { className: 'said' });
document.body.append(voice);
const cursors = new WeakMap();
const nearestIn = (group, x) => group.spots.reduce((best, spot, k) =>
  Math.abs(group.spots[best].x - x) > Math.abs(spot.x - x) ? k : best, 0);
const moves = {
  // A long line is crossed in some fifty steps.
  ArrowLeft: ({ group, k }, groups) =>
    ({ group, k: k - Math.ceil(groups[group].spots.length / 50) }),
  ArrowRight: ({ group, k }, groups) =>
    ({ group, k: k + Math.ceil(groups[group].spots.length / 50) }),
  ArrowUp: ({ group, x }, groups) => turnTo(groups, group - 1, x),
  ArrowDown: ({ group, x }, groups) => turnTo(groups, group + 1, x),
  Home: ({ group }) => ({ group, k: 0 }),
  End: ({ group }, groups) => ({ group, k: groups[group].spots.length - 1 }),
};
const turnTo = (groups, wanted, x) => {
  const group = Math.max(0, Math.min(groups.length - 1, wanted));
  return { group, k: nearestIn(groups[group], x) };
};
document.addEventListener('keydown', event => {
  const svg = event.target.closest?.('figure svg.plot');
  if (!svg || svg.closest('.asked')) return;
  if (event.key === 'Escape') return hide();
  const groups = groupsOf(svg);
  let at = cursors.get(svg);
  if (event.key === 'Enter' && at) return void pick(svg, groups[at.group]?.spots[at.k]);
  if (!moves[event.key] || !groups.length) return;
  event.preventDefault();
  at = at && groups[at.group] ? moves[event.key](at, groups) : { group: 0, k: 0 };
  const { spots } = groups[at.group];
  at.k = Math.max(0, Math.min(spots.length - 1, at.k));
  cursors.set(svg, { ...at, x: spots[at.k].x });
  show(svg, spots[at.k]);
  voice.textContent = spots[at.k].says();
});
const prepare = () => all('figure svg.plot:not([tabindex])').forEach(svg => {
  svg.setAttribute('tabindex', groupsOf(svg).length ? 0 : -1);
});
document.addEventListener('focusout', event => {
  if (event.target.closest?.('svg.plot')) hide();
});
new MutationObserver(prepare).observe(document.querySelector('main'),
  { childList: true, subtree: true });
prepare();

// ------------------------------------------------------------------------------- taking hold

const formNear = one => document.body.classList.contains('live')
  ? one.closest('.bench')?.querySelector('.knobs') : null;
const tell = (field, kind) => field.dispatchEvent(new Event(kind, { bubbles: true }));
const fieldOf = (form, name) => form.querySelector(`[name="${CSS.escape(name)}"]`);

// Sets the knobs that a query names.
const load = (form, query) => {
  for (const [name, value] of new URLSearchParams(query)) {
    const field = fieldOf(form, name);
    if (!field) continue;
    field.value = value;
    tell(field, 'input');
  }
  tell(form, 'change');
};

// Selects the sliders of a box.
const pick = (svg, spot) => {
  const form = spot?.knobs && formNear(svg);
  if (!form) return;
  all('.picked').forEach(row => row.classList.remove('picked'));
  const rows = spot.knobs.split(' ').map(name => fieldOf(form, name)?.closest('.knob'))
    .filter(row => row);
  rows.forEach(row => row.classList.add('picked'));
  const first = rows[0]?.querySelector('input,select');
  first?.focus({ preventScroll: true });
  rows[0]?.scrollIntoView({ block: 'nearest' });
};
document.addEventListener('click', event => {
  const svg = pictureOf(event);
  if (svg) pick(svg, spotAt(svg, placeIn(svg, event)));
});

const turnedBy = angle => angle - 360 * Math.round(angle / 360);
// What a knob is to stand at where the hand is, by a move such as "z x 1 0".
const follow = (form, axes, at, move) => {
  const [knob, kind, factor, summand] = move.trim().split(' '),
    [name, entry] = knob.split(':'),
    x = axes.x(at.x),
    y = axes.y(at.y);
  const along = { x, y, angle: Math.atan2(x, y) * 180 / Math.PI, one: 1 }[kind];
  const value = factor * along + Number(summand),
    slider = all('[type=range]', fieldOf(form, name)?.closest('.knob') ?? form)[entry ?? 0];
  if (!slider) return;
  const before = slider.value;
  slider.value = kind === 'angle' ? turnedBy(value) : value;  // it keeps to its steps and ends
  if (slider.value !== before) tell(slider, 'input');
};
const drag = event => {
  const { form, moves: taken } = holding,
    svg = form.closest('.bench').querySelector('.shown svg'),  // a new one behind each run
    axes = svg && axesOf(svg);
  if (axes)
    for (const move of taken.split(';')) follow(form, axes, placeIn(svg, event), move);
};
document.addEventListener('pointerdown', event => {
  const grip = event.target.closest?.('.plot-held'),
    form = grip && formNear(grip);
  if (!form || event.button > 0) return;
  event.preventDefault();
  hide();
  holding = { form, moves: grip.dataset.moves, sets: grip.dataset.sets };
  document.body.classList.add('holds');
});
document.addEventListener('pointermove', event => {
  if (holding?.moves) drag(event);
});
const release = event => {
  if (!holding) return;
  const { form, moves: moved, sets } = holding;
  holding = null;
  document.body.classList.remove('holds');
  if (sets && event.type === 'pointerup') load(form, sets);
  else if (moved) tell(form, 'change');
};
document.addEventListener('pointerup', release);
document.addEventListener('pointercancel', release);
}
