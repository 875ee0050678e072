// The list of moves: the main line in rows, variations indented below the move they replace.

import { el, refill } from './dom.js';

/** The children of every node, in the order they were played. */
function childrenOf(nodes) {
  const children = nodes.map(() => []);
  nodes.forEach(({ parent }, id) => {
    if (id > 0) children[parent].push(id);
  });
  return children;
}

/** The nodes from the start to this one. */
export function lineTo(nodes, id) {
  const line = [];
  for (let at = id; at > 0; at = nodes[at].parent) line.unshift(at);
  return line;
}

/** The line through `at` down to its end, always by the move that was on the board last. */
export function lineThrough(nodes, at) {
  const children = childrenOf(nodes);
  const line = lineTo(nodes, at);
  for (let id = at; children[id].length > 0;) {
    id = nodes[id].next ?? children[id][0];
    line.push(id);
  }
  return line;
}

const MARKS = { blunder: '??', mistake: '?', doubtful: '?!', interesting: '!?', good: '!', brilliant: '!!' };

export class Moves {
  /** `go(node)` hears which move was clicked. */
  constructor(host, go) {
    this.host = host;
    this.go = go;
  }

  /** Draws the tree with the move shown marked; `second` if the second player made the first move. */
  show(game, shown, second) {
    this.game = game;
    this.shown = shown;
    this.children = childrenOf(game.nodes);
    this.main = new Set(lineThrough(game.nodes, game.at));
    const list = el('div', { class: 'line main' });
    this.write(list, 0, second ? 1 : 0, true);
    const start = el('button', { class: shown === 0 ? 'move here' : 'move', onclick: () => this.go(0) }, 'Start');
    refill(this.host, start, list);
    const here = this.host.querySelector('.here');
    if (here && this.host.scrollHeight > this.host.clientHeight) {
      this.host.scrollTop = here.offsetTop - this.host.offsetTop - this.host.clientHeight / 2;
    }
  }

  /** Writes the moves after a node; a long line must not need a deep stack. */
  write(list, from, ply, number) {
    let [at, count, needsNumber] = [from, ply, number];
    while (this.children[at].length > 0) {
      const all = this.children[at];
      const best = all.find((id) => this.main.has(id)) ?? all[0];
      if (count % 2 === 0 || needsNumber) {
        list.append(el('span', { class: 'number' }, `${Math.floor(count / 2) + 1}${count % 2 ? '…' : '.'}`));
      }
      list.append(this.button(best, count));
      needsNumber = false;
      for (const other of all.filter((id) => id !== best)) {
        list.append(this.variation(other, count));
        needsNumber = true;
      }
      at = best;
      count += 1;
    }
  }

  variation(id, ply) {
    const list = el('div', { class: 'line variation' });
    const number = `${Math.floor(ply / 2) + 1}${ply % 2 ? '…' : '.'}`;
    list.append(el('span', { class: 'number' }, number), this.button(id, ply));
    this.write(list, id, ply + 1, false);
    return list;
  }

  button(id, ply) {
    const { text, mark, comment } = this.game.nodes[id];
    const names = ['move', ply % 2 ? 'second' : 'first', id === this.shown && 'here', id === this.game.at && 'now', mark].filter(Boolean);
    const current = id === this.shown ? 'true' : null;
    return el('button', { class: names.join(' '), title: comment, 'aria-current': current, onclick: () => this.go(id) },
      `${text}${MARKS[mark] ?? ''}`);
  }
}
