// Pictures that can be touched: under a pointer, a finger or arrow keys they say what they hold,
// and what a knob owns can be taken by hand. Stands behind common/frame/page/spots.js and knobs.js.
// SPDX-License-Identifier: MIT

{
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
    axes = spots.axesOf(svg),
    own = newShape('g', { class: 'reading' });
  svg.append(own);
  if (spot.width)
    own.append(newShape('rect', { class: 'around', x: spot.x - spot.width / 2,
      y: spot.y - spot.height / 2, width: spot.width, height: spot.height }));
  else own.append(newShape('circle', { cx: spot.x, cy: spot.y, r: 5 }));
  if (axes && !spot.width)
    own.append(
      newShape('line', { x1: spot.x, x2: spot.x, y1: axes.top, y2: axes.bottom }),
      newShape('line', { x1: axes.left, x2: axes.right, y1: spot.y, y2: spot.y }));
  const words = newShape('text', { 'text-anchor': 'middle' }),
    lines = folded(spot.says(), 44);
  lines.forEach((line, k) => words.append(newShape('tspan', { x: 0, dy: k ? 22 : 0 }, line)));
  own.append(words);
  const half = words.getBBox().width / 2 + 8,
    tall = 22 * lines.length + 6,
    off = (spot.height ?? 12) / 2 + 8;
  const x = Math.max(half + 2, Math.min(width - half - 2, spot.x)),
    above = spot.y - off - tall,
    top = above > 2 ? above : Math.min(spot.y + off, height - tall - 2);
  const card = newShape('rect', { class: 'card', x: x - half, y: top, width: 2 * half, height: tall,
    rx: 4 });
  words.before(card);
  words.setAttribute('transform', `translate(${x} ${top + 19})`);
};

const pictureOf = event => {
  const svg = event.target.closest?.('figure svg.plot');
  return svg?.closest('.asked') ? null : svg ?? null;
};

// ------------------------------------------------------------------------------- reading by hand

const read = event => {
  const svg = holding ? null : pictureOf(event),
    spot = svg && spots.at(svg, placeIn(svg, event));
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

const voice = newTag('output', { className: 'said' });
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
  const groups = spots.groupsOf(svg);
  let at = cursors.get(svg);
  if (event.key === 'Enter' && at) return void pick(svg, groups[at.group]?.spots[at.k]);
  if (!moves[event.key] || !groups.length) return;
  event.preventDefault();
  at = at && groups[at.group] ? moves[event.key](at, groups) : { group: 0, k: 0 };
  const own = groups[at.group].spots;
  at.k = Math.max(0, Math.min(own.length - 1, at.k));
  cursors.set(svg, { ...at, x: own[at.k].x });
  show(svg, own[at.k]);
  voice.textContent = own[at.k].says();
});
const prepare = () => all('figure svg.plot:not([tabindex])').forEach(svg => {
  svg.setAttribute('tabindex', spots.groupsOf(svg).length ? 0 : -1);
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
  if (svg) pick(svg, spots.at(svg, placeIn(svg, event)));
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
  if (slider.value !== before) fire(slider, 'input');
};
const drag = event => {
  const { form, moves: taken } = holding,
    svg = form.closest('.bench').querySelector('.shown svg'),  // a new one behind each run
    axes = svg && spots.axesOf(svg);
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
  if (sets && event.type === 'pointerup') setKnobs(form, sets);
  if (moved || sets) fire(form, 'change');
};
document.addEventListener('pointerup', release);
document.addEventListener('pointercancel', release);
}
