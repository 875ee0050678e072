// Setting a position up by clicking: choose a piece, click where it goes, begin a game from there.

import { el, refill, svg } from './dom.js';
import { drawPiece, gradients } from './pieces.js';

export class Setup {
  /** `change()` is called after every change, `done(letters, turn)` and `leave()` at the end. */
  constructor(host, { ground, names, letters, turn, start }, { change, done, leave }) {
    Object.assign(this, { host, ground, names, letters: [...letters], turn, start, change, done, leave });
    this.chosen = Object.keys(names)[0];
    this.draw();
  }

  /** Puts the chosen piece on a spot, or takes it away if it is there. */
  touch(name) {
    const index = this.ground.spots.findIndex(([spot]) => spot === name);
    this.letters[index] = this.letters[index] === this.chosen ? '.' : this.chosen;
    this.change();
  }

  draw() {
    const piece = (letter) => el('button', {
      type: 'button', 'aria-pressed': String(letter === this.chosen), 'data-piece': letter,
      'aria-label': this.names[letter] ?? 'nothing', title: this.names[letter] ?? 'nothing',
      onclick: () => { this.chosen = letter; this.draw(); },
    }, svg('svg', { viewBox: '-.5 -.5 1 1', class: 'board' }, gradients(),
      letter === '.' ? svg('path', { d: 'M-.25 -.25 L.25 .25 M-.25 .25 L.25 -.25', class: 'dead' }) : drawPiece(this.names[letter])));
    const fill = (letters) => { this.letters = [...letters]; this.change(); };
    const turns = ['White', 'Black'].map((name, side) => el('button', {
      type: 'button', 'aria-pressed': String(this.turn === side),
      onclick: () => { this.turn = side; this.draw(); },
    }, `${name} to move`));
    refill(this.host,
      el('p', {}, 'Choose a piece and click where it goes.'),
      el('div', { class: 'palette' }, [...Object.keys(this.names), '.'].map(piece)),
      el('div', { class: 'buttons' }, turns),
      el('div', { class: 'buttons' },
        el('button', { type: 'button', onclick: () => fill(this.letters.map(() => '.')) }, 'Clear'),
        el('button', { type: 'button', onclick: () => fill(this.start) }, 'Start position')),
      el('div', { class: 'buttons' },
        el('button', { type: 'button', onclick: () => this.leave() }, 'Cancel'),
        el('button', { type: 'button', class: 'primary', id: 'use', onclick: () => this.done(this.letters.join(''), this.turn) }, 'Play from here')));
  }
}
