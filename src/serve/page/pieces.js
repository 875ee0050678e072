// The pieces, drawn here: each a group around its middle in a square of side 1, in two colours.

import { svg } from './dom.js';

/** The shape of every kind of piece, on a field of 100 by 100 around the middle; `d` is a filled outline,
    `line` an inner line, `dot` a filled spot in the line's colour. */
const FOOT = 'M-25 39 V34 C-25 29 -21 27 -17 26 H17 C21 27 25 29 25 34 V39 Z';

const CHESS = {
  pawn: [
    { d: 'M-8 -3 C-8 10 -15 16 -18 26 H18 C15 16 8 10 8 -3 Z' },
    { d: FOOT },
    { d: 'M-13 -7 H13 C15 -7 15 -1 13 -1 H-13 C-15 -1 -15 -7 -13 -7 Z' },
    { d: 'M0 -30 A12 12 0 1 1 -0.01 -30 Z' },
  ],
  rook: [
    { d: 'M-14 -12 L-18 26 H18 L14 -12 Z' },
    { d: FOOT },
    { d: 'M-23 -34 V-17 L-16 -10 H16 L23 -17 V-34 H13 V-27 H5 V-34 H-5 V-27 H-13 V-34 Z' },
    { line: 'M-15.5 -4 H15.5 M-17 18 H17' },
  ],
  bishop: [
    { d: 'M-9 6 C-9 15 -15 19 -18 26 H18 C15 19 9 15 9 6 Z' },
    { d: FOOT },
    { d: 'M0 -32 C-15 -22 -19 -9 -12 1 H12 C19 -9 15 -22 0 -32 Z' },
    { d: 'M-14 1 H14 C16 1 16 7 14 7 H-14 C-16 7 -16 1 -14 1 Z' },
    { d: 'M0 -41 A5 5 0 1 1 -0.01 -41 Z' },
    { line: 'M5 -23 L-3 -11' },
  ],
  knight: [
    { d: FOOT },
    {
      d: 'M-16 26 C-16 14 -5 8 -1 -4 C-6 0 -12 1 -16 4 C-18 8 -22 10 -26 7 C-30 4 -29 -1 -26 -6 ' +
        'C-22 -12 -21 -22 -13 -29 L-13 -39 L-5 -33 C12 -32 24 -14 20 26 Z',
    },
    { line: 'M3 -26 C13 -19 16 -4 14 12' },
    { line: 'M-16 4 C-13 3 -12 1 -11 -1' },
    { dot: 'M-10 -21 A2.4 2.4 0 1 1 -10.01 -21 Z' },
    { dot: 'M-25 1 A1.5 1.5 0 1 1 -25.01 1 Z' },
  ],
  queen: [
    { d: 'M-28 -19 L-17 13 H17 L28 -19 L14 -4 L15 -28 L5 -7 L0 -32 L-5 -7 L-15 -28 L-14 -4 Z' },
    { d: 'M-17 13 C-14 17 -18 21 -18 26 H18 C18 21 14 17 17 13 Z' },
    { d: FOOT },
    { line: 'M-17 13 C-8 10 8 10 17 13' },
    ...[[-28, -22], [-15, -31], [0, -35], [15, -31], [28, -22]].map(([x, y]) => ({
      d: `M${x} ${y - 4} A4 4 0 1 1 ${x - 0.01} ${y - 4} Z`,
    })),
  ],
  king: [
    { d: 'M-3.2 -45 H3.2 V-39 H9 V-33 H3.2 V-24 H-3.2 V-33 H-9 V-39 H-3.2 Z' },
    { d: 'M0 -30 C5 -27 8 -22 6 -16 L0 -4 L-6 -16 C-8 -22 -5 -27 0 -30 Z' },
    {
      d: 'M0 -2 C0 -14 8 -23 19 -21 C30 -19 31 -6 25 2 C21 7 18 9 17 14 H-17 C-18 9 -21 7 -25 2 ' +
        'C-31 -6 -30 -19 -19 -21 C-8 -23 0 -14 0 -2 Z',
    },
    { d: 'M-17 13 C-14 17 -18 21 -18 26 H18 C18 21 14 17 17 13 Z' },
    { d: FOOT },
    { line: 'M0 -2 V10 M-17 13 C-8 10 8 10 17 13' },
  ],
};

function chessPiece(shape) {
  const parts = shape.map(({ d, line, dot }) => {
    if (d) return svg('path', { d, class: 'body' });
    if (line) return svg('path', { d: line, class: 'line' });
    return svg('path', { d: dot, class: 'dot' });
  });
  return svg('g', { transform: 'scale(.0106) translate(0 2)' }, parts);
}

const CROWN = 'M-.17 .1 L-.2 -.1 L-.09 -.02 L0 -.15 L.09 -.02 L.2 -.1 L.17 .1 Z';

function disc(radius, ...rings) {
  return svg('g', {},
    svg('circle', { r: radius, cy: 0.025, class: 'shade' }),
    svg('circle', { r: radius, class: 'disc' }),
    rings.map((r) => svg('circle', { r: radius * r, class: 'ring' })));
}

function crowned() {
  const piece = disc(0.39, 0.8);
  piece.append(svg('path', { d: CROWN, class: 'crown' }));
  return piece;
}

function stone() {
  return svg('g', {},
    svg('circle', { r: 0.475, cx: 0.02, cy: 0.04, class: 'shade' }),
    svg('circle', { r: 0.475, class: 'stone' }));
}

/** A drawing of the kind named, such as `white crowned man`; its colour is the first word. */
export function drawPiece(name) {
  const [colour, ...rest] = name.split(' ');
  const kind = rest.join(' ');
  const shapes = {
    man: () => disc(0.39, 0.78, 0.5),
    'crowned man': crowned,
    neighbour: () => disc(0.37, 0.55),
    merel: () => disc(0.36, 0.66, 0.3),
    stone,
  };
  const drawing = kind in CHESS ? chessPiece(CHESS[kind]) : (shapes[kind] ?? shapes.man)();
  drawing.setAttribute('class', `drawing ${colour}`);
  return drawing;
}

/** The light on round pieces, to be put once into every picture that holds some. */
export function gradients() {
  const light = (id, ...stops) =>
    svg('radialGradient', { id, cx: '36%', cy: '30%', r: '75%' },
      stops.map(([offset, name]) => svg('stop', { offset, class: name })));
  return svg('defs', {},
    light('stone-white', ['0', 'stone-white-1'], ['.6', 'stone-white-2'], ['1', 'stone-white-3']),
    light('stone-black', ['0', 'stone-black-1'], ['.55', 'stone-black-2'], ['1', 'stone-black-3']));
}
