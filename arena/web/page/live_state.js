// The state from /api/live: a whole state, and the changes since (arena/doc/web.md).

const kMostFinished = 50;

export class LiveState {
  constructor() { this.clear(); }

  clear() {
    this.tournament = {name: "", format: null, state: "waiting", seed: null};
    this.players = new Map();   // by number
    this.progress = null;
    this.standings = [];
    this.workers = [];          // where several processes play
    this.boards = new Map();    // by number, those with a game
    this.finished = new Map();  // by game, the newest last
  }

  // Applies an event, and returns the names of the changed parts as a set. `now` is its time of
  // arrival, from which the clocks of its boards run.
  take(event, now) {
    if (event.whole) this.clear();
    for (const key of ["tournament", "progress", "standings", "workers"]) {
      if (event[key] !== undefined) this[key] = event[key];
    }
    for (const player of event.players ?? []) this.players.set(player.player, player);
    for (const board of event.boards ?? []) {
      if (board.game === null) this.boards.delete(board.board);
      else this.boards.set(board.board, {...board, since: now - (board.elapsed ?? 0)});
    }
    for (const game of event.finished ?? []) this.finished.set(game.game, game);
    for (const name of this.finished.keys()) {
      if (this.finished.size <= kMostFinished) break;
      this.finished.delete(name);
    }
    return new Set(event.whole
      ? ["tournament", "players", "progress", "standings", "workers", "boards", "finished"] : Object.keys(event));
  }

  nameOf(player) { return this.players.get(player)?.name || `player ${player + 1}`; }

  // Milliseconds on the clock of a seat; null without a clock.
  timeOf(board, seat, now) {
    const left = board.clocks[seat];
    if (left === null) return null;
    return board.to_move === seat ? Math.max(0, left - (now - board.since)) : left;
  }
}
