// What the scripts of a page share: elements, places in a picture, what the browser keeps. Comes
// first.
// SPDX-License-Identifier: MIT

'use strict';
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const newTag = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
const newButton = (textContent, onclick) =>
  newTag('button', { type: 'button', textContent, onclick });
// An element of a picture.
const newShape = (name, attributes, textContent = '') => {
  const shape = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
  return Object.assign(shape, { textContent });
};

// Where an event is, in the units of a picture.
const placeIn = (svg, event) => new DOMPoint(event.clientX, event.clientY)
  .matrixTransform(svg.getScreenCTM().inverse());
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const fire = (target, kind) => target.dispatchEvent(new Event(kind, { bubbles: true }));

// What the browser keeps, which whatever else may have written.
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
