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

/** With hundreds of tables something happens all the time: so rarely is all of it drawn again, ms. */
const REST_MS = 600;
/** So many tables can be looked over without searching. */
const MANY = 12;

let hall = null;
let list = null;
let find = null;
/** By table: its card, and what is on it. */
const cards = new Map();
let soon = 0;
/** From then on the results of a tournament are asked for again, and their least distance, ms. */
let again = 0;
const RESULTS_MS = 6000;
let connection = "connecting";

await begin();
const line = new Line(
  () => `api/hall/stream${page.query()}`,
  { hall: hear },
  (state) => {
    connection = state;
    drawHead();
  },
);
onLook(() => {
  line.open();
  list = null;
  show();
});
addEventListener("hashchange", show);
// "Quiet for 5 min" goes on while nothing happens.
setInterval(() => room() === "tables" && drawTables(), 30000);
show();

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
  hall = told;
  if (first) show();
  else if (!soon) {
    soon = setTimeout(() => {
      soon = 0;
      if (room() === "tables") drawTables();
    }, REST_MS);
    // A match that a table has recorded may be a result of the tournament that is shown.
    if (room() === "tournaments" && performance.now() > again) {
      again = performance.now() + RESULTS_MS;
      refreshTournaments(main, tournament());
    }
  }
}

function show() {
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
  if (!hall.tables.length) {
    list = null;
    return swap(main, h("section", { class: "empty" }, h("h2", {}, word("no_tables")), h("p", {}, word("no_tables_text"))));
  }
  // Tables at which something happens come first.
  const order = [...hall.tables].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, undefined, { numeric: true }));
  if (list?.parentElement !== main) {
    list = h("ul", { class: "tables" });
    find = h("input", { class: "find", type: "search", placeholder: word("find"), "aria-label": word("find"), oninput: drawTables });
    cards.clear();
    swap(main, find, list);
  }
  find.hidden = order.length <= MANY;
  const sought = find.hidden ? "" : find.value.trim().toLocaleLowerCase();
  arrange(order.filter((table) => fits(table, sought)));
}

/** Whether the table, its game or one of its players is called so. */
function fits(table, sought) {
  const names = [table.name, table.game_name ?? "", ...(table.players ?? []).map((player) => player.name)];
  return !sought || names.some((name) => name.toLocaleLowerCase().includes(sought));
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
