// The buttons of a game: which make sense now, and what they ask of the server.

import { el } from './dom.js';

/** Name, text, and when it is of use; the key opens it too. */
const BUTTONS = [
  ['undo', 'Undo', 'Take the last move back', ({ game }) => game.at !== 0],
  ['redo', 'Redo', 'Play the move taken back again', ({ game }) => game.can_redo],
  ['pass', 'Pass', 'Pass the turn', ({ pass }) => pass],
  ['agree', 'Agree', 'Agree on the dead stones and count', ({ counting }) => counting],
  ['hint', 'Hint', 'Ask our engine for a move', ({ game, counting }) => !game.result && !counting],
  ['flip', 'Flip', 'Turn the board', () => true],
  ['draw', 'Offer draw', 'Offer a draw', ({ game, human, counting }) => !game.result && human && !game.offered && !counting],
  ['accept', 'Accept draw', 'A draw was offered', ({ game, human }) => !game.result && human && game.offered],
  ['resign', 'Resign', 'Give the game up', ({ game, human }) => !game.result && human],
  ['pause', 'Pause', 'Pause or resume the engines', ({ game, engine }) => !game.result && engine],
  ['rematch', 'Rematch', 'Play again with colours swapped', ({ game }) => Boolean(game.result)],
  ['think', 'Think', 'Let our engine think about this position', () => true],
  ['sweep', 'Analyse', 'Let our engine analyse the whole game', ({ game }) => game.nodes.length > 1],
];

export class Controls {
  /** `press(name)` hears the button. */
  constructor(host, press) {
    this.buttons = BUTTONS.map(([name, text, title, useful]) => {
      const node = el('button', { id: `do-${name}`, title, onclick: () => press(name) }, text);
      return { name, node, useful };
    });
    host.replaceChildren(...this.buttons.map(({ node }) => node));
  }

  show(state) {
    for (const { name, node, useful } of this.buttons) {
      const isUseful = Boolean(useful(state));
      if (name === 'undo' || name === 'redo') node.disabled = !isUseful;
      else node.hidden = !isUseful;
      if (name === 'pause') node.textContent = state.game.paused ? 'Resume' : 'Pause';
      if (name === 'think') node.setAttribute('aria-pressed', String(Boolean(state.game.watching)));
      if (name === 'sweep') node.setAttribute('aria-pressed', String(Boolean(state.game.sweeping)));
    }
  }
}
