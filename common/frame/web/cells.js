// A picture to draw into, beside the field that holds its digits: by a pointer, a finger, or keys.
// Stands behind common/frame/page/knobs.js.
// SPDX-License-Identifier: MIT

// Puts a picture to draw into beside the field that holds its digits.
function canvasFor(field) {
  const side = Number(field.dataset.side);
  const size = 8;  // of a cell, in px
  const edge = side * size;
  const canvas = newTag('canvas', { width: edge, height: edge, className: 'cells', tabIndex: 0 });
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'a field to draw in: arrow keys move, the space bar inks');
  let erases = false;
  let last = null, cursor = null;
  function draw() {
    const pen = canvas.getContext('2d');
    [...field.value].slice(0, side * side).forEach((digit, k) => {
      pen.fillStyle = `hsl(0 0% ${100 - 11 * digit}%)`;
      pen.fillRect(k % side * size, Math.floor(k / side) * size, size, size);
    });
    if (cursor) pen.strokeRect(cursor[0] * size, cursor[1] * size, size, size);
  }
  // Inks a pen two cells wide along the way from the last place.
  function ink(x, y) {
    const cells = [...field.value.padEnd(side * side, '0')];
    function inkCell(col, row) {
      if (Math.min(col, row) >= 0 && side > Math.max(col, row))
        cells[row * side + col] = erases ? '0' : '9';
    }
    const [fromX, fromY] = last ?? [x, y];
    const steps = Math.max(1, Math.ceil(2 * Math.hypot(x - fromX, y - fromY)));
    for (let k = 0; k <= steps; ++k)
      for (const dx of [-0.5, 0.5])
        for (const dy of [-0.5, 0.5])
          inkCell(Math.floor(fromX + (x - fromX) * k / steps + dx),
            Math.floor(fromY + (y - fromY) * k / steps + dy));
    last = [x, y];
    put(field, cells.join(''));
  }
  function inkAt(event) {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    ink(x * side, (event.clientY - box.top) / box.height * side);
  }
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture?.(event.pointerId);
    last = null;
    inkAt(event);
  });
  canvas.addEventListener('pointermove', event => {
    if (event.buttons) (event.getCoalescedEvents?.() ?? [event]).forEach(inkAt);
  });
  canvas.addEventListener('keydown', event => {
    const move = arrows[event.key];
    if (!move && event.key !== ' ') return;
    event.preventDefault();
    cursor ??= [side >> 1, side >> 1];
    if (move) cursor = cursor.map((at, k) => Math.min(side - 1, Math.max(0, at + move[k])));
    last = null;
    if (event.key === ' ') ink(cursor[0] + 0.5, cursor[1] + 0.5);
    draw();
  });
  field.addEventListener('input', draw);
  const rubber = newButton('Erase', () => {
    erases = !erases;
    rubber.setAttribute('aria-pressed', erases);
  });
  rubber.setAttribute('aria-pressed', false);
  field.before(canvas, rubber, newButton('Wipe', () => put(field, '0'.repeat(side * side))));
  field.form.addEventListener('reset', () => setTimeout(draw));
  draw();
}
