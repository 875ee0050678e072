// From touched spots to a move. Every legal move is a text and the spots a player touches to make it, so
// one rule serves all games: a touch keeps the moves that begin with the spots touched so far.

export class Choice {
  /** `legal` is the server's list: [text, spot, spot, ...] for each move. */
  constructor(legal = []) {
    this.legal = legal.map(([text, ...steps]) => ({ text, steps }));
    this.touched = [];
  }

  /** Moves that fit the touches so far. */
  fitting(touched = this.touched) {
    return this.legal.filter(({ steps }) => touched.every((spot, i) => steps[i] === spot));
  }

  /** Spots that would be a next touch. */
  next() {
    const depth = this.touched.length;
    return new Set(this.fitting().map(({ steps }) => steps[depth]).filter((spot) => spot !== undefined));
  }

  /** Whether a move could begin here. */
  begins(spot) {
    return this.legal.some(({ steps }) => steps[0] === spot);
  }

  /** Takes a touch. Returns the moves that are now complete: none yet, one to play, or several to choose from. */
  touch(spot) {
    const further = [...this.touched, spot];
    if (this.fitting(further).length > 0) this.touched = further;
    else if (this.touched.length === 1 && this.touched[0] === spot) this.touched = [];
    else this.touched = this.begins(spot) ? [spot] : [];
    if (this.touched.length === 0) return [];
    const fitting = this.fitting();
    const complete = fitting.filter(({ steps }) => steps.length === this.touched.length);
    return complete.length === fitting.length ? complete : [];
  }

  /** Forgets the touches. */
  clear() {
    this.touched = [];
  }
}
