// The wire to the server: requests with their answers, news as they come, and a new try when it breaks.

import { recall, remember } from './aids.js';

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
const TOKEN = 'quintet-token';

let token = recall(TOKEN);

/** Keeps the token where only this page finds it: never in the address, which is shown, logged and copied. */
export function keepToken(text) {
  if (!/^[A-Za-z0-9-]+$/.test(text)) throw new Error('A token has only letters, digits and hyphens.');
  token = text;
  remember(TOKEN, text);
}

/** Whether the board wants another token than the one we have. */
async function isLocked() {
  const answer = await fetch('/token', { headers: { Authorization: `Bearer ${token ?? ''}` } }).catch(() => null);
  return answer?.status === 401;
}

export class Connection {
  /** `hear(message)` gets the news, `change(isOpen)` the state of the wire; `unlock()` asks for the token and keeps it. */
  constructor(hear, change, unlock) {
    this.hear = hear;
    this.change = change;
    this.unlock = unlock;
    this.waiting = new Map();
    this.number = 0;
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`, token ? ['quintet', token] : ['quintet']);
    this.socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.change(true);
    };
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = () => this.reopen();
  }

  async reopen() {
    for (const { fail } of this.waiting.values()) fail(new Error('the connection was lost'));
    this.waiting.clear();
    this.change(false);
    if (await isLocked()) await this.unlock();
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  take(message) {
    const asked = this.waiting.get(message.reply);
    if (!asked) return this.hear(message);
    this.waiting.delete(message.reply);
    if (message.type === 'error') asked.fail(new Error(message.text));
    else asked.done(message);
  }

  /** Asks for something: ask('play', { id, node, move }). Resolves with the answer. */
  ask(what, details = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('there is no connection'));
    const number = ++this.number;
    this.socket.send(JSON.stringify({ do: what, reply: number, ...details }));
    return new Promise((done, fail) => this.waiting.set(number, { done, fail }));
  }
}
