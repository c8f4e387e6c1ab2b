// The spectators' page: the live match, and looking back at it.

import { Board, boardElement } from "./board.js";
import { faceOf } from "./faces.js";
import { Line } from "./line.js";
import { askedSeat, explanation, hasBoard, isOutOfTurn, market, playerCard, question } from "./match_parts.js";
import { sheetTable } from "./pad.js";
import { begin, getJson, h, icon, onLook, page, Refused, swap, switches, word } from "./page.js";
import { Shapes } from "./table_shapes.js";

const head = document.getElementById("head");
const main = document.getElementById("main");
const BUSY_MS = 400;
const spoken = document.getElementById("told");

/** The match as it is now, and the moment that is looked back at, if any. */
let live = null;
let past = null;
let wanted = null;
let shapes = null;
let fetching = false;
let connection = "connecting";
let problem = null;
let board = null;
let rooms = null;

const shapesWanted = new Shapes((found) => {
  shapes = found;
  board?.use(found);
  draw();
});
await begin();
const line = new Line(
  () => `api/stream${page.query()}`,
  { table: hear },
  (state) => {
    connection = state;
    drawHead();
  },
);
onLook(() => {
  line.open();
  if (past) lookAt(past.ply);
  draw();
});
addEventListener("keydown", (event) => {
  if (!live?.match || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof HTMLInputElement) return;
  if (event.key === "ArrowLeft") lookAt((past ?? live).ply - 1);
  else if (event.key === "ArrowRight" && past) lookAt(past.ply + 1);
  else if (event.key === "Escape" && past) lookAt(null);
});
draw();

function hear(picture) {
  const other = picture.match !== live?.match;
  live = picture;
  if (other || (past && past.ply > picture.ply)) past = wanted = null;
  if (picture.match) {
    shapesWanted.want(picture);
    if (!past && picture.moves.length) spoken.textContent = picture.moves[0].text;
  }
  draw();
}

/** Look at the match after its first `ply` moves; null: as it is now. */
async function lookAt(ply) {
  problem = null;
  if (ply === null || ply >= live.ply) {
    past = wanted = null;
    draw();
    return;
  }
  wanted = Math.max(ply, 0);
  // One question at a time: while a finger drags, what lies between is skipped.
  if (fetching) return;
  fetching = true;
  let number = null;
  while (wanted !== null && wanted !== number) {
    number = wanted;
    try {
      const found = await getJson(`api/plies/${number}${page.query()}`);
      if (wanted !== null && found.match === live.match) past = found;
    } catch (error) {
      if (error instanceof Refused && error.status === 429) {
        await new Promise((done) => setTimeout(done, BUSY_MS));
        number = null;
      } else if (wanted === number) {
        wanted = past = null;
        problem = error instanceof Refused && error.said.title ? error.said : null;
      }
    }
    draw();
  }
  fetching = false;
}

// -- drawing -----------------------------------------------------------------------------------

function draw() {
  drawHead();
  const open = Boolean(live?.match);
  document.body.classList.toggle("looking-back", Boolean(past));
  if (!open) {
    rooms = null;
    board = null;
    swap(main, nothing());
    document.title = "Heelstone";
    return;
  }
  if (!rooms) build();
  const picture = past ?? live;
  document.title = `${live.game_name} – Heelstone`;
  main.dataset.ply = String(picture.ply);
  swap(rooms.players, picture.players.map((player) => playerCard(shapes, picture, player)));
  rooms.players.dataset.count = String(picture.players.length);
  swap(rooms.note, explanation(picture) ?? prompted(picture));
  drawTable(picture);
  drawMoves(picture);
  drawScrub(picture);
}

function build() {
  board = null;
  rooms = {
    table: h("section", { class: "table", "aria-label": word("board"), tabindex: "0" }),
    players: h("ul", { class: "players" }),
    note: h("div", { class: "notes" }),
    moves: h("ol", { class: "moves", reversed: true, tabindex: "0" }),
    scrub: h("div", { class: "scrub" }),
  };
  rooms.movesTitle = h("h2", { class: "caption" });
  swap(
    main,
    rooms.players,
    rooms.table,
    rooms.note,
    h("section", { class: "history" }, rooms.movesTitle, rooms.moves, rooms.scrub),
  );
}

function drawHead() {
  const picture = past ?? live;
  const state = {
    connecting: ["quiet", "wifi", "connecting"], open: ["ok", "live", "live"],
    away: ["stop", "nowifi", "away"],
  }[connection] ?? ["quiet", "wifi", "connecting"];
  const then = past && connection === "open"
    ? ["quiet", "back", word("looking_back", { ply: past.ply, plies: live.ply })] : null;
  const [kind, sign, said] = then ?? [state[0], state[1], word(state[2])];
  swap(
    head,
    h(
      "div",
      { class: "title" },
      h("h1", {}, live?.match ? live.game_name : "Heelstone"),
      picture?.match ? h("span", { class: "sub" }, word("turn", { turn: picture.turn })) : null,
    ),
    h("div", { class: "chips" },
      h("span", { class: "badge-chip wide-only" }, icon("eye"), word("spectator")),
      h("span", { class: `badge-chip ${kind}`, role: "status" }, icon(sign), said),
      switches()),
  );
}

function nothing() {
  if (connection !== "open") {
    return h("div", { class: "empty" }, h("p", {}, word(connection === "away" ? "away_text" : "connecting")));
  }
  return h("div", { class: "empty" }, h("h2", {}, word("nobody_plays")), h("p", {}, word("nobody_plays_text")));
}

/** Who must do what, if nothing else is to be explained. */
function prompted(picture) {
  const asked = askedSeat(picture);
  const prompt = picture.prompt;
  if (!prompt) return null;
  const title = asked
    ? word(isOutOfTurn(picture, asked.seat) ? "asked_other" : "asked_title", { name: asked.name })
    : prompt.title;
  const what = asked ? question(picture, prompt) : "";
  return h(
    "section",
    { class: "note now" },
    h("h2", {}, icon("hand"), title),
    what ? h("p", { class: "question" }, what) : null,
    h("p", {}, prompt.text),
    picture.last?.text ? h("p", { class: "last" }, `${word("last_move")}: ${picture.last.text}`) : null,
  );
}

function drawTable(picture) {
  if (!hasBoard(picture)) {
    board = null;
    swap(rooms.table, market(shapes, picture), sheetTable(picture));
    return;
  }
  const label = [word("board_told", { game: picture.game_name }), picture.last?.text]
    .filter(Boolean).join(". ");
  if (!board) {
    const element = boardElement(label);
    swap(rooms.table, element);
    board = new Board(element.firstElementChild);
    if (shapes) board.use(shapes);
  }
  board.svg.setAttribute("aria-label", label);
  board.draw(picture.board);
}

function drawMoves(picture) {
  swap(rooms.movesTitle, word("moves"));
  if (!live.moves.length) {
    swap(rooms.moves, h("li", { class: "none" }, word("no_moves")));
    return;
  }
  swap(
    rooms.moves,
    gathered(live.moves).map((move) => {
      const player = live.players[move.seat];
      const here = move.first <= picture.ply && picture.ply <= move.ply;
      return h(
        "li",
        { value: move.ply },
        h(
          "button",
          {
            type: "button", class: here ? "move here" : "move", "data-key": `move ${move.ply}`,
            "aria-current": here ? "step" : null,
            onclick: () => lookAt(move.ply === live.ply ? null : move.ply),
          },
          h("span", { class: "ply" }, String(move.ply)),
          player ? faceOf(player, "small") : h("span", { class: "face small" }),
          h("span", { class: "text" }, move.first < move.ply ? `${move.text} × ${move.ply - move.first + 1}` : move.text),
        ),
      );
    }),
  );
}

/** Moves that say the same one after the other, such as cards drawn, as one line. */
function gathered(moves) {
  const found = [];
  for (const move of moves) {
    const last = found.at(-1);
    if (last && last.seat === move.seat && last.text === move.text) last.first = move.ply;
    else found.push({ ...move, first: move.ply });
  }
  return found;
}

function drawScrub(picture) {
  const key = (sign, name, disabled, onclick) =>
    h("button", {
      type: "button", class: "key icon-key", "data-key": name, "aria-label": word(name),
      title: word(name), disabled, onclick,
    }, icon(sign));
  // While it is dragged, the slider must stay the same element.
  let slider = rooms.scrub.querySelector("input");
  if (!slider) {
    slider = h("input", { type: "range", min: "0", step: "1", "data-key": "slider" });
    let soon = 0;
    slider.addEventListener("input", () => {
      clearTimeout(soon);
      soon = setTimeout(() => lookAt(Number(slider.value)), 60);
    });
  }
  slider.max = String(live.ply);
  slider.setAttribute("aria-label", word("choose_move"));
  slider.setAttribute("aria-valuetext", word("looking_back", { ply: picture.ply, plies: live.ply }));
  if (document.activeElement !== slider || !past) slider.value = String(picture.ply);
  const bar = h("div", { class: "keys" },
    key("back", "earlier", picture.ply <= 0, () => lookAt(picture.ply - 1)));
  const after = h("div", { class: "keys" },
    key("on", "later", !past, () => lookAt(picture.ply + 1)),
    past
      ? h("button", { type: "button", class: "key yellow", "data-key": "live", onclick: () => lookAt(null) },
          icon("live"), word("back_to_live"))
      : null);
  const focused = document.activeElement === slider;
  const line_ = past
    ? h("p", { class: "when" }, word("looking_back", { ply: picture.ply, plies: live.ply }))
    : problem ? h("p", { class: "when stop" }, `${problem.title} ${problem.text ?? ""}`) : null;
  if (slider.parentElement === rooms.scrub) {
    rooms.scrub.querySelectorAll(".keys, .when").forEach((old) => old.remove());
    slider.before(bar);
    slider.after(after);
    if (line_) rooms.scrub.append(line_);
  } else swap(rooms.scrub, bar, slider, after, line_);
  if (focused) slider.focus({ preventScroll: true });
}
