// What the engine thinks: its lines with their scores, and the arrows that show them on the board.

import { el } from './dom.js';

/** A score from White's view as people write it. */
function scoreText({ score, mate, share }) {
  if (share !== null && share !== undefined) return `${Math.round(share * 100)} %`;
  if (mate !== null && mate !== undefined) return `${mate < 0 ? '−' : ''}#${Math.abs(mate)}`;
  if (score === null || score === undefined) return '';
  const sign = score > 0 ? '+' : score < 0 ? '−' : '';
  return `${sign}${(Math.abs(score) / 100).toFixed(2)}`;
}

function count(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e4 ? `${Math.round(number / 1e3)} k` : `${number}`;
}

export class Thinking {
  constructor(host) {
    this.host = host;
    this.clear();
  }

  clear() {
    this.lines = [];
    this.owners = [];
    this.node = null;
    this.host.replaceChildren();
    this.host.hidden = true;
  }

  /** Takes what an engine said about a node. */
  hear(thought) {
    this.node = thought.node;
    this.lines = thought.lines;
    this.owners = thought.owners ?? [];
    const { by, depth, nodes, speed } = thought;
    const facts = [depth && `depth ${depth}`, nodes && `${count(nodes)} nodes`, speed && `${count(speed)}/s`];
    this.host.hidden = false;
    this.host.replaceChildren(
      el('p', { class: 'facts' }, el('b', {}, by), ` ${facts.filter(Boolean).join(' · ')}`),
      el('ol', {}, thought.lines.map((line) =>
        el('li', {}, el('span', { class: 'score' }, scoreText(line)), ' ', line.moves.join(' ')))));
  }

  /** Whose the points of this node's position will be, as far as the engine says so. */
  ownersAt(node) {
    return node === this.node ? this.owners : [];
  }

  /** Arrows for the position of this node. */
  arrows(node) {
    if (node !== this.node) return [];
    return this.lines.slice(0, 4).map(({ steps, score, mate, share }, i) => ({
      steps,
      rank: i + 1,
      text: steps.length === 1 ? scoreText({ score, mate, share }).replace(' %', '') : '',
    }));
  }
}
