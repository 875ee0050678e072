// Beginning: a new game with its rules, players and clock; and the list of all games.

import { el, field, select } from './dom.js';
import { declaredFields, dialog, seatFields } from './forms.js';

const CLOCKS = [['', 'none'], ['60+0', '1 minute'], ['180+2', '3 minutes + 2 s'], ['300+3', '5 minutes + 3 s'],
  ['600+5', '10 minutes + 5 s'], ['1800+20', '30 minutes + 20 s']];

/** A clock from its text, `300+3`, in milliseconds. */
function readClock(text) {
  if (!text) return null;
  const [base, increment] = text.split('+').map(Number);
  return { base: base * 1000, increment: increment * 1000 };
}

/** The seats a new game begins with: a human with the side that moves first. */
export function usualSeats(hello, game) {
  const engine = { kind: 'engine', level: hello.usual_level, limit: null, options: [] };
  return game.first === 'black' ? [engine, { kind: 'human' }] : [{ kind: 'human' }, engine];
}

/** Asks for a new game. `fen` is where it begins, if not at the start. */
export function askNewGame(hello, name, create, fen = null, rules = []) {
  const host = el('div', { class: 'new-game' });
  const which = select(hello.games.map((game) => [game.name, game.title]), name, { name: 'game' });
  const clock = select(CLOCKS, '', { name: 'clock' });
  let parts = null;
  const show = () => {
    const game = hello.games.find((one) => one.name === which.value);
    const seats = usualSeats(hello, game);
    const forms = ['White', 'Black'].map((title, side) => seatFields(hello, game, seats[side], title));
    const rows = declaredFields(game.rules, rules);
    parts = { game, forms, rows };
    host.replaceChildren(
      el('div', { class: 'seats' }, (game.first === 'black' ? [...forms].reverse() : forms).map(({ node }) => node)),
      rows.nodes.length ? el('fieldset', {}, el('legend', {}, 'Rules'), rows.nodes) : '');
  };
  which.addEventListener('change', show);
  show();
  which.disabled = fen !== null;
  dialog('New game', [field('Game', which), field('Clock', clock), host], 'Start', () =>
    create({
      game: parts.game.name,
      rules: fen === null ? parts.rows.read() : rules,
      fen,
      seats: parts.forms.map((form) => form.read()),
      clock: readClock(clock.value),
    }));
}

/** Says what is known of a game that cannot be opened. */
function showDamage(game) {
  dialog('This game cannot be opened', [el('p', {}, `${game.damaged}.`),
    el('p', {}, `Its file in the data folder is ${game.file}. Mend it or put a copy in its place, or delete it.`)]);
}

/** Shows all games; the user may open or delete one. */
export async function showGames(connection, open) {
  const { games } = await connection.ask('games');
  const rows = games.map((game) => {
    const title = game.damaged ? 'Damaged' : game.title;
    const names = game.damaged ? game.id : game.names.join(' – ');
    const facts = game.damaged ? [game.damaged]
      : [`${game.moves} ${game.moves === 1 ? 'move' : 'moves'}`, game.state, game.date];
    const remove = () => dialog('Delete this game?', el('p', {}, el('b', {}, title), ` ${names}`), 'Delete',
      () => connection.ask('delete', { id: game.id }).then(() => row.remove()));
    const choose = () => {
      if (game.damaged) return showDamage(game);
      node.close();
      open(game.id);
    };
    const row = el('li', {},
      el('button', { type: 'button', class: 'open', onclick: choose },
        el('b', {}, title), ` ${names} `,
        el('span', { class: 'note' }, facts.filter(Boolean).join(' · '))),
      el('button', { type: 'button', class: 'delete', 'aria-label': `Delete the game ${names}`, onclick: remove }, '✕'));
    return row;
  });
  const node = dialog('Games', rows.length ? el('ul', { class: 'games' }, rows) : el('p', {}, 'No games yet.'));
}
