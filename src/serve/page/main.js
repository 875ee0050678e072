// The page: follows one game on the server, shows it, and sends what the user does.

import { AIDS, aid, applyTheme, recall, remember, setAid } from './aids.js';
import { Board } from './board.js';
import { Choice } from './choice.js';
import { Connection, keepToken } from './connection.js';
import { Controls } from './controls.js';
import { byId, el, field, select, svg } from './dom.js';
import { askLoad, showSave } from './files.js';
import { dialog, seatFields } from './forms.js';
import { Graph } from './graph.js';
import { showKnown } from './known.js';
import { Moves, lineThrough, lineTo } from './moves.js';
import { drawPiece, gradients } from './pieces.js';
import { Players } from './players.js';
import { Setup } from './setup.js';
import { sound } from './sound.js';
import { askNewGame, showGames, usualSeats } from './start.js';
import { Thinking } from './thinking.js';

const HUMAN = 'human';

class Page {
  constructor() {
    this.hello = null;
    this.game = null;
    this.position = null;
    this.choice = new Choice();
    this.flipped = false;
    this.hint = null;
    this.setup = null;
    this.board = new Board(byId('board'), (spot, how) => this.touch(spot, how), (spot) => this.grip(spot));
    this.moves = new Moves(byId('moves'), (node) => this.look(node));
    this.graph = new Graph(byId('graph'), (node) => this.look(node));
    this.thinking = new Thinking(byId('thinking'));
    this.players = new Players(byId('top'), byId('bottom'), (side) => this.askSeat(side));
    this.controls = new Controls(byId('controls'), (name) => this.press(name));
    this.connection = new Connection((message) => this.hear(message), (open) => this.connected(open), () => this.askToken());
    this.listen();
  }

  listen() {
    byId('new').onclick = () => askNewGame(this.hello, this.game?.game ?? this.hello.usual_game, (details) => this.create(details));
    byId('games').onclick = () => showGames(this.connection, (id) => this.open(id))
      .catch((e) => this.say(e.message, true));
    byId('load').onclick = () => askLoad(this.hello, this.game?.game, (game, text) => this.load(game, text));
    byId('save').onclick = () => this.save();
    byId('setup').onclick = () => this.beginSetup();
    byId('settings').onclick = () => this.askSettings();
    byId('typing').onsubmit = (event) => {
      event.preventDefault();
      this.type(byId('typed').value.trim());
    };
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('hashchange', () => this.openLink());
  }

  // What the server says.

  connected(open) {
    if (open) return;
    const problem = this.hello ? 'The connection was lost' : 'The board does not answer';
    this.say(`${problem}; trying again …`, true);
  }

  /** Asks for the token; comes back when the dialog is closed. */
  askToken() {
    const token = el('input', { name: 'token', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
    const where = 'It is printed where the board was started, and kept in the file “token” of its data folder.';
    const content = [field('Token', token), el('p', { class: 'note' }, where)];
    return new Promise((done) => {
      dialog('This board wants its token', content, 'Enter', () => keepToken(token.value.trim()))
        .addEventListener('close', done);
    });
  }

  hear(message) {
    if (message.type === 'hello') return this.greet(message);
    if (message.type === 'players') return Object.assign(this.hello, { agents: message.agents });
    if (message.id !== this.id) return;
    if (message.type === 'game') this.follow(message);
    if (message.type === 'thought') this.overhear(message);
    if (message.type === 'gone') this.say('This game was deleted.', true);
  }

  greet(hello) {
    this.hello = hello;
    document.querySelector('header nav').inert = false;
    if (this.id) this.open(this.id);
    else this.openLink();
  }

  async openLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    try {
      if (link.has('game')) {
        if (link.get('game') !== this.id) await this.watch(link.get('game'));
      } else if (link.has('position')) {
        await this.openPosition(link);
      } else {
        await this.openUsual();
      }
    } catch (problem) {
      this.say(problem.message, true);
      if (!this.game) await this.openUsual();
    }
  }

  openPosition(link) {
    const game = this.gameNamed(link.get('position'));
    const rules = JSON.parse(link.get('rules') ?? '[]');
    return this.create({ game: game.name, rules, fen: link.get('fen'), seats: usualSeats(this.hello, game), clock: null });
  }

  /** The last game the user had open here, or a fresh one. */
  async openUsual() {
    const kept = recall('quintet-game');
    if (kept && await this.watch(kept).then(() => true, () => false)) return;
    const game = this.gameNamed(this.hello.usual_game);
    await this.create({ game: game.name, rules: [], fen: null, seats: usualSeats(this.hello, game), clock: null });
  }

  gameNamed(name) {
    const game = this.hello.games.find((one) => one.name === name);
    if (!game) throw new Error(`There is no game called ${name}.`);
    return game;
  }

  async create(details) {
    const { id } = await this.connection.ask('new', details);
    await this.watch(id);
  }

  /** Watches a game, or says why that cannot be. */
  open(id) {
    return this.watch(id).catch((problem) => this.say(problem.message, true));
  }

  async watch(id) {
    const before = this.id;
    this.id = id;
    try {
      const game = await this.connection.ask('watch', { id });
      if (before !== id) this.arrive(game);
      this.follow(game.game, true);
    } catch (problem) {
      this.id = before;
      throw problem;
    }
  }

  /** Another game than before is shown. */
  arrive({ ground, game }) {
    remember('quintet-game', game.id);
    history.replaceState(null, '', `${location.pathname}${location.search}#game=${game.id}`);
    this.ground = ground;
    this.about = this.gameNamed(game.game);
    this.game = this.position = this.hint = this.setup = null;
    this.thinking.clear();
    const humans = game.seats.map(({ kind }) => kind === HUMAN);
    this.flipped = humans[1] && !humans[0];
    // A board of Go has the same corner at the bottom left, whoever sits there.
    this.upright = this.flipped && ground.kind === 'grid';
    byId('save').disabled = byId('setup').disabled = false;
    byId('title').textContent = this.about.title;
    document.title = `${this.about.title} – Quintet`;
    this.shape();
  }

  shape() {
    this.board.shape(this.ground, this.about.pieces, this.flipped !== this.upright, aid('coordinates'));
  }

  follow(game, isFirst = false) {
    const before = this.game;
    // News may arrive after the answer that is newer than they are.
    if (!isFirst && before && game.version < before.version) return;
    const wasFollowing = !before || !this.position || this.position.node === before.at;
    this.game = game;
    if (wasFollowing) {
      const isMove = before && this.position && game.at !== before.at;
      this.turnTo(game.position, isMove);
      if (isMove) sound(game.result ? 'end' : 'move');
    }
    if (isFirst) this.say(null);
    if (wasFollowing && game.watching && before && game.at !== before.at) this.ask('think', { node: game.at });
    this.draw();
  }

  overhear(thought) {
    this.thinking.hear(thought);
    if (this.position) this.drawBoard(false);
  }

  // What is shown.

  turnTo(position, glide) {
    const touched = this.position?.node === position.node ? this.choice.touched : [];
    this.hint = this.hint?.node === position.node ? this.hint : null;
    this.position = position;
    this.choice = new Choice(this.mayMove() ? position.legal : []);
    // What has nothing to do with the position must not take the piece out of the user's hand.
    if (this.choice.fitting(touched).length > 0) this.choice.touched = touched;
    this.glide = glide && aid('animation');
  }

  /** Whether a human may move in the position shown. */
  mayMove() {
    const { game, position } = this;
    if (position.outcome || (game.result && position.node === game.at)) return false;
    return game.seats[position.turn].kind === HUMAN;
  }

  draw() {
    const { game, position } = this;
    const pass = this.choice.legal.find(({ steps }) => steps.length === 0);
    const human = game.seats.some(({ kind }) => kind === HUMAN);
    const engine = game.seats.some(({ kind }) => kind !== HUMAN);
    this.controls.show({ game, position, pass, human, engine, counting: this.isCounting() });
    this.players.show(game, position, this.flipped);
    this.drawMoves();
    this.graph.show(game, position.node);
    showKnown(byId('known'), this.setup ? null : position.known);
    for (const name of ['moves', 'message', 'known', 'thinking', 'graph']) {
      byId(name).classList.toggle('off', !aid(name));
    }
    byId('controls').hidden = byId('typing').hidden = Boolean(this.setup);
    // The list's place is the palette's as well.
    if (this.setup) byId('moves').classList.remove('off');
    if (!this.notice) this.say(null);
    this.drawBoard(this.glide);
    this.glide = false;
    this.tell();
  }

  /** What is shown, in words for whoever looks from outside. */
  tell() {
    const { game, position } = this;
    const ply = lineTo(game.nodes, position.node).length;
    Object.assign(byId('stage').dataset, {
      id: game.id, game: game.game, at: game.at, node: position.node, ply, turn: position.turn, version: game.version,
      fen: position.fen, state: game.result ? 'over' : this.isCounting() ? 'counting' : game.paused ? 'paused'
        : game.thinking ? 'thinking' : 'waiting',
    });
  }

  /** Whether dead stones are to be agreed on in the position shown. */
  isCounting() {
    return Boolean(this.game.counting) && !this.game.result && this.position.node === this.game.at;
  }

  drawMoves() {
    if (this.setup) return;
    const second = this.game.black_first !== (this.about.first === 'black');
    this.moves.show(this.game, this.position.node, second);
  }

  drawBoard(glide) {
    if (this.setup) {
      this.board.show({ letters: this.setup.letters.join('') });
      return;
    }
    const { position, choice } = this;
    const touched = choice.touched;
    const next = aid('destinations') && touched.length > 0 ? choice.next() : [];
    const count = position.node === this.game.at ? this.game.counting : null;
    const arrows = [...(aid('arrows') && aid('thinking') ? this.thinking.arrows(position.node) : [])];
    if (this.hint?.node === position.node) arrows.push({ steps: this.hint.steps, rank: 1 });
    this.board.show({
      letters: position.letters, touched, next, arrows, glide,
      last: aid('last') ? position.last : [],
      check: position.check,
      owners: aid('ownership') ? count?.owners ?? this.thinking.ownersAt(position.node) : [],
      dead: count && (aid('ownership') || this.isCounting()) ? count.dead : [],
    });
  }

  /** The move shown, what was said about it, and how the game stands: all that a listener hears of a move. */
  status() {
    if (this.setup) return 'Setting up a position.';
    const { text, comment } = this.game.nodes[this.position.node];
    const mover = ['White', 'Black'][1 - this.position.turn];
    return [text && `${mover}: ${text}.`, comment && `“${comment}”`, this.standing()].filter(Boolean).join(' ');
  }

  standing() {
    const { game, position } = this;
    if (game.result && position.node === game.at) {
      const { winner, reason } = game.result;
      return winner === null ? `Drawn: ${reason}.` : `${['White', 'Black'][winner]} wins: ${reason}.`;
    }
    if (game.problem) return game.problem;
    if (this.isCounting()) {
      const { margin } = game.counting;
      const lead = margin === 0 ? 'the points are level' : `${margin > 0 ? 'Black' : 'White'} leads by ${Math.abs(margin)}`;
      return `Counting: ${lead}. Click stones to mark them dead or alive; then agree, or undo to play on.`;
    }
    if (game.paused) return 'The engines are paused.';
    const side = ['White', 'Black'][position.turn];
    if (position.node !== game.at) return `An earlier position; ${side} to move. Play on from here, or step forward.`;
    if (game.sweeping) return `Analysing: ${game.sweeping[0]} of ${game.sweeping[1]} moves.`;
    if (game.offered) return `A draw is offered. ${side} to move.`;
    return game.thinking ? `${side} is thinking …` : `${side} to move.`;
  }

  /** Shows a message for a while, or for good what stands on the board. */
  say(text, isError = false) {
    const node = byId('message');
    clearTimeout(this.notice);
    this.notice = null;
    node.classList.toggle('error', Boolean(text) && isError);
    if (text) this.notice = setTimeout(() => this.say(null), 6000);
    const words = text ?? (this.game ? this.status() : '');
    // What is written again is read aloud again.
    if (node.textContent !== words) node.textContent = words;
  }

  // What the user does.

  ask(what, details = {}) {
    return this.connection.ask(what, { id: this.id, ...details })
      .then((answer) => { if (this.notice) this.say(null); return answer; })
      .catch((problem) => this.say(problem.message, true));
  }

  grip(spot) {
    return !this.setup && this.choice.begins(spot) && this.choice.touched.length < 2;
  }

  touch(spot, how) {
    if (this.setup) return this.setup.touch(spot);
    if (this.isCounting()) return this.ask('mark', { spot });
    if (how === 'lift') this.choice.clear();
    const complete = this.choice.touch(spot);
    if (complete.length === 1) this.play(complete[0].text);
    else if (complete.length > 1) this.askWhich(complete);
    else this.drawBoard(false);
  }

  play(text) {
    this.choice.clear();
    this.drawBoard(false);
    return this.ask('play', { node: this.position.node, move: text, at: this.game.at });
  }

  /** Several moves touch the same spots: the user chooses what the piece becomes. */
  askWhich(moves) {
    const pieces = this.about.pieces;
    const white = this.position.turn === 0;
    const node = dialog('Which move?', el('div', { class: 'palette' }, moves.map(({ text }) => {
      const letter = text.slice(-1);
      const name = pieces[white ? letter.toUpperCase() : letter.toLowerCase()];
      return el('button', { type: 'button', 'aria-label': name ?? text, title: text,
        onclick: () => { node.close(); this.play(text); } },
        name ? svg('svg', { viewBox: '-.5 -.5 1 1', class: 'board' }, gradients(), drawPiece(name)) : text);
    })));
    node.addEventListener('close', () => { this.choice.clear(); this.drawBoard(false); });
  }

  async type(text) {
    if (text === '') return;
    byId('typed').value = '';
    const known = this.board.byName.get(text);
    if (!known) return this.play(text);
    // The name of a square may be a move as well, such as a pawn's; otherwise it is looked at.
    const details = { id: this.id, node: this.position.node, move: text, at: this.game.at };
    return this.connection.ask('play', details).catch(() => this.board.focus(known));
  }

  async look(node) {
    if (node === this.game.at) this.turnTo(this.game.position, false);
    else {
      const answer = await this.ask('look', { node });
      if (!answer) return;
      this.turnTo(answer.position, false);
    }
    this.draw();
    if (this.game.watching) this.ask('think', { node });
  }

  /** Steps through the game without changing it. */
  step(by) {
    const line = [0, ...lineThrough(this.game.nodes, this.game.at)];
    const shown = line.includes(this.position.node) ? line : [0, ...lineThrough(this.game.nodes, this.position.node)];
    const place = Math.max(0, Math.min(shown.length - 1, shown.indexOf(this.position.node) + by));
    if (shown[place] !== this.position.node) this.look(shown[place]);
  }

  key(event) {
    if (!this.game || event.target.closest('input, textarea, select, dialog')) return;
    if (event.key === 'Escape') { this.choice.clear(); this.drawBoard(false); }
    // On the board the arrows walk.
    if (event.target.closest('.board') || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -Infinity, ArrowDown: Infinity, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      event.preventDefault();
      this.step(steps[event.key]);
    } else if (event.key === 'f') this.press('flip');
  }

  async press(name) {
    const node = this.position.node;
    if (name === 'flip') {
      this.flipped = !this.flipped;
      this.shape();
      this.draw();
    } else if (name === 'hint') {
      this.say('Looking for a hint …');
      const { id } = this;
      const hint = await this.ask('hint', { node });
      // The user may have gone on meanwhile.
      if (!hint || id !== this.id || node !== this.position.node) return;
      this.hint = hint;
      this.drawBoard(false);
      this.say(`Hint: ${hint.text}`);
    } else if (name === 'pass') {
      const pass = this.choice.legal.find(({ steps }) => steps.length === 0);
      if (pass) this.play(pass.text);
    } else if (name === 'rematch') {
      const answer = await this.ask('rematch');
      if (answer) await this.open(answer.id);
    } else if (name === 'think') {
      if (this.game.watching) this.thinking.clear();
      this.ask('think', { node: this.game.watching ? null : node });
    } else if (name === 'undo' || name === 'redo') {
      this.turnTo(this.game.position, false);
      this.ask(name, { at: this.game.at });
    } else {
      this.ask(name);
    }
  }

  askSeat(side) {
    const title = ['White', 'Black'][side];
    const form = seatFields(this.hello, this.about, this.game.seats[side], title);
    dialog(`Who plays ${title}?`, form.node, 'Change', () =>
      this.connection.ask('seat', { id: this.id, side, seat: form.read() }));
  }

  async load(game, text) {
    const { id } = await this.connection.ask('import', { game, text });
    await this.watch(id);
  }

  save() {
    showSave(this.connection, this.game, this.about.formats, this.position).catch((e) => this.say(e.message, true));
  }

  async beginSetup() {
    const origin = await this.ask('look', { node: 0 });
    if (!origin) return;
    const leave = () => {
      this.setup = null;
      this.say(null);
      this.draw();
    };
    const state = { ground: this.ground, names: this.about.pieces, letters: this.position.letters,
      turn: this.position.turn, start: origin.position.letters };
    this.setup = new Setup(byId('moves'), state, {
      change: () => this.drawBoard(false),
      leave,
      done: async (letters, turn) => {
        const answer = await this.ask('compose', { letters, turn });
        if (!answer) return;
        const { game, rules } = this.game;
        leave();
        askNewGame(this.hello, game, (details) => this.create(details), answer.fen, rules);
      },
    });
    this.say(null);
    this.draw();
  }

  askSettings() {
    const theme = select([['auto', 'follow the system'], ['light', 'light'], ['dark', 'dark']], aid('theme'),
      { onchange: (event) => setAid('theme', event.target.value) });
    const switches = AIDS.map(([name, , text]) => field(text, el('input', {
      type: 'checkbox', name, checked: aid(name),
      onchange: (event) => {
        setAid(name, event.target.checked);
        if (name === 'coordinates') this.shape();
        this.draw();
      },
    })));
    dialog('Settings', [field('Colours', theme), switches]);
  }
}

applyTheme();
new Page();
