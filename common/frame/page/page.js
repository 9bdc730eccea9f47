// What a page does: numbers fetch their code, predictions meet theory, knobs write their command,
// the contents say where you are, and paper shows everything.
// SPDX-License-Identifier: MIT

'use strict';
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
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
const stored = name => {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
};
const store = (name, what) => {
  try {
    localStorage.setItem(name, JSON.stringify(what));
  } catch { /* a browser that keeps nothing */ }
};
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
const greet = () => {
  for (const card of all('.cards article')) {
    const link = card.querySelector('.begin');
    if (link) link.textContent = kept()[card.dataset.lesson]?.length ? 'Continue' : 'Begin';
  }
};
greet();

// Progress as a file, for another browser: what was done, and the lines of derivations.
const isObject = one => typeof one === 'object' && one !== null && !Array.isArray(one);
const readProgress = text => {
  const { course, lines } = JSON.parse(text);
  if (!isObject(course)) throw new Error('no progress');
  const all = kept();
  for (const [name, list] of Object.entries(listsIn(course)))
    all[name] = [...new Set([...all[name] ?? [], ...list])];
  store('course', all);
  const own = stored('lines');
  if (isObject(lines)) store('lines', { ...lines, ...isObject(own) ? own : {} });
  greet();
};
const newTag = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
const offerProgress = cards => {
  const says = newTag('output'),
    file = newTag('input', { type: 'file', accept: '.json', hidden: true }),
    row = newTag('p', { className: 'progress' });
  const save = newTag('button', { type: 'button', textContent: 'Save my progress', onclick() {
    const text = JSON.stringify({ course: kept(), lines: stored('lines') ?? {} });
    const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    newTag('a', { href, download: 'progress.json' }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  } });
  const read = newTag('button', { type: 'button', textContent: 'Read it in again', onclick() {
    file.click();
  } });
  file.addEventListener('change', async () => {
    try {
      readProgress(await file.files[0].text());
      says.textContent = 'What that file holds is added to your progress.';
    } catch {
      says.textContent = 'That file holds no progress of this course.';
    }
    file.value = '';
  });
  row.append('What you have done is kept in this browser. ', save, ' ', read, file, ' ', says);
  cards.after(row);
};
all('.cards').forEach(offerProgress);

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
const here = () => {
  const now = headings.filter(one => one.getBoundingClientRect().top < innerHeight / 3).pop();
  for (const link of all('nav li a'))
    link.ariaCurrent = now && decodeURIComponent(link.hash.slice(1)) === now.id ? 'location' : null;
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

// Reads a number as common/frame/text/number_by_hand.cpp does, which says how; NaN is none.
const spellings = [['−', '-'], ['–', '-'], ['×', '*'], ['·', '*'], ['⋅', '*'], ['÷', '/'],
  ['**', '^'], [' ', ''], ['\u00a0', ''], ['\u2009', ''], ['\u202f', '']];
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻';
const inAscii = text => spellings.reduce((word, [from, to]) => word.replaceAll(from, to),
  text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g,
    power => '^' + [...power].map(one => '0123456789-'[raised.indexOf(one)]).join('')));
const withPoint = digits =>
  (/^[1-9]\d{0,2},\d{3}$/.test(digits) ? '' : digits.replaceAll(',', '.'));
const ofDigits = text => {
  const e = text.search(/[eE]|$/),
    word = withPoint(text.slice(0, e)) + text.slice(e);
  const number = /^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word) ? Number(word) : NaN;
  return Number.isFinite(number) ? number : NaN;
};
const numberOf = text => {
  const word = inAscii(text);
  let at = 0, depth = 0;
  const accept = sign => {
    const is = word[at] === sign;
    at += is;
    return is;
  };
  const product = () => {
    let left = power();
    while (word.length > at) {
      const times = accept('*');
      if (!times && !accept('/')) break;
      const right = power();
      left = times ? left * right : left / right;
    }
    return left;
  };
  const power = () => {
    if (++depth > 50) return NaN;
    const negative = accept('-');
    if (!negative) accept('+');
    let number = factor();
    if (accept('^')) number **= power();
    if (accept('%')) number /= 100;
    return negative ? -number : number;
  };
  const factor = () => {
    if (accept('(')) {
      const inside = product();
      return accept(')') ? inside : NaN;
    }
    const [digits] = word.slice(at).match(/^(?:[\d.,]|[eE][+-]?)*/);
    at += digits.length;
    return ofDigits(digits);
  };
  const number = product();
  return at === word.length && Number.isFinite(number) ? number : NaN;
};

document.addEventListener('submit', event => {
  const form = event.target.closest('.predict');
  if (!form) return;
  event.preventDefault();
  const truth = parseFloat(form.dataset.answer);
  const guess = numberOf(form.querySelector('input').value),
    told = form.querySelector('output');
  if (Number.isNaN(guess) && (!event.submitter || event.submitter.value !== 'pass'))
    return void (told.textContent = 'A number, such as 0.2, 11907, 1/6, 25% or 2^-50 (11,907 may also mean 11.907).');
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

// A chart without its curves, until the reader has drawn where they run: by hand, or by the keys.
const marked = (svg, name, attributes) => {
  const one = document.createElementNS(svg.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  svg.append(one);
  return one;
};
// Adds the reader's line to the key, below the chart.
const nameYours = svg => {
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute('viewBox', `0 0 ${width} ${height + 26}`);
  svg.setAttribute('height', height + 26);
  svg.querySelector('.plot-page')?.setAttribute('height', height + 26);
  marked(svg, 'path', { class: 'drawn', d: `M16 ${height + 7}L40 ${height + 7}` });
  marked(svg, 'text', { class: 'plot-ink', x: 48, y: height + 12 }).textContent = 'yours';
};
const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const drawIn = (form, figure, svg) => {
  const { width, height } = svg.viewBox.baseVal,
    line = marked(svg, 'path', { class: 'drawn' }),
    pen = marked(svg, 'circle', { class: 'pen', r: 6, visibility: 'hidden' }),
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
    const { x, y } = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(svg.getScreenCTM().inverse());
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
    const way = ways[event.key];
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
  svg.tabIndex = 0;
  figure.classList.add('asked');
  form.prepend(newTag('p', { textContent: 'Draw into the chart, with a finger or the mouse. By key: ' +
    'arrows move the pen, the space bar sets it down and lifts it.' }));
  form.append(' ', newTag('button', { type: 'button', textContent: 'Undo', onclick: undo }), ' ', says);
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

let folded = [];
addEventListener('beforeprint', () => {
  for (const code of all('.code')) document.getElementById('listings').append(code);
  folded = all('details:not([open])');
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of folded) one.open = false;
});
