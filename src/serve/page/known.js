// What endgame databases know of the position: its value, and its moves grouped by theirs.

import { el } from './dom.js';

/** Fills a place with what is known; hides it if nothing is. */
export function showKnown(host, known) {
  host.hidden = !known;
  if (!known) return host.replaceChildren();
  const groups = new Map();
  for (const [move, value] of known.moves) groups.set(value, [...groups.get(value) ?? [], move]);
  host.replaceChildren(
    el('p', { class: 'facts' }, el('b', {}, 'Endgame databases'), ` ${known.value}`),
    el('ol', {}, [...groups].map(([value, moves]) =>
      el('li', {}, el('span', { class: 'score' }, value), ' ', moves.join(' ')))));
}
