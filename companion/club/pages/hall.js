// The hall: all tables, the season, tournaments. Which of them is shown is in the address (#…).

import { faceOf } from "../table/-/static/faces.js";
import { Line } from "../table/-/static/line.js";
import { begin, h, icon, onLook, page, swap, switches, word } from "../table/-/static/page.js";
import { showSeason } from "./season.js";
import { refreshTournaments, showTournaments } from "./tournaments.js";

const head = document.getElementById("head");
const rooms = document.getElementById("rooms");
const main = document.getElementById("main");
const ROOMS = ["tables", "season", "tournaments"];

/** Which tables may be shown, and the words for that. */
const SHOWS = { all: "show_all", playing: "show_playing", near: "show_near", over: "show_over" };

/** So many tables can be looked over without searching. */
const MANY = 12;
/** Least and most tables that are shown at once, and about how large a card is, px. */
const [LEAST, MOST, WIDE, HIGH] = [8, 60, 304, 230];
/** After so long without another letter it is searched, ms. */
const TYPED_MS = 300;

let hall = null;
let list = null;
let tools = null;
/** What is looked for, and how many tables come before those that are shown. */
const view = { find: "", show: "all", start: 0 };
/** By table: its card, and what is on it. */
const cards = new Map();
let typed = 0;
/** From then on the results of a tournament are asked for again, and their least distance, ms. */
let again = 0;
const RESULTS_MS = 6000;
let connection = "connecting";
let listens = "";

await begin();
const line = new Line(
  address,
  { hall: hear },
  (state) => {
    connection = state;
    drawHead();
  },
);
onLook(() => {
  list = null;
  show();
});
addEventListener("hashchange", show);
addEventListener("resize", listen);
// "Quiet for 5 min" goes on while nothing happens.
setInterval(() => room() === "tables" && drawTables(), 30000);
show();

/** Only what fits on the screen is asked for. */
function address() {
  const columns = Math.max(1, Math.floor((document.body.clientWidth - 18) / WIDE));
  const fits = Math.min(MOST, Math.max(LEAST, columns * Math.ceil(innerHeight / HIGH)));
  listens = `api/hall/stream${page.query({ ...view, count: room() === "tables" ? fits : 0 })}`;
  return listens;
}

/** Listen to what is to be shown, unless that is so already. */
function listen() {
  const before = listens;
  if (address() !== before) line.open();
}

function look(changed) {
  Object.assign(view, { start: 0 }, changed);
  listen();
}

/** The room in the address, and what is behind it: `#tournaments/7`. */
function room() {
  const name = location.hash.slice(1).split("/")[0];
  return ROOMS.includes(name) ? name : "tables";
}

/** The tournament in the address; 0: the list. */
function tournament() {
  return Number(location.hash.split("/")[1] ?? 0);
}

function hear(told) {
  const first = !hall;
  const paired = hall?.paired;
  hall = told;
  if (first && room() !== "tournaments") return show();
  // So many tables are no longer found.
  if (told.start && !told.tables.length && room() === "tables") return look({});
  if (room() === "tables") drawTables();
  // Another round, or a result; or a game has begun at a table. Not everybody asks at once.
  if (first) {
    drawHead();
    refreshTournaments(main, tournament());
  } else if (room() === "tournaments" && (told.paired !== paired || performance.now() > again)) {
    again = performance.now() + RESULTS_MS;
    setTimeout(() => room() === "tournaments" && refreshTournaments(main, tournament()), 1000 * Math.random());
  }
}

function show() {
  listen();
  drawHead();
  const here = room();
  if (here === "tables") drawTables();
  else if (here === "season") showSeason(main);
  else showTournaments(main, tournament());
}

function drawHead() {
  const state = {
    connecting: ["quiet", "wifi", "connecting"], open: ["ok", "live", "live"],
    away: ["stop", "nowifi", "away"],
  }[connection] ?? ["quiet", "wifi", "connecting"];
  document.title = hall ? `${hall.club} – Heelstone` : "Heelstone";
  swap(
    head,
    h("div", { class: "title" },
      h("h1", {}, hall ? hall.club : "Heelstone"),
      h("span", { class: "sub" }, word("hall"))),
    h("div", { class: "chips" },
      h("span", { class: `badge-chip ${state[0]}`, role: "status" }, icon(state[1]), word(state[2])),
      switches()),
  );
  swap(
    rooms,
    ROOMS.map((name) =>
      h("a", { class: "room", href: `#${name}`, "data-key": name,
               "aria-current": name === room() ? "page" : null }, word(name))),
  );
}

function drawTables() {
  if (!hall) return swap(main);
  const sought = view.find || view.show !== "all" || view.start;
  if (!hall.counts.all && !sought) {
    list = null;
    return swap(main, h("section", { class: "empty" }, h("h2", {}, word("no_tables")), h("p", {}, word("no_tables_text"))));
  }
  if (list?.parentElement !== main) {
    list = h("ul", { class: "tables" });
    tools = makeTools();
    cards.clear();
    swap(main, tools.top, list, tools.none, tools.bottom);
  }
  drawTools(sought);
  arrange(hall.tables);
}

/** Search, filters, and keys to the other tables; made once, so that fingers and letters stay where they are. */
function makeTools() {
  const find = h("input", {
    class: "find", type: "search", maxlength: 80, placeholder: word("find"), "aria-label": word("find"), value: view.find,
    oninput: () => {
      clearTimeout(typed);
      typed = setTimeout(() => look({ find: find.value.trim() }), TYPED_MS);
    },
  });
  const filters = Object.keys(SHOWS).map((show) =>
    h("button", { class: "key filter", type: "button", "data-key": `show ${show}`, onclick: () => look({ show }) }));
  const turn = (by, sign, key) =>
    h("button", { class: "key", type: "button", "data-key": key, "aria-label": word(key), title: word(key), onclick: () => turnBy(by) }, icon(sign));
  const [back, on] = [turn(-1, "back", "tables_before"), turn(1, "on", "tables_after")];
  const where = h("span", { class: "where", role: "status" });
  return {
    filters, back, on, where,
    top: h("div", { class: "tools" }, find, h("div", { class: "filters", role: "group", "aria-label": word("tables") }, filters)),
    none: h("p", { class: "none" }, word("none_found")),
    bottom: h("div", { class: "tools turns" }, back, where, on),
  };
}

function drawTools(sought) {
  const found = hall.counts[view.show];
  tools.top.hidden = !sought && hall.counts.all <= MANY;
  tools.none.hidden = hall.tables.length > 0;
  tools.bottom.hidden = found <= hall.tables.length;
  tools.back.disabled = hall.start === 0;
  tools.on.disabled = hall.start + hall.tables.length >= found;
  tools.where.textContent = word("tables_of", { from: hall.start + 1, to: hall.start + hall.tables.length, count: found });
  for (const [number, [show, key]] of Object.entries(SHOWS).entries()) {
    tools.filters[number].setAttribute("aria-pressed", String(show === view.show));
    tools.filters[number].textContent = `${word(key)} (${hall.counts[show]})`;
  }
}

function turnBy(by) {
  const size = Number(new URLSearchParams(listens.split("?")[1]).get("count"));
  view.start = Math.max(0, view.start + by * size);
  listen();
  scrollTo(0, 0);
}

/** Only the cards on which something has changed are made anew. */
function arrange(order) {
  let next = list.firstElementChild;
  for (const table of order) {
    const what = JSON.stringify([{ ...table, heard_s: 0, changed_s: 0 }, quietFor(table), page.words.lang]);
    let card = cards.get(table.name);
    if (card?.what !== what) {
      const node = tableCard(table);
      if (card) {
        const focused = card.node.contains(document.activeElement);
        if (card.node === next) next = node;
        card.node.replaceWith(node);
        if (focused) node.querySelector("a").focus({ preventScroll: true });
      }
      card = { node, what };
      cards.set(table.name, card);
    }
    if (card.node === next) next = next.nextElementSibling;
    else list.insertBefore(card.node, next);
  }
  const there = new Set(order.map((table) => table.name));
  for (const [name, card] of cards) {
    if (there.has(name)) continue;
    card.node.remove();
    cards.delete(name);
  }
}

function rank(table) {
  if (table.status === "open") return quietMinutes(table) < 30 ? 0 : 1;
  return table.match ? 2 : 3;
}

function quietMinutes(table) {
  return Math.floor((Date.now() / 1000 - (table.changed_s ?? table.heard_s)) / 60);
}

/** So long is said that a table is quiet, minutes; 0: it is not said. */
function quietFor(table) {
  const quiet = quietMinutes(table);
  return table.status === "open" && quiet >= 5 ? quiet : 0;
}

function tableCard(table) {
  const open = table.status === "open";
  return h(
    "li",
    {},
    h(
      "a",
      { class: `table-card ${open ? "open" : ""}`, href: `table/${table.name}/${page.query()}`, "data-key": table.name },
      h("div", { class: "table-head" }, h("h2", {}, table.name), standing(table)),
      table.match
        ? [
            h("p", { class: "game-name" }, table.game_name),
            h("ul", { class: "seats" }, table.players.map((player) => seat(player, open))),
            h("p", { class: "told" }, told(table)),
          ]
        : h("p", { class: "told" }, word(table.wait ? "connecting" : table.unknown ? "unknown_match" : "no_match_there")),
    ),
  );
}

function standing(table) {
  if (!table.match) return null;
  if (table.status === "open") {
    const quiet = quietFor(table);
    if (quiet) return h("span", { class: "badge-chip quiet" }, word("quiet", { time: span(quiet) }));
    return h("span", { class: "badge-chip ok" }, icon("live"), word("playing"));
  }
  return h("span", { class: "badge-chip quiet" }, word(table.status === "finished" ? "over" : "given_up"));
}

function span(minutes) {
  if (minutes < 60) return word("minutes", { count: minutes });
  if (minutes < 48 * 60) return word("hours", { count: Math.floor(minutes / 60) });
  return word("days", { count: Math.floor(minutes / 1440) });
}

function seat(player, open) {
  return h(
    "li",
    { class: `seat ${open && player.asked ? "asked" : ""}` },
    faceOf(player, "small"),
    h("span", { class: "name" }, player.name),
    open && player.asked ? h("span", { class: "mark" }, word("to_move")) : null,
    h("span", { class: "score" }, player.score ?? "–"),
  );
}

function told(table) {
  if (table.waits_for) return word("waits_for", { number: table.waits_for });
  return table.outcome ?? `${word("turn", { turn: table.turn })} · ${table.prompt ?? ""}`;
}
