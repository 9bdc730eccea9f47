// A page on paper, from a dark screen as well: ink on white, all folds open, every question asked,
// with room to answer; and a page whose style is not read. tests/browser.mjs calls it.
// SPDX-License-Identifier: MIT
import { address, check, none, pause } from './session.mjs';

// Code marked "Page:" runs in the page and sees nothing outside of itself.

// Page: what is amiss on paper.
const amiss = () => {
  dispatchEvent(new Event('beforeprint'));
  const box = one => one.getBoundingClientRect();
  const words = one => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 40)}`;
  const all = selector => [...document.querySelectorAll(selector)];
  const light = colour => colour.match(/\d+/g).slice(0, 3).every(part => part > 200);
  const wrong = all('details:not([open])').map(one => `folded: ${words(one)}`);
  for (const svg of all('figure svg').filter(one => box(one).height > 0))
    if (box(svg).width < 50 || box(svg).height < 20 || !svg.querySelector('title'))
      wrong.push(`a picture without size or title: ${words(svg)}`);
  for (const asked of all('.predict:not([hidden]) label, .ask p, .ask label, .derive > p:first-child'))
    if (box(asked).height < 5) wrong.push(`not asked: ${words(asked)}`);
  for (const room of all('.predict:not([hidden]) input, .ask input'))
    if (box(room).width < 60) wrong.push(`no room for an answer: ${words(room.parentElement)}`);
  for (const button of all('main button').filter(one => box(one).height > 0))
    wrong.push(`a button: ${words(button)}`);
  for (const formula of all('.math > span'))
    if (box(formula.firstElementChild ?? formula).right > innerWidth) wrong.push(`cut off: ${words(formula)}`);
  if (!light(getComputedStyle(document.body).backgroundColor)) wrong.push('the paper is dark');
  for (const one of all('main p, main h2, .note'))
    if (light(getComputedStyle(one).color)) wrong.push(`white ink: ${words(one)}`);
  for (const page of all('figure .plot-page'))
    if (!light(getComputedStyle(page).fill)) wrong.push(`a black box: ${words(page.closest('svg'))}`);
  for (const ink of all('figure text.plot-ink'))
    if (light(getComputedStyle(ink).fill)) wrong.push(`white letters: ${words(ink)}`);
  return wrong;
};

export async function prints(page, name) {
  await page.setViewport({ width: 680, height: 900 });  // A4 between its margins
  await page.goto(`${address(name)}?on_paper`);  // anew, as it was given
  const browser = await page.createCDPSession();  // puppeteer's calls forget each other's half
  for (const value of ['light', 'dark']) {
    const features = [{ name: 'prefers-color-scheme', value }];
    await browser.send('Emulation.setEmulatedMedia', { media: 'print', features });
    await pause(50);
    none(await page.evaluate(amiss), `on paper, ${value}`);
  }
  await browser.send('Emulation.setEmulatedMedia', { media: 'screen', features: [] });
  await browser.detach();
}

// Page: shapes that are black where the page's style is not read; letters may be.
const blackened = () => {
  for (const style of document.querySelectorAll('style')) style.remove();
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const is_black = one => {
    const { fill, fillOpacity, opacity } = getComputedStyle(one), { width, height } = one.getBBox();
    return fill === 'rgb(0, 0, 0)' && fillOpacity * opacity > 0.2 && width > 2 && height > 2;
  };
  const is_lost = one => {
    const { fill, stroke } = getComputedStyle(one);
    return fill === 'none' && stroke === 'none';
  };
  const shapes = [...document.querySelectorAll('figure svg :is(rect,path,polyline,polygon,circle)')]
    .filter(one => one.getBoundingClientRect().width > 0);
  return shapes.filter(one => is_black(one) || is_lost(one))
    .map(one => `${one.tagName}.${one.getAttribute('class')} of ${one.closest('svg').querySelector('title').textContent}`);
};

export async function keeps_colours(page, name) {
  await page.goto(`${address(name)}?unstyled`);
  none(await page.evaluate(blackened), 'without its style, black or unseen');
}
