// One board for every geometry: squares, a grid, or lines between points. It draws a position with its marks
// and tells which spot was touched, by click, drag or keyboard. It knows no rules.

import { svg } from './dom.js';
import { drawPiece, gradients } from './pieces.js';

const MARGIN = { squares: 0, grid: 0.35, lines: 0.2 };
const LABELS = 0.5;
const GLIDE = 170;
const DRAG_FROM = 0.15;

export class Board {
  /** `touch(spot)` hears which spot was chosen; `grip(spot)` says whether a piece may be dragged from it. */
  constructor(host, touch, grip) {
    this.touch = touch;
    this.grip = grip;
    this.drawn = {};
    this.root = svg('svg', { role: 'group', 'aria-label': 'Board' });
    host.replaceChildren(this.root);
    this.root.addEventListener('pointerdown', (event) => this.press(event));
    this.root.addEventListener('pointermove', (event) => this.drag(event));
    this.root.addEventListener('pointerup', (event) => this.release(event));
    this.root.addEventListener('pointercancel', () => this.drop());
    this.root.addEventListener('keydown', (event) => this.key(event));
  }

  /** Takes a geometry with the names of its pieces, seen from White or `flipped`. */
  shape(ground, names, flipped, coordinates) {
    Object.assign(this, { ground, names, flipped, coordinates });
    this.spots = ground.spots.map(([name, column, row], index) => {
      const x = (flipped ? ground.columns - 1 - column : column) + 0.5;
      const y = (flipped ? row : ground.rows - 1 - row) + 0.5;
      return { name, column, row, x, y, index };
    });
    this.byName = new Map(this.spots.map((spot) => [spot.name, spot]));
    this.pieces = this.spots.map(() => null);
    const layers = ['ground', 'under', 'labels', 'pieces', 'over', 'arrows', 'touch'];
    this.layers = Object.fromEntries(layers.map((name) => [name, svg('g', { class: `layer-${name}` })]));
    this.frame();
    this.root.setAttribute('class', `board ${ground.kind}`);
    this.root.replaceChildren(gradients(), ...Object.values(this.layers));
    this.drawGround();
    this.drawTouch();
  }

  frame() {
    const { kind, columns, rows } = this.ground;
    const margin = MARGIN[kind];
    const labels = this.coordinates && kind !== 'squares' ? LABELS : 0;
    this.box = { x: -margin - labels, y: -margin, w: columns + 2 * margin + labels, h: rows + 2 * margin + labels };
    const { x, y, w, h } = this.box;
    this.root.setAttribute('viewBox', `${x} ${y} ${w} ${h}`);
    this.root.style.setProperty('--shape', w / h);
  }

  drawGround() {
    const { kind, columns, rows } = this.ground;
    const layer = this.layers.ground;
    layer.append(svg('rect', { ...this.rectangle(), class: 'base' }));
    if (kind === 'squares') {
      for (let i = 0; i < columns * rows; i++) {
        const [column, row] = [i % columns, Math.floor(i / columns)];
        // The square at a player's left hand is dark, from either side.
        const dark = (column + rows - 1 - row) % 2 === 0;
        const square = { x: column, y: row, width: 1, height: 1, class: dark ? 'dark' : 'light' };
        layer.append(svg('rect', square));
      }
    } else {
      for (const [a, b] of this.lines()) {
        layer.append(svg('line', { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: 'line' }));
      }
      for (const name of this.ground.stars ?? []) {
        const { x, y } = this.byName.get(name);
        layer.append(svg('circle', { cx: x, cy: y, r: 0.1, class: 'star' }));
      }
    }
    if (this.coordinates) this.drawLabels();
  }

  rectangle() {
    const { x, y, w, h } = this.box;
    return { x, y, width: w, height: h };
  }

  /** The pairs of spots to be joined by a line. */
  lines() {
    if (this.ground.kind === 'lines') {
      return this.ground.lines.map(([a, b]) => [this.byName.get(a), this.byName.get(b)]);
    }
    const at = new Map(this.spots.map((spot) => [`${spot.column} ${spot.row}`, spot]));
    const [right, top] = [this.ground.columns - 1, this.ground.rows - 1];
    const across = this.spots.filter((s) => s.column === 0).map((s) => [s, at.get(`${right} ${s.row}`)]);
    const upwards = this.spots.filter((s) => s.row === 0).map((s) => [s, at.get(`${s.column} ${top}`)]);
    return [...across, ...upwards];
  }

  drawLabels() {
    const write = (x, y, text, name) =>
      this.layers.labels.append(svg('text', { x, y, class: `label ${name}` }, text));
    if (this.spots.every(({ name }) => /^\d+$/.test(name))) {
      for (const { name, x, y } of this.spots) write(x - 0.47, y - 0.4, name, 'inside');
      return;
    }
    const { kind, rows } = this.ground;
    const squares = kind === 'squares';
    const columnNames = new Map(this.spots.map((spot) => [spot.x, spot.name.replace(/\d+$/, '')]));
    const rowNames = new Map(this.spots.map((spot) => [spot.y, spot.name.replace(/^\D+/, '')]));
    for (const [x, text] of columnNames) {
      if (squares) write(x + 0.44, rows - 0.07, text, 'inside end');
      else write(x, rows + LABELS * 0.62, text, 'outside');
    }
    for (const [y, text] of rowNames) {
      if (squares) write(0.06, y - 0.3, text, 'inside');
      else write(-LABELS * 0.62, y + 0.1, text, 'outside');
    }
  }

  drawTouch() {
    this.cells = this.spots.map((spot) => svg('rect', {
      x: spot.x - 0.5, y: spot.y - 0.5, width: 1, height: 1,
      class: 'cell', tabindex: spot.index === 0 ? 0 : -1, role: 'button', 'data-spot': spot.name,
    }));
    this.layers.touch.append(...this.cells);
  }

  /** Draws a position: `letters` has one letter a spot, `.` for none; the rest are marks. */
  show({ letters, last = [], touched = [], next = [], check = null, arrows = [], owners = [], dead = [], glide = false }) {
    performance.mark('show');
    this.place(letters, glide, last);
    this.mark(letters, { last, touched, next, check, owners, dead });
    this.layers.arrows.replaceChildren(...arrows.map((arrow) => this.arrow(arrow)).filter(Boolean));
    performance.measure('board', 'show');
  }

  place(letters, glide, last) {
    const left = [];
    const changed = this.spots.filter(({ index }) => (this.pieces[index]?.letter ?? '.') !== letters[index]);
    for (const spot of changed) {
      const old = this.pieces[spot.index];
      if (old) {
        left.push({ ...old, spot });
        old.node.remove();
      }
      this.pieces[spot.index] = null;
    }
    const placed = document.createDocumentFragment();
    const moved = [];
    for (const spot of changed) {
      const letter = letters[spot.index];
      if (letter === '.') continue;
      const node = this.piece(letter);
      node.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
      placed.append(node);
      this.pieces[spot.index] = { letter, node };
      if (!glide) continue;
      const origins = left.filter((piece) => piece.letter === letter);
      const origin = origins.find((piece) => last.includes(piece.spot.name)) ?? origins[0];
      if (origin) moved.push([node, origin.spot, spot]);
    }
    this.layers.pieces.append(placed);
    for (const [node, from, to] of moved) this.glide(node, from, to);
  }

  /** A piece to be placed; copies are cheaper than drawings. */
  piece(letter) {
    const name = this.names[letter] ?? 'white man';
    this.drawn[name] ??= svg('g', { class: 'piece' }, drawPiece(name));
    return this.drawn[name].cloneNode(true);
  }

  glide(node, from, to) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const at = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });
    node.animate([at(from), at(to)], { duration: GLIDE, easing: 'ease-out' });
  }

  mark(letters, { last, touched, next, check, owners, dead }) {
    const under = [];
    const over = [];
    const square = this.ground.kind === 'squares';
    const wash = ({ x, y }, name) => square
      ? svg('rect', { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: name })
      : svg('circle', { cx: x, cy: y, r: 0.5, class: name });
    const spotsOf = (names) => [...names].map((name) => this.byName.get(name)).filter(Boolean);
    for (const spot of spotsOf(last)) {
      if (square) under.push(wash(spot, 'last'));
      else over.push(svg('circle', { cx: spot.x, cy: spot.y, r: 0.14, class: 'last-point' }));
    }
    for (const spot of spotsOf(touched)) under.push(wash(spot, 'touched'));
    for (const spot of spotsOf(check ? [check] : [])) under.push(wash(spot, 'check'));
    owners.forEach((owner, index) => {
      if (Math.abs(owner) < 0.15) return;
      const { x, y } = this.spots[index];
      const size = 0.36 * Math.min(1, Math.abs(owner));
      const name = `owner ${owner > 0 ? 'black' : 'white'}`;
      over.push(svg('rect', { x: x - size / 2, y: y - size / 2, width: size, height: size, class: name }));
    });
    for (const { x, y } of spotsOf(dead)) {
      const d = `M${x - 0.2} ${y - 0.2} l.4 .4 m0 -.4 l-.4 .4`;
      over.push(svg('path', { d, class: 'dead' }));
    }
    for (const spot of spotsOf(next)) {
      const taken = letters[spot.index] !== '.';
      const r = taken ? 0.44 : 0.13;
      over.push(svg('circle', { cx: spot.x, cy: spot.y, r, class: taken ? 'next taken' : 'next' }));
    }
    const possible = new Set(next);
    this.layers.under.replaceChildren(...under);
    this.layers.over.replaceChildren(...over);
    this.cells.forEach((cell, index) => {
      const name = this.spots[index].name;
      const piece = this.names[letters[index]] ?? 'empty';
      const state = touched.includes(name) ? ', chosen' : dead.includes(name) ? ', dead'
        : possible.has(name) ? ', possible' : '';
      const label = `${name}, ${piece}${state}`;
      if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
    });
  }

  /** A move as an arrow, or as a ring if it has but one spot. */
  arrow({ steps, rank = 1, text = '' }) {
    const spots = steps.map((name) => this.byName.get(name)).filter(Boolean);
    if (spots.length === 0) return null;
    const name = `arrow rank-${Math.min(rank, 4)}`;
    const [from, to] = spots;
    const label = text && svg('text', { x: (to ?? from).x, y: (to ?? from).y + 0.1, class: 'value' }, text);
    if (!to) {
      return svg('g', { class: name }, svg('circle', { cx: from.x, cy: from.y, r: 0.4, class: 'target' }), label);
    }
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const at = (along, aside) =>
      `${from.x + ux * along - uy * aside} ${from.y + uy * along + ux * aside}`;
    const [tail, neck, head] = [0.25, length - 0.42, length - 0.08];
    const d = `M${at(tail, 0.07)} L${at(neck, 0.07)} L${at(neck, 0.2)} L${at(head, 0)} ` +
      `L${at(neck, -0.2)} L${at(neck, -0.07)} L${at(tail, -0.07)} Z`;
    const removal = spots.slice(2).map(({ x, y }) =>
      svg('path', { d: `M${x - 0.22} ${y - 0.22} l.44 .44 m0 -.44 l-.44 .44`, class: 'removal' }));
    return svg('g', { class: name }, svg('path', { d, class: 'shaft' }), removal, label);
  }

  /** The place of a pointer in the board's own units. */
  point(event) {
    const matrix = this.root.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  under(point) {
    return this.spots?.find(({ x, y }) => Math.abs(x - point.x) <= 0.5 && Math.abs(y - point.y) <= 0.5);
  }

  press(event) {
    if (event.button !== 0 || !this.spots) return;
    const at = this.point(event);
    const spot = this.under(at);
    if (!spot) return;
    this.held = { spot, at, moved: false, piece: this.grip(spot.name) ? this.pieces[spot.index] : null };
    if (this.held.piece) this.root.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.held?.piece) return;
    const { piece, spot, at } = this.held;
    const here = this.point(event);
    if (!this.held.moved) {
      if (Math.hypot(here.x - at.x, here.y - at.y) < DRAG_FROM) return;
      this.held.moved = true;
      this.touch(spot.name, 'lift');
      this.layers.pieces.append(piece.node);
      piece.node.classList.add('held');
    }
    piece.node.style.transform = `translate(${here.x}px, ${here.y}px)`;
  }

  release(event) {
    if (!this.held) return;
    const { spot, moved } = this.held;
    const target = this.under(this.point(event));
    this.drop();
    if (!moved) this.touch(spot.name, 'click');
    else if (target && target !== spot) this.touch(target.name, 'drop');
  }

  drop() {
    const held = this.held;
    this.held = null;
    if (!held?.moved) return;
    held.piece.node.classList.remove('held');
    held.piece.node.style.transform = `translate(${held.spot.x}px, ${held.spot.y}px)`;
  }

  key(event) {
    const here = this.spots?.find((spot) => this.cells[spot.index] === event.target);
    if (!here) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.touch(here.name, 'click');
      return;
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const target = this.neighbour(here, way);
    if (target) this.focus(target);
  }

  /** The nearest spot in a direction, sideways steps counting double. */
  neighbour(here, [dx, dy]) {
    let [best, least] = [null, Infinity];
    for (const spot of this.spots) {
      const along = (spot.x - here.x) * dx + (spot.y - here.y) * dy;
      const aside = Math.abs((spot.x - here.x) * dy) + Math.abs((spot.y - here.y) * dx);
      const distance = along + 2 * aside;
      if (along > 0.1 && aside <= along && distance < least) [best, least] = [spot, distance];
    }
    return best;
  }

  focus(spot) {
    for (const cell of this.cells) cell.setAttribute('tabindex', -1);
    this.cells[spot.index].setAttribute('tabindex', 0);
    this.cells[spot.index].focus();
  }
}
