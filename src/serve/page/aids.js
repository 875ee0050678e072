// What the user wants to see and hear; remembered by the browser.

/** Every aid: its name, its first value, and what the settings say about it. */
export const AIDS = [
  ['destinations', true, 'Show where the chosen piece can go'],
  ['last', true, 'Show the last move'],
  ['coordinates', true, 'Show coordinates'],
  ['moves', true, 'Show the list of moves'],
  ['message', true, 'Show the message line'],
  ['thinking', true, "Show the engine's thinking"],
  ['known', false, 'Show what endgame databases know'],
  ['arrows', true, "Draw the engine's best moves on the board"],
  ['graph', true, 'Show the course of the game'],
  ['ownership', true, 'Go: show who owns each point, and dead stones'],
  ['animation', true, 'Move pieces smoothly'],
  ['sounds', false, 'Sounds'],
];

const KEY = 'quintet-aids';

/** What the browser remembers under a name; null if it keeps nothing. */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Lets the browser remember a text under a name. */
export function remember(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // A browser that keeps nothing still plays.
  }
}

function remembered() {
  try {
    return JSON.parse(recall(KEY)) ?? {};
  } catch {
    return {};
  }
}

const values = { theme: 'auto', ...Object.fromEntries(AIDS), ...remembered() };

/** The value of an aid. */
export const aid = (name) => values[name];

/** Changes an aid and remembers it. */
export function setAid(name, value) {
  values[name] = value;
  remember(KEY, JSON.stringify(values));
  applyTheme();
}

/** Sets the colours the user asked for. */
export function applyTheme() {
  const root = document.documentElement;
  if (values.theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = values.theme;
}
