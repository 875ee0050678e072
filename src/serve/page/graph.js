// The course of the game: White's chances move by move, from the scores the engines gave.

import { svg } from './dom.js';
import { lineThrough } from './moves.js';

const [WIDTH, HEIGHT] = [300, 72];

/** White's chance to win from a score in hundredths, white's view; forced ends are sure. */
function chance(score) {
  if (score === null || score === undefined) return null;
  return 1 / (1 + Math.exp(-score / 250));
}

export class Graph {
  constructor(host, go) {
    this.host = host;
    this.go = go;
  }

  show(game, shown) {
    const line = [0, ...lineThrough(game.nodes, game.at)];
    const values = line.map((id) => chance(game.nodes[id].score));
    const known = values.map((value, ply) => [ply, value]).filter(([, value]) => value !== null);
    this.host.hidden = known.length < 2;
    if (this.host.hidden) return this.host.replaceChildren();
    const x = (ply) => (ply * WIDTH) / Math.max(1, line.length - 1);
    const y = (value) => HEIGHT * (1 - value);
    const points = known.map(([ply, value]) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`);
    const [first, last] = [known[0][0], known.at(-1)[0]];
    const area = `M${x(first)} ${HEIGHT} L${points.join(' L')} L${x(last)} ${HEIGHT} Z`;
    const bad = line.map((id, ply) => [game.nodes[id].mark, ply, values[ply]])
      .filter(([mark, , value]) => mark && value !== null)
      .map(([mark, ply, value]) => svg('circle', { cx: x(ply), cy: y(value), r: 3, class: mark }));
    const now = x(line.indexOf(shown));
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img',
      'aria-label': "White's chances over the game" },
      svg('rect', { width: WIDTH, height: HEIGHT, class: 'black-share' }),
      svg('path', { d: area, class: 'white-share' }),
      svg('line', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: 'even' }),
      svg('path', { d: `M${points.join(' L')}`, class: 'course' }),
      bad,
      line.includes(shown) && svg('line', { x1: now, x2: now, y1: 0, y2: HEIGHT, class: 'here' }));
    picture.addEventListener('click', (event) => {
      const box = picture.getBoundingClientRect();
      const ply = Math.round(((event.clientX - box.left) / box.width) * (line.length - 1));
      this.go(line[Math.max(0, Math.min(line.length - 1, ply))]);
    });
    this.host.replaceChildren(picture);
  }
}
