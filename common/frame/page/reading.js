// How a page is read: the contents say where you are and what is done, what is wide scrolls,
// numbers fetch their code, links unfold what they lead to, and paper shows everything. Stands
// behind common/frame/page/tools.js.
// SPDX-License-Identifier: MIT

document.documentElement.classList.add('js');
const nav = document.querySelector('nav details'),
  narrow = matchMedia('(max-width:820px)');
const bar = () => {
  if (nav) nav.open = !narrow.matches;
};
narrow.addEventListener('change', bar);
bar();

// What the reader did, by the lesson: lists of words, whatever else may stand there.
const lesson = location.pathname.match(/lesson(\d)/)?.[1] ?? '';
const listsIn = course => Object.fromEntries(Object.entries(course ?? {})
  .filter(([, list]) => Array.isArray(list))
  .map(([name, list]) => [name, list.filter(one => typeof one === 'string')]));
const kept = () => listsIn(stored('course'));
const keep = what => {
  const course = kept();
  course[lesson] = [...new Set([...course[lesson] ?? [], what])];
  store('course', course);
  mark();
};
// The anchor of the heading above.
const sectionOf = one => {
  for (let at = one; at; at = at.previousElementSibling ?? at.parentElement)
    if (at.tagName === 'H2') return at.id;
};

// A section is done when all that it asks for is: predictions, lines to derive, exercises.
const mark = () => {
  const done = new Set(kept()[lesson] ?? []),
    asked = new Map();
  const ask = (one, is) => asked.set(sectionOf(one), (asked.get(sectionOf(one)) ?? true) && is);
  all('main .predict:not([hidden])').forEach((form, k) => ask(form, done.has(`predict ${k}`)));
  for (const form of all('.derive'))
    for (const field of all('[name]', form))
      ask(form, done.has(`${form.dataset.number} ${field.name}`));
  for (const cell of all('main table tr td:last-child'))
    if (/^\d\.\d/.test(cell.parentElement.cells[0].textContent))
      ask(cell.closest('div'), /done/.test(cell.textContent));
  for (const item of all('nav li'))
    item.classList.toggle('done',
      asked.get(decodeURIComponent(item.firstElementChild?.hash?.slice(1) ?? '')) === true);
};
mark();
// A lesson that was begun is continued at the section that was read last.
const greet = () => {
  const places = Object(stored('places'));
  for (const card of all('.cards article')) {
    const link = card.querySelector('.begin'),
      at = places[card.dataset.lesson];
    if (!link || !(at || kept()[card.dataset.lesson]?.length)) continue;
    link.textContent = 'Continue';
    if (typeof at === 'string') link.hash = at;
  }
};
greet();

// What scrolls sideways shows it, and can be reached by key.
const scrolling = new ResizeObserver(entries => {
  for (const { target: box } of entries) {
    const scrolls = box.scrollWidth > box.clientWidth + 1;
    box.classList.toggle('scrolls', scrolls);
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
});
const watchScrolling = (within = document) => {
  for (const box of all('pre, .math > span, .table, .wide, figure', within)) scrolling.observe(box);
};
watchScrolling();
new MutationObserver(changes => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node.nodeType === 1) watchScrolling(node);
}).observe(document.querySelector('main'), { childList: true, subtree: true });

const headings = all('main h2[id]');
let was = null;
const here = () => {
  const now = headings.filter(one => one.getBoundingClientRect().top < innerHeight / 3).pop();
  if (now && now !== was && lesson) store('places', { ...stored('places'), [lesson]: now.id });
  was = now;
  for (const link of all('nav li a'))
    if (now && decodeURIComponent(link.hash.slice(1)) === now.id)
      link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
  if (nav && narrow.matches)
    nav.querySelector('summary').textContent = now?.textContent ?? `Lesson ${lesson}`;
};
addEventListener('scroll', here, { passive: true });
here();

// Opens the folds around an element.
const openFolds = element => {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details'))
    fold.open = true;
};
const unfold = () => {
  let name = location.hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch {
    return;  // a link that nobody made here
  }
  // A link that turns knobs: here their command says it.
  const [, part, query] = name.match(/^\d\.(\d+)\?(.*)/) ?? [];
  const wanted = document.getElementById(part ? `bench${part}` : name);
  if (!wanted || (part && document.body.classList.contains('live'))) return;
  setKnobs(wanted, query);
  const inside = query ? wanted.querySelector('.home') : wanted;
  if (!inside?.closest('details')) return;
  openFolds(inside);
  wanted.scrollIntoView();
};
addEventListener('hashchange', unfold);
document.addEventListener('click', event => {
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  if (nav && link.closest('nav') && narrow.matches) nav.open = false;
  const code = link.closest('.number') && document.getElementById(link.hash.slice(1));
  if (code) {  // it comes to the formula, and goes back to the end of the page
    event.preventDefault();
    code.open = !code.open || code.parentElement.id === 'listings';
    if (code.open) link.closest('.formulas').after(code);
    else document.getElementById('listings').append(code);
  } else if (link.hash === location.hash) unfold();
});
addEventListener('DOMContentLoaded', unfold);

document.addEventListener('click', event => {
  const copy = event.target.closest('.copy');
  if (copy)
    navigator.clipboard?.writeText(copy.previousElementSibling.textContent).then(() => {
      copy.textContent = 'Copied';
    }, () => {});
});

// Who is shown the lines of a derivation may read on.
for (const told of all('.derive .told'))
  told.addEventListener('toggle', () => {
    const fold = told.closest('form').nextElementSibling;
    if (told.open && fold?.matches('.found')) fold.open = true;
  });

// A formula is copied as the text writes it, which a field of the page takes.
document.addEventListener('copy', event => {
  const selection = getSelection();
  if (selection.isCollapsed || event.target.closest?.('input, textarea')) return;
  const range = selection.getRangeAt(0),
    within = node => (node.nodeType === 1 ? node : node.parentElement).closest('math');
  const first = within(range.startContainer), last = within(range.endContainer);
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  const copied = range.cloneContents(), formulas = all('math', copied);
  if (!formulas.length) return;
  for (const math of formulas) math.replaceWith(math.getAttribute('alttext') ?? math.textContent);
  event.clipboardData.setData('text/plain', copied.textContent.trim());
  event.preventDefault();
});

let folded = [];
addEventListener('beforeprint', () => {
  for (const code of all('.code')) document.getElementById('listings').append(code);
  folded = all('details:not([open])');
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of folded) one.open = false;
});
