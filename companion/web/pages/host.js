// The host's page, at a table without a screen: it sets a match up, shows the codes of the seats, lets phones in.

import { Line } from "./line.js";
import { begin, getJson, h, icon, onLook, page, postJson, Refused, s, swap, switches, word } from "./page.js";

const head = document.getElementById("head");
const main = document.getElementById("main");
const PHONES = { free: "phone_free", waiting: "phone_waiting", open: "phone_open", renewed: "phone_renewed" };
const LEVELS = { "": "person", apprentice: "easy", druid: "good" };

let games = [];
let table = null;
let plan = null;
let line = null;
let connection = "connecting";
/** What went wrong with the last request. */
let trouble = "";
/** The seat whose code is shown, and whether it is asked if the match is to end; −1: none. */
let shown = -1;
let ending = false;

page.wordsAt = () => `api/host/words${page.query()}`;
const token = location.hash.slice(1);
if (token) history.replaceState(null, "", location.pathname + location.search);
await begin();
onLook(start);
await start(token);

async function start(code = "") {
  try {
    if (typeof code === "string" && code) await postJson(`api/host/claim${page.query()}`, { token: code });
    games = await getJson(`api/host/games${page.query()}`);
  } catch (error) {
    const [what, text] = error instanceof Refused ? ["no_host", "no_host_text"] : ["away", "away_text"];
    return swap(main, h("div", { class: "empty" }, h("h1", {}, word(what)), h("p", {}, word(text)), switches()));
  }
  line?.end();
  line = new Line(() => `api/host/stream${page.query()}`, { host: hear }, (state) => {
    connection = state;
    drawHead();
  });
  draw();
}

function hear(told) {
  const before = table?.match;
  const waited = JSON.stringify(table?.pairings);
  table = told;
  if (before && !told.match) shown = -1;
  ending = ending && Boolean(told.match);
  // What is being chosen is not drawn anew under the finger.
  if (told.match || before || (!plan && JSON.stringify(told.pairings) !== waited) || !main.childElementCount || told.trouble) draw();
}

async function order(asked) {
  trouble = "";
  try {
    await postJson(`api/host${page.query()}`, asked);
  } catch (error) {
    trouble = error.said?.text || word("not_done");
  }
  draw();
}

function drawHead() {
  const [kind, sign, key] = { open: ["ok", "wifi", "at_table"], away: ["stop", "nowifi", "away"] }[connection] ?? ["quiet", "wifi", "connecting"];
  swap(head, h("span", { class: `badge-chip ${kind}`, role: "status" }, icon(sign), word(key)), switches());
}

function draw() {
  drawHead();
  if (!table) return;
  const told = trouble || table.trouble;
  const match = table.match;
  swap(main, told ? h("p", { class: "stop", role: "alert" }, told) : null, match && !plan ? onTable(match) : setUp());
}

// -- a match is on the table ---------------------------------------------------------------------

function onTable(match) {
  return [
    h("h1", {}, match.game_name),
    match.over ? h("p", {}, match.over) : null,
    match.over ? tournament() : null,
    match.over ? h("div", { class: "keys" }, key("again", () => order({ do: "again" }), "yellow"), key("another", () => choose(match.game))) : null,
    h("ul", { class: "host-seats" }, match.seats.map((seat, number) => (match.over || seat.computer ? null : seatOf(seat, number)))),
    match.over ? null : ending
      ? h("div", { class: "note" }, h("h2", {}, word("end_sure")), h("div", { class: "keys" },
          key("end_yes", () => { ending = false; order({ do: "end" }); }), key("end_no", () => { ending = false; draw(); })))
      : h("div", { class: "keys" }, key("end", () => { ending = true; draw(); })),
  ];
}

function key(name, onclick, look = "", text = word(name)) {
  return h("button", { class: `key ${look}`, type: "button", "data-key": name, onclick }, text);
}

function seatOf(seat, number) {
  const state = seat.renewed ? "renewed" : seat.state;
  const open = shown === number && seat.code;
  return h("li", { class: "note" },
    h("h2", {}, seat.name),
    h("p", {}, word(PHONES[state])),
    h("div", { class: "keys" },
      seat.state === "waiting"
        ? [key(`yes ${number}`, () => order({ do: "yes", seat: number }), "yellow", word("let_in")), key(`no ${number}`, () => order({ do: "no", seat: number }), "", word("not_this"))]
        : seat.link
          ? [key(`code ${number}`, () => { shown = open ? -1 : number; draw(); }, "", word(open ? "hide_code" : "show_code")),
             h("a", { class: "key", href: `hand#${seat.link.split("#")[1]}`, target: "_blank", rel: "opener", "data-key": `here ${number}` }, word("play_here"))]
          : key(`new ${number}`, () => order({ do: "new", seat: number }), "", word("another_phone"))),
    open ? h("div", { class: "code" }, drawn(seat), h("p", {}, seat.link)) : null);
}

/** The code of a seat, with the light margin that cameras need. */
function drawn({ code, side }) {
  return s("svg", { viewBox: `-4 -4 ${side + 8} ${side + 8}`, role: "img", "aria-label": word("show_code") },
    s("rect", { x: -4, y: -4, width: side + 8, height: side + 8, class: "code-light" }), s("path", { d: code, class: "code-dark" }));
}

// -- before a match ------------------------------------------------------------------------------

function choose(id) {
  const game = games.find((one) => one.id === id);
  plan = game ? { game: id, ...structuredClone(game.last) } : null;
  draw();
}

/** The games of a club's tournaments that wait for this table. */
function tournament() {
  if (!table.pairings.length) return null;
  return h("ul", { class: "host-games", "aria-label": word("tournament") }, table.pairings.map((one) =>
    h("li", {}, h("button", { class: "key yellow", type: "button", "data-key": `pairing ${one.id}`, onclick: () => order({ do: "pairing", pairing: one.id }) },
      one.title, h("br"), h("small", {}, one.text)))));
}

function setUp() {
  const game = games.find((one) => one.id === plan?.game);
  if (!game) {
    return [
      tournament(),
      h("h1", {}, word("choose_game")),
      h("ul", { class: "host-games" }, games.map((one) =>
        h("li", {}, h("button", { class: "key", type: "button", "data-key": `game ${one.id}`, onclick: () => choose(one.id) }, one.name)))),
    ];
  }
  const seats = [...Array(plan.players).keys()];
  return [
    h("h1", {}, game.name),
    game.players.length > 1
      ? field("how_many", select("players", game.players.map((n) => [n, n]), plan.players, (value) => { plan.players = Number(value); draw(); })) : null,
    h("h2", {}, word("who_plays")),
    seats.map((n) => h("div", { class: "host-seat" },
      select(`level ${n}`, Object.entries(LEVELS).map(([level, key]) => [level, word(key)]), plan.computers[n] ?? "", (value) => { plan.computers[n] = value; draw(); }, word("person_at", { number: n + 1 })),
      plan.computers[n] ? null
        : h("input", { type: "text", maxlength: 16, value: plan.names[n] ?? "", autocomplete: "off", "data-key": `name ${n}`,
                       "aria-label": word("name_of", { number: n + 1 }), placeholder: word("name_of", { number: n + 1 }),
                       onchange: (event) => { plan.names[n] = event.target.value.trim(); } }))),
    game.options.length
      ? h("details", {}, h("summary", {}, word("options")), game.options.map((option) =>
          field("", select(`option ${option.id}`, option.values.map((one) => [one.id, one.name]), plan.options[option.id], (value) => { plan.options[option.id] = value; }, option.title), option.title)))
      : null,
    h("div", { class: "keys" },
      key("begin", () => {
        const all = (list) => seats.map((n) => list[n] ?? "");
        const asked = { game: plan.game, players: plan.players, options: plan.options, names: all(plan.names), computers: all(plan.computers) };
        plan = null;
        order({ do: "begin", plan: asked });
      }, "yellow"),
      key("another", () => { plan = { game: "" }; draw(); }),
      table.match ? key("back_to_table", () => { plan = null; draw(); }) : null),
  ];
}

function field(name, control, title = word(name)) {
  return h("div", { class: "host-field" }, h("span", { "aria-hidden": "true" }, title), control);
}

function select(name, values, chosen, change, label = word("how_many")) {
  return h("select", { "data-key": name, "aria-label": label, onchange: (event) => change(event.target.value) },
    values.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text)));
}
