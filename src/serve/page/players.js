// The two bars beside the board: who plays, what they have, how much time is left.

import { el, refill } from './dom.js';

/** Milliseconds as people read a clock. */
function clockText(ms) {
  const tenths = Math.max(0, Math.ceil(ms / 100));
  if (tenths < 200) return `0:${String(Math.floor(tenths / 10)).padStart(2, '0')}.${tenths % 10}`;
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}

export class Players {
  /** `change(side)` hears that the user wants another player there. */
  constructor(top, bottom, change) {
    this.hosts = [bottom, top];
    this.change = change;
    setInterval(() => this.tick(), 100);
  }

  /** Shows both sides, White below unless flipped. */
  show(game, position, flipped) {
    if (game !== this.game) this.since = performance.now();
    this.game = game;
    this.clocks = [];
    for (const side of [0, 1]) {
      const host = this.hosts[flipped ? 1 - side : side];
      const name = ['white', 'black'][side];
      const turn = !game.result && position.turn === side;
      const clock = game.clock && el('span', { class: 'clock', role: 'timer' });
      this.clocks[side] = clock;
      host.className = turn ? 'player turn' : 'player';
      const parts = [
        el('span', { class: `token ${name}`, 'aria-hidden': 'true' }),
        el('button', { class: 'name', title: 'Change this player', 'data-side': name, onclick: () => this.change(side) },
          el('span', { class: 'colour' }, `${name[0].toUpperCase()}${name.slice(1)}: `), game.names[side]),
        el('span', { class: 'note' }, position.notes[side]),
        turn && game.thinking && el('span', { class: 'busy', role: 'img', 'aria-label': 'thinking' }),
        clock,
      ];
      refill(host, ...parts.filter(Boolean));
    }
    this.tick();
  }

  tick() {
    const clock = this.game?.clock;
    if (!clock) return;
    const gone = performance.now() - this.since;
    clock.left.forEach((left, side) => {
      const ms = clock.running === side ? left - gone : left;
      const node = this.clocks[side];
      const text = clockText(ms);
      if (node && node.textContent !== text) node.textContent = text;
      node?.classList.toggle('low', ms < 20_000);
    });
  }
}
