// Saving and loading: records as text, to copy, download, paste or drop.

import { el, field, select } from './dom.js';
import { dialog } from './forms.js';

/** Bytes; with what the wire adds, a message stays below what the server takes. */
const LARGEST = 1_000_000;

function download(name, text) {
  const link = el('a', { download: name, href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })) });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A link that opens this position as a new game. */
function positionLink(game, fen) {
  const rules = encodeURIComponent(JSON.stringify(game.rules));
  return `${location.origin}/#position=${game.game}&fen=${encodeURIComponent(fen)}&rules=${rules}`;
}

/** Shows the record of a game in any of its formats. */
export async function showSave(connection, game, formats, position) {
  const text = el('textarea', { readonly: true, rows: 12, 'aria-label': 'Record' });
  const format = select(formats.map((name) => [name, name.toUpperCase()]), formats[0], { name: 'format' });
  let name = '';
  const show = async () => {
    const record = await connection.ask('export', { id: game.id, format: format.value, node: position.node });
    [text.value, name] = [record.text, record.name];
  };
  format.addEventListener('change', show);
  await show();
  // Off this machine the browser has no clipboard for us, but copies what is selected.
  const copy = () => {
    text.select();
    document.execCommand('copy');
  };
  const fen = el('input', { readonly: true, value: position.fen, 'aria-label': 'Position' });
  const link = el('input', { readonly: true, value: positionLink(game, position.fen), 'aria-label': 'Link' });
  dialog('Save', [
    field('Format', format), text,
    el('div', { class: 'buttons' },
      el('button', { type: 'button', onclick: copy }, 'Copy'),
      el('button', { type: 'button', id: 'download', onclick: () => download(name, text.value) }, 'Download')),
    field('Position', fen), field('Link to the position', link),
  ]);
}

/** Asks for a record or a position to load. */
export function askLoad(hello, name, load) {
  const text = el('textarea', { rows: 12, name: 'record', 'aria-label': 'Record',
    placeholder: 'Paste a game (PGN, SGF, PDN) or a position (FEN), or choose a file' });
  const file = el('input', { type: 'file', 'aria-label': 'File' });
  let tooLong = false;
  file.addEventListener('change', async () => {
    const chosen = file.files[0];
    tooLong = chosen?.size > LARGEST;
    text.value = chosen && !tooLong ? await chosen.text() : '';
  });
  const game = select(hello.games.map((one) => [one.name, one.title]), name, { name: 'game' });
  dialog('Load', [field('Game', game), text, file], 'Load', () => {
    const isEmpty = text.value.trim() === '';
    if (isEmpty && !tooLong) throw new Error('There is nothing to load yet.');
    if (isEmpty || new Blob([text.value]).size > LARGEST) throw new Error('This is too long for one game.');
    return load(game.value, text.value);
  });
}
