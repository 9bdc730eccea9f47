// What moves on a bench: its picture passes from state to state, and Play sweeps a slider and back.
// Stands behind common/frame/page/tools.js and before common/frame/web/bench.js.
// SPDX-License-Identifier: MIT

const motion = (() => {

const still = matchMedia('(prefers-reduced-motion: reduce)');
const passes = 120;  // milliseconds from a state to the next
const shapes = '[points],[d],circle';
const places = ['points', 'd', 'cx', 'cy', 'transform'];
const number = /-?[\d.]+(?:e-?\d+)?/g;
const numbersIn = text => (text.match(number) ?? []).map(Number);

// Returns what passes from one shape to another; nothing if they are not of a kind.
function passage(from, to) {
  const attributes = [];
  for (const name of places) {
    const before = from.getAttribute(name) ?? '', after = to.getAttribute(name) ?? '';
    const start = numbersIn(before), end = numbersIn(after);
    if (start.length !== end.length) return null;
    if (before !== after) attributes.push({ shape: to, name, after, start, end });
  }
  return attributes;
}

// Puts an attribute a share of its way from its old numbers to its new ones.
function pass({ shape, name, after, start, end }, share) {
  let k = 0;
  const between = text => {
    const a = start[k], b = end[k++];  // flags of arcs are the same, and stay what they are
    return a === b ? text : (a + share * (b - a)).toFixed(2);
  };
  shape.setAttribute(name, share < 1 ? after.replace(number, between) : after);
}

// Lets a new picture begin as the old one stands, if both have as many shapes of as many numbers.
function tween(before, after) {
  if (still.matches || !before || !after) return;
  const old = all(shapes, before), next = all(shapes, after);
  if (old.length !== next.length) return;
  const ways = next.map((shape, k) => passage(old[k], shape));
  if (ways.includes(null)) return;
  const moving = ways.flat();
  if (moving.length === 0) return;
  const started = performance.now();
  function frame(now) {
    if (!after.isConnected) return;  // a newer one begins where this one stood
    const share = Math.min(1, Math.max(0, (now - started) / passes));
    for (const one of moving) pass(one, share);
    if (share < 1) requestAnimationFrame(frame);
  }
  for (const one of moving) pass(one, 0);
  requestAnimationFrame(frame);
}

// Returns the places of a slider on its way to the upper end, to the lower one, and back to where
// it stands; some forty to a sweep.
function sweepOf(slider) {
  const [low, high, step, here] =
    [slider.min, slider.max, slider.step, slider.value].map(Number);
  const stride = Math.max(step, step * Math.round((high - low) / step / 20));
  const way = [];
  for (let at = here + stride; high > at; at += stride) way.push(at);
  for (let at = high; at > low; at -= stride) way.push(at);
  for (let at = low; here > at; at += stride) way.push(at);
  return [...way, here];
}

// Returns a button that sweeps the slider last touched, if one is in sight. A step waits until the
// picture has followed the one before; the reader's own touch ends it.
function player(form, isIdle) {
  let slider = all('[type=range]', form).find(one => !one.closest('.others'));
  if (!slider) return null;
  let way = null, timer = 0, here = '';
  const play = newTag('button', { type: 'button', textContent: 'Play', className: 'play' });
  function end() {
    clearInterval(timer);
    way = null;
    play.textContent = 'Play';
    play.setAttribute('aria-pressed', 'false');
  }
  function step() {
    if (play.hidden) return end();  // a run takes too long to be played
    if (!isIdle()) return;
    const next = way.shift();
    put(slider, way.length === 0 ? here : next);
    if (way.length === 0) end();
  }
  play.setAttribute('aria-pressed', 'false');
  play.onclick = () => {
    if (way) return end();
    here = slider.value;
    way = sweepOf(slider);
    play.textContent = 'Pause';
    play.setAttribute('aria-pressed', 'true');
    timer = setInterval(step, passes);
  };
  form.addEventListener('input', event => {
    if (!event.isTrusted) return;
    if (way) end();
    if (event.target.type === 'range') slider = event.target;
  });
  return play;
}

// Returns a row of pictures that are shown as they come. A reader may hold it, and go on: since the
// program cannot wait inside its worker, it computes on, and what it sends queues here.
function queue() {
  const row = [];
  let held = false, timer = 0;
  function next() {
    timer = 0;
    if (held || row.length === 0) return;
    row.shift()();
    if (row.length > 0) timer = setTimeout(next, passes / 2);
  }
  function go() {
    if (!timer) next();
  }
  return {
    add(show) {
      row.push(show);
      go();
    },
    hold(holds) {
      held = holds;
      go();
    },
    clear() {
      row.length = 0;
      held = false;
    },
  };
}

return { tween, player, queue };
})();
