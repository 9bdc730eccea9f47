// Addresses of benches: one such as #4.3?w=1,-1,0 sets the knobs of lesson 4's part 3, and what a
// reader turns can be sent as one. On the page of the course it leads to its lesson. Stands behind
// common/frame/web/bench.js.
// SPDX-License-Identifier: MIT

const benches = new Map();  // by part

let address = '';  // that was set here, and need not be followed
function setAddress(fragment) {
  address = fragment;
  if (address !== location.hash) history.replaceState(history.state, '', address);
}
const addressOf = bench => `#${bench.lesson}.${bench.part}`;
const queryOf = ({ form }) => all('[name]:not([data-file])', form).map(field =>
  `${field.name}=${encodeURIComponent(wordOf(field)).replaceAll('%2C', ',')}`).join('&');
// Puts the settings of a form into the address, as its fragment; but for the opening bench's, since
// an address leads to the part's own.
function remember(bench) {
  if (!bench.opens) setAddress(`${addressOf(bench)}?${queryOf(bench)}`);
}
function forget(bench) {
  if (location.hash.startsWith(`${addressOf(bench)}?`)) setAddress(addressOf(bench));
}

function putAll(bench, query) {
  setKnobs(bench.form, query);
  run(bench);
}
// Sets the knobs that a query names, the others to their standards, and runs them.
function setTo(bench, query) {
  bench.form.reset();
  putAll(bench, query);
}

// A link that turns a bench leaves in the history how that stood, for Back.
function leaveBehind({ target }) {
  const [, part] = target.closest('a[href^="#"]')?.hash.match(/^#\d\.(\d+)\?/) ?? [];
  const bench = benches.get(Number(part));
  if (bench) history.replaceState({ ...history.state, [part]: queryOf(bench) }, '');
}
function comeBack({ state }) {
  for (const [part, query] of Object.entries(state ?? {}))
    if (benches.has(Number(part))) putAll(benches.get(Number(part)), query);
}
function follow() {
  if (location.hash === address) return;
  address = location.hash;
  const [, lesson, number, query] = address.match(/^#(?:(\d)\.)?(\d+)(?:\?(.*))?$/) ?? [];
  const bench = benches.get(Number(number));
  if (!bench || (lesson && lesson !== bench.lesson)) return;
  openFolds(bench.box);
  bench.box.scrollIntoView({ block: 'start' });
  if (query) setTo(bench, query);
}

function lead() {
  const [, lesson] = location.hash.match(/^#([1-6])\.\d/) ?? [];
  if (lesson) location.replace(`lesson${lesson}/index.html${location.hash}`);
}
