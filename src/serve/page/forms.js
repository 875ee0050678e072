// Forms made from declarations: rules of a game, options of an engine, who plays a side.

import { el, field, select } from './dom.js';

/** A control for one declared option. */
function control({ name, kind, default: value, min, max, choices }) {
  if (kind === 'check') return el('input', { type: 'checkbox', name, checked: value });
  if (kind === 'combo') return select(choices.map((choice) => [choice]), value, { name });
  if (kind === 'spin') return el('input', { type: 'number', name, value, min, max });
  return el('input', { type: 'text', name, value });
}

function valueOf(node) {
  return node.type === 'checkbox' ? String(node.checked) : node.value;
}

/** Fields for declared options; `read()` gives [name, value] of those the user changed. */
export function declaredFields(rows, chosen = []) {
  const set = new Map(chosen);
  const controls = rows.map((row) => {
    const node = control(row);
    const first = valueOf(node);
    if (set.has(row.name)) {
      if (row.kind === 'check') node.checked = set.get(row.name) === 'true';
      else node.value = set.get(row.name);
    }
    return { row, node, first };
  });
  return {
    nodes: controls.map(({ row, node }) => field(row.name, node, row.help)),
    read: () => controls.filter(({ node, first }) => valueOf(node) !== first)
      .map(({ row, node }) => [row.name, valueOf(node)]),
  };
}

const SPENDING = [['level', 'as the level sets'], ['time', 'seconds per move'], ['nodes', 'nodes per move'],
  ['depth', 'plies deep'], ['clock', 'its share of the clock']];

function limitFields(limit) {
  const [unit, amount] = limit === 'clock' ? ['clock', ''] : Object.entries(limit ?? { level: '' })[0];
  const how = select(SPENDING, unit, { name: 'unit' });
  const many = el('input', { type: 'number', name: 'amount', min: 0, step: 'any', value: unit === 'time' ? amount / 1000 : amount });
  const show = () => { many.hidden = how.value === 'level' || how.value === 'clock'; };
  how.addEventListener('change', show);
  show();
  const read = () => {
    if (how.value === 'level') return null;
    if (how.value === 'clock') return 'clock';
    const number = Number(many.value) || 1;
    return { [how.value]: Math.max(1, Math.round(how.value === 'time' ? number * 1000 : number)) };
  };
  return { nodes: [field('Thinks', el('span', { class: 'pair' }, many, how))], read };
}

/** Fields for who plays a side; `read()` gives the seat. */
export function seatFields(hello, game, seat, title) {
  const installed = hello.installed.filter((engine) => engine.game === game.name);
  const agents = hello.agents.filter((agent) => agent.game === game.name);
  const kinds = [['human', 'A human'], ['engine', 'Our engine'],
    ...installed.map(({ name }) => [`installed ${name}`, name]),
    ...agents.map(({ name }) => [`agent ${name}`, `${name} (network)`])];
  const chosen = seat.kind === 'human' || seat.kind === 'engine' ? seat.kind : `${seat.kind} ${seat.name}`;
  if (!kinds.some(([value]) => value === chosen)) kinds.push([chosen, seat.name]);
  const who = select(kinds, chosen, { name: 'who' });
  const levels = hello.levels.map(({ name }, i) => [i, name]);
  const level = select(levels, seat.level ?? hello.usual_level, { name: 'level' });
  const limit = limitFields(seat.limit);
  const options = declaredFields(game.engine, seat.options);
  const details = el('details', {}, el('summary', {}, 'More'), limit.nodes, options.nodes);
  const levelField = field('Level', level);
  const show = () => {
    const isOurs = who.value === 'engine';
    levelField.hidden = !isOurs;
    details.hidden = who.value === 'human';
    for (const node of options.nodes) node.hidden = !isOurs;
  };
  who.addEventListener('change', show);
  show();
  const read = () => {
    const [kind, ...name] = who.value.split(' ');
    if (kind === 'human') return { kind };
    if (kind === 'engine') return { kind, level: Number(level.value), limit: limit.read(), options: options.read() };
    return { kind, name: name.join(' '), limit: limit.read() };
  };
  return { node: el('fieldset', {}, el('legend', {}, title), field('Player', who), levelField, details), read };
}

/** Opens a dialog with a form; `done()` is asked when it is confirmed and may refuse by throwing. */
export function dialog(title, content, confirm, done) {
  const error = el('p', { class: 'error', role: 'alert' });
  const form = el('form', { method: 'dialog' },
    el('h2', {}, title), el('div', { class: 'content' }, content), error,
    el('div', { class: 'buttons' },
      el('button', { type: 'button', onclick: () => node.close() }, confirm ? 'Cancel' : 'Close'),
      confirm && el('button', { class: 'primary', type: 'submit' }, confirm)));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      await done?.();
      node.close();
    } catch (problem) {
      error.textContent = problem.message;
    }
  });
  const node = el('dialog', { 'aria-label': title }, form);
  node.addEventListener('close', () => node.remove());
  node.addEventListener('click', (event) => { if (event.target === node) node.close(); });
  document.getElementById('dialogs').append(node);
  node.showModal();
  return node;
}
