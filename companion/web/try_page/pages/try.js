// The page to try the rules: which of its pages is shown, and the head above them.

import { begin, getJson, h, icon, onLook, page, swap, switches, word } from "./page.js";
import { again, boardOf, draw, leave, open, playing } from "./play.js";
import { able, python, start } from "./python.js";
import { planFor, rulesSheet, seatsOf, setUp, shelf } from "./shelf.js";
import { closeSheets, sheet, tell } from "./sheets.js";
import { recall, remember } from "./store.js";

const PLAY = "play";
const main = document.getElementById("main");
const top_ = document.getElementById("top");
let games = [];
let plan = null;
let planned = "";
let played = null;

page.wordsAt = () => `data/words.${page.lang || "en"}.json`;
await begin();
await readGames();
onLook(async () => {
  await readGames();
  if (playing()) {
    head();
    await again();
  } else show();
});
python.onStep = () => {
  if (playing()) draw();
  // Only now, so as not to be in the way of what is waited for.
  if (python.step === "ready") navigator.serviceWorker?.register("kept.js").catch(console.warn);
};
addEventListener("hashchange", show);
show();
// Once the page is seen, Python is on its way while people choose, unless they pay for what is sent.
if (!navigator.connection?.saveData) requestAnimationFrame(() => setTimeout(start, 0));

async function readGames() {
  games = await getJson(`data/games.${page.words.lang}.json`);
}

function gameOf(id) {
  return games.find((game) => game.id === id) ?? null;
}

/** The page that the address names. */
function show() {
  const where = location.hash.slice(1);
  const kept = recall("match");
  const game = gameOf(where === PLAY ? kept?.game : where);
  closeSheets();
  document.body.dataset.page = where === PLAY && game ? "play" : game ? "setup" : "shelf";
  if (!able) {
    head();
    swap(main, h("div", { class: "empty" }, h("h1", {}, word("no_wasm")), h("p", {}, word("no_wasm_text"))));
    return;
  }
  if (where === PLAY && game) {
    if (!playing()) resume(game, kept);
  } else {
    leave();
    document.title = game ? `${game.name} – Heelstone` : "Heelstone";
    if (game) showSetUp(game);
    else showShelf(kept);
    scrollTo(0, 0);
  }
  head();
}

function showShelf(kept) {
  const before = gameOf(kept?.game);
  swap(main, shelf(games, {
    kept: before?.name ?? "", resume: () => go(PLAY), go: (game) => go(game.id),
  }));
}

function showSetUp(game) {
  if (planned !== game.id) plan = planFor(game);
  planned = game.id;
  swap(main, setUp(game, plan, {
    begin: () => beginMatch(game), readRules: () => readRules(game), redraw: () => showSetUp(game),
  }));
}

async function readRules(game) {
  try {
    rulesSheet(game, (await boardOf(game.id)).pages);
  } catch {
    tell(word("no_python"), [word("no_python_text")]);
  }
}

function go(where) {
  if (location.hash.slice(1) === where) show();
  else location.hash = where;
}

// -- matches -----------------------------------------------------------------------------------

function beginMatch(game) {
  const seed = [...crypto.getRandomValues(new Uint32Array(2))].join("-");
  const { players, options } = plan;
  // The address first: a picture that comes belongs to it.
  history.pushState(null, "", `#${PLAY}`);
  document.body.dataset.page = "play";
  scrollTo(0, 0);
  openMatch(game, { do: "begin", game: game.id, players, options, seed, ...seatsOf(plan) });
  head();
}

function resume(game, kept) {
  openMatch(game, { do: "load", kept: kept.kept });
}

function openMatch(game, request) {
  played = game.id;
  open(game, request, {
    ends: () => [h("div", { class: "keys" },
      h("button", { type: "button", class: "key yellow", "data-key": "anew", onclick: () => anew(game) }, word("new_match")),
      h("button", { type: "button", class: "key", "data-key": "another", onclick: () => go("") }, word("another")))],
    failed: (error) => {
      remember("match", null);
      history.replaceState(null, "", "#");
      show();
      tell(word("gone_wrong"), [word("kept_unreadable"), error]);
    },
  });
}

/** The same game once more, as it was begun the last time. */
function anew(game) {
  if (planned !== game.id) plan = planFor(game);
  planned = game.id;
  beginMatch(game);
}

// -- the head ----------------------------------------------------------------------------------

function head() {
  const where = document.body.dataset.page;
  const game = where === "play" ? gameOf(played) : null;
  const back = where === "shelf" ? null
    : h("button", { type: "button", class: "switch", "data-key": "home", "aria-label": word("all_games"), title: word("all_games"), onclick: () => go("") }, icon("back"));
  const menu = game
    ? h("button", { type: "button", class: "switch", "data-key": "menu", "aria-label": word("menu"), title: word("menu"), onclick: () => openMenu(game) }, icon("list"))
    : null;
  swap(top_, back, where === "play" ? h("span", { class: "top-name" }, game?.name ?? "Heelstone") : h("span", { class: "top-name" }, "Heelstone"), switches(), menu);
}

function openMenu(game) {
  sheet("menu", h("h2", {}, game.name),
    h("button", { type: "button", class: "key", "data-key": "rules", onclick: () => readRules(game) }, icon("list"), h("span", {}, word("rules"))),
    h("button", { type: "button", class: "key", "data-key": "fresh", onclick: () => anew(game) }, h("span", { class: "key-title" }, word("new_match")), h("span", { class: "key-text" }, word("new_match_text"))),
    h("button", { type: "button", class: "key", "data-key": "set", onclick: () => go(game.id) }, h("span", {}, word("options"))),
    h("button", { type: "button", class: "key", "data-key": "all", onclick: () => go("") }, h("span", {}, word("all_games"))));
}
