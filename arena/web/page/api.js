// The JSON interface of the server (arena/doc/web.md) as functions that return promises.

// A failed request, in words for the visitor. `status` is 0 if no answer came.
export class ApiError extends Error {
  constructor(status, text, detail = {}) {
    super(text);
    this.status = status;
    this.column = detail.column;
    this.field = detail.field;
    this.ply = detail.ply;
    this.retryAfter = detail.retryAfter;
  }
  // Whether the same request may succeed later.
  get temporary() {
    return this.status === 0 || this.status >= 500;
  }
}

// Tells that the server is slow if an answer takes longer than a second.
export const patiently = async (answer, tell) => {
  const late = setTimeout(() => tell("The server has not answered yet: still waiting…"), 1000);
  try {
    return await answer;
  } finally {
    clearTimeout(late);
  }
};

// Nimbers above 2^53 stay text. (Quotes within strings are escaped.)
const parse = (text) =>
  JSON.parse(text.replace(/"((?:end_)?nimber)":(\d{16,})/g, '"$1":"$2"'));

const read = async (response) => {
  let body = null;
  try {
    body = parse(await response.text());
  } catch {
    /* reported below */
  }
  if (response.ok && body !== null) return body;
  const error = body?.error ?? {};
  const after = Number(response.headers.get("Retry-After")) || undefined;
  throw new ApiError(response.status, error.text ?? `the server answers ${response.status}`, {
    column: error.column,
    field: error.field,
    ply: error.ply,
    retryAfter: after,
  });
};

// The server knows how long its options let an answer take, and replies 504 after that. This
// is for a connection that was lost without a word, as by a laptop that slept.
const kPatience = 600000; // ms

const send = async (path, init) => {
  const patience = AbortSignal.timeout(kPatience);
  let response;
  try {
    response = await fetch(path, {...init, signal: patience});
  } catch {
    const late = patience.aborted;
    throw new ApiError(0, late ? "the server does not answer" : "the server cannot be reached");
  }
  return read(response);
};

const post = (path, body) =>
  send(path, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify(body),
  });

export const site = () => send("/api/site", {});
export const newPile = (ruleset, size, convention) =>
  post("/api/pile", {ruleset, size, convention});
// `last`: the position of the puzzle before, which is not wanted again.
export const puzzle = (ruleset, level, last) =>
  post("/api/puzzle", {level, ...(ruleset !== "" && {ruleset}), ...(last !== "" && {last})});
export const game = (position, moves) => post("/api/game", {position, moves});
export const evaluate = (position, moves) => post("/api/evaluate", {position, moves});
export const review = (position, moves) => post("/api/review", {position, moves});
export const reply = (position, moves, opponent) =>
  post("/api/reply", {position, moves, opponent});
export const explore = (wanted) => post("/api/explore", wanted);
export const movesOf = (position, moves, pile, offset, limit) =>
  post("/api/moves", {position, moves, pile, offset, limit});
