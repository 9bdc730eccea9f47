// What a page does: numbers fetch their code, predictions meet theory, films turn, knobs write their
// command, the contents say where you are, and paper shows everything.
// SPDX-License-Identifier: MIT

'use strict';
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const nav = document.querySelector('nav details'),
  narrow = matchMedia('(max-width:820px)');
const bar = () => {
  if (nav) nav.open = !narrow.matches;
};
narrow.addEventListener('change', bar);
bar();

// What the reader did, by the lesson.
const lesson = location.pathname.match(/lesson(\d)/)?.[1] ?? '';
const kept = () => {
  try {
    return JSON.parse(localStorage.getItem('course') ?? '{}');
  } catch {
    return {};
  }
};
const keep = what => {
  const course = kept();
  course[lesson] = [...new Set([...course[lesson] ?? [], what])];
  try {
    localStorage.setItem('course', JSON.stringify(course));
  } catch { /* a browser that keeps nothing */ }
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
for (const card of all('.cards article'))
  if (kept()[card.dataset.lesson]?.length) {
    const link = card.querySelector('.begin');
    if (link) link.textContent = 'Continue';
  }

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

const headings = all('main h2[id]');
const here = () => {
  const now = headings.filter(one => one.getBoundingClientRect().top < innerHeight / 3).pop();
  for (const link of all('nav li a'))
    link.toggleAttribute('aria-current',
      now !== undefined && decodeURIComponent(link.hash.slice(1)) === now.id);
  if (nav && narrow.matches)
    nav.querySelector('summary').textContent = now?.textContent ?? `Lesson ${lesson}`;
};
addEventListener('scroll', here, { passive: true });
here();

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
  for (const [knob, value] of new URLSearchParams(query ?? '')) {
    const field = wanted.querySelector(`[name="${CSS.escape(knob)}"]`);
    if (field) field.value = value;
    if (field) pair(field);
  }
  let fold = query ? wanted.querySelector('.home') : wanted.closest('details');
  if (!fold) return;
  for (; fold; fold = fold.parentElement.closest('details')) fold.open = true;
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
addEventListener('DOMContentLoaded', () => {
  if (!document.body.classList.contains('live'))
    for (const home of all('.bench .home')) home.open = true;
  unfold();
});

// Reads 1/6, 25 %, 2^-50, 0,5, 10 000 and 10,000.
const numberOf = text => {
  const word = text.replace(/\s/g, '').replace(/^(\d+),(\d{3})$/, '$1$2').replace(',', '.');
  if (word.endsWith('%')) return numberOf(word.slice(0, -1)) / 100;
  const sign = ['/', '^'].find(one => word.includes(one)),
    at = word.indexOf(sign);
  if (!sign) return word === '' ? NaN : Number(word);
  const a = numberOf(word.slice(0, at)),
    b = numberOf(word.slice(at + 1));
  return sign === '/' ? a / b : a ** b;
};

document.addEventListener('submit', event => {
  const form = event.target.closest('.predict');
  if (!form) return;
  event.preventDefault();
  const truth = parseFloat(form.dataset.answer);
  const guess = numberOf(form.querySelector('input').value),
    told = form.querySelector('output');
  if (Number.isNaN(guess) && (!event.submitter || event.submitter.value !== 'pass'))
    return void (told.textContent = 'A number, such as 0.2, 1/6, 25% or 2^-50.');
  const off = Number((guess - truth).toPrecision(3)),
    factor = guess / truth;
  const roundings = 1e-8 * Math.abs(truth),
    counts =
      guess >= form.dataset.low - roundings && Number(form.dataset.high) + roundings >= guess;
  const short = number => Number(number.toPrecision(2));
  const beside = factor >= 2 && Number.isFinite(factor) ? `${short(factor)} times that`
    : factor > 0 && 0.5 >= factor ? `1/${short(1 / factor)} of that`
    : `off by ${off}`;
  told.textContent = `It is ${form.dataset.answer}` +
    (Number.isNaN(guess) ? '.' : counts ? '; yours counts.' : `; yours is ${beside}.`);
  form.nextElementSibling.open = true;
  keep(`predict ${all('main .predict:not([hidden])').indexOf(form)}`);
});

// A chart without its curves, until the reader has drawn where they run.
for (const form of all('.draw')) {
  const figure = form.nextElementSibling,
    svg = figure?.querySelector('svg');
  if (!svg) continue;
  figure.classList.add('asked');
  let stroke = '';
  const place = event => {
    const at = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(svg.getScreenCTM().inverse());
    return `${at.x.toFixed(1)} ${at.y.toFixed(1)}`;
  };
  const line = document.createElementNS(svg.namespaceURI, 'path');
  line.setAttribute('class', 'drawn');
  svg.append(line);
  svg.addEventListener('pointerdown', event => {
    svg.setPointerCapture(event.pointerId);
    stroke += 'M' + place(event);
  });
  svg.addEventListener('pointermove', event => {
    if (event.buttons && stroke) line.setAttribute('d', stroke += 'L' + place(event));
  });
  form.addEventListener('submit', event => {
    event.preventDefault();
    figure.classList.remove('asked');
  });
}

document.addEventListener('click', event => {
  if (event.target.closest('.derive [value=pass]')) {
    event.preventDefault();
    event.target.form.nextElementSibling.open = true;
  }
  const copy = event.target.closest('.copy');
  if (copy)
    navigator.clipboard?.writeText(copy.previousElementSibling.textContent).then(() => {
      copy.textContent = 'Copied';
    }, () => {});
});

const turn = slider => {
  const film = slider.closest('.film'),
    frames = all(':scope > div', film);
  frames.forEach((frame, k) => frame.classList.toggle('now', k === Number(slider.value)));
  const label = frames[slider.value].dataset.label;
  film.querySelector('output').textContent = label;
  slider.setAttribute('aria-valuetext', `${slider.parentElement.textContent.trim()} ${label}`);
};
for (const slider of all('.film input')) turn(slider);
document.addEventListener('input', event => {
  const film = event.target.closest('.film'),
    button = film?.querySelector('button');
  if (button?.timer) button.click();
  if (film) turn(event.target);
});

// Moves each path of a frame a share of its way to that of the next, if they are of a kind.
const between = (frame, next, share) => {
  const paths = all('[points],[d]', next),
    kept = (path, name) => path[name + 'Kept'] ??= path.getAttribute(name) ?? '';
  all('[points],[d]', frame).forEach((path, k) => {
    const name = path.hasAttribute('d') ? 'd' : 'points',
      there = paths[k] ? kept(paths[k], name).match(/-?[\d.]+/g) ?? [] : [];
    if (kept(path, name).match(/-?[\d.]+/g)?.length !== there.length) return;
    path.setAttribute(name, kept(path, name).replace(/-?[\d.]+/g, number => {
      const goal = there.shift();  // flags of arcs are the same, and stay what they are
      return number === goal ? number : (Number(number) + share * (goal - number)).toFixed(2);
    }));
  });
};

document.addEventListener('click', event => {
  const button = event.target.closest('.film button');
  if (!button) return;
  const film = button.closest('.film'),
    slider = film.querySelector('input'),
    frames = all(':scope > div', film),
    moves = 3;
  let move = 0;
  const stop = () => {
    clearInterval(button.timer);
    button.timer = 0;
    for (const frame of frames) between(frame, frame, 0);
    button.textContent = 'Play';
    button.setAttribute('aria-pressed', 'false');
  };
  if (button.timer) return stop();
  if (slider.value === slider.max) slider.value = 0;
  turn(slider);
  button.textContent = 'Stop';
  button.setAttribute('aria-pressed', 'true');
  button.timer = setInterval(() => {
    const frame = frames[slider.value],
      next = frames[Number(slider.value) + 1] ?? frame;
    between(frame, next, ++move % moves / moves);
    if (move % moves) return;
    slider.value = Number(slider.value) + 1;
    turn(slider);
    if (slider.value === slider.max) stop();
  }, 40);
});

// What the knobs of a form say, as the words behind --part N. A text goes into a file of its own.
const wordsOf = form =>
  all('[name]', form).flatMap(field =>
    field.value === '' ? [] : ['--' + field.name,
      field.matches('[data-file]') ? field.name + '.txt' : field.value.trim()]);
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
  const box = field.parentElement,
    sliders = all('[type=range]', box),
    text = box.querySelector('[name]');
  if (field.type === 'range') text.value = sliders.map(slider => slider.value).join(',');
  else
    text.value.split(',').forEach((value, k) => {
      if (sliders[k]) sliders[k].value = value;
    });
  writeCall(field.form);
};
// Before whoever reads the form.
document.addEventListener('input', event => {
  if (event.target.closest('.knobs')) pair(event.target);
}, true);
document.addEventListener('reset', event => setTimeout(writeCall, 0, event.target));

let folded = [];
addEventListener('beforeprint', () => {
  for (const code of all('.code')) document.getElementById('listings').append(code);
  folded = all('details:not([open])');
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of folded) one.open = false;
});
