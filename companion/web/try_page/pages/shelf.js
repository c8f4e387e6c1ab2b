// Choosing a game, and how it is played.

import { coverOf } from "./cover.js";
import { h, icon, word } from "./page.js";
import { scene } from "./scene.js";
import { sheet } from "./sheets.js";
import { recall, remember } from "./store.js";

const NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eva"];

/** The shelf. `go`: called with a game; `again`: draws a key if a match was kept. */
export function shelf(games, { go, resume, kept }) {
  return h(
    "div",
    { class: "shelf-page" },
    h("section", { class: "hero" }, h("h1", {}, word("try_title")), h("p", {}, word("try_text")),
      kept ? h("button", { type: "button", class: "key yellow", "data-key": "resume", onclick: resume },
        h("span", { class: "key-title" }, word("try_again")), h("span", { class: "key-text" }, kept)) : null),
    scene((id) => go(games.find((game) => game.id === id))),
    h("h2", { class: "caption" }, word("choose_game")),
    h("ul", { class: "shelf", "aria-label": word("games") }, games.map((game) =>
      h("li", {}, h("button", { type: "button", class: "box", "data-game": game.id, onclick: () => go(game) },
        coverOf(game),
        h("span", { class: "box-name" }, game.name),
        h("span", { class: "box-line" }, game.tagline),
        h("span", { class: "facts" }, facts(game)))))),
    h("section", { class: "note what" }, h("h2", {}, icon("eye"), word("what_it_is")), h("p", {}, word("what_text")), h("p", { class: "do" }, word("no_network"))),
  );
}

function facts(game) {
  const [least, most] = [Math.min(...game.players), Math.max(...game.players)];
  const players = least === most ? word("for_just", { count: least }) : word("for_players", { from: least, to: most });
  return [players, game.minutes ? word("minutes", { count: game.minutes }) : "", game.age ? word("age", { age: game.age }) : ""]
    .filter(Boolean).map((fact) => h("span", {}, fact));
}

/** What was chosen for a game the last time, or what most people want. */
export function planFor(game) {
  const kept = recall(`plan.${game.id}`) ?? {};
  const players = game.players.includes(kept.players) ? kept.players : Math.max(2, game.players[0]);
  const options = {};
  for (const option of game.options) {
    const value = kept.options?.[option.id];
    options[option.id] = option.values.some((one) => one.id === value) ? value : option.values[0].id;
  }
  const seats = NAMES.map((name, seat) => ({
    name: kept.seats?.[seat]?.name || name,
    level: kept.seats?.[seat]?.level ?? (seat ? "apprentice" : ""),
  }));
  return { players: game.players.includes(players) ? players : game.players[0], options, seats };
}

/** The page before a match. */
export function setUp(game, plan, { begin, readRules, redraw }) {
  const change = () => {
    remember(`plan.${game.id}`, plan);
    redraw();
  };
  const people = plan.seats.slice(0, plan.players).filter((seat) => !seat.level).length;
  return h(
    "div",
    { class: "setup-page" },
    h("section", { class: "setup-head" }, coverOf(game),
      h("div", {}, h("h1", {}, game.name), h("p", {}, game.tagline), h("p", { class: "facts" }, facts(game)),
        h("button", { type: "button", class: "key", "data-key": "rules", onclick: readRules }, icon("list"), h("span", {}, word("rules"))))),
    h("section", { class: "setup-form" },
      game.players.length > 1 ? choice("how_many", game.players.map((count) => [count, String(count)]), plan.players, (count) => {
        plan.players = count;
        change();
      }) : null,
      h("h2", {}, word("who_plays")),
      h("ul", { class: "seats" }, plan.seats.slice(0, plan.players).map((seat, number) => seatRow(seat, number, change))),
      people > 1 ? h("p", { class: "hint" }, icon("hand"), word("one_device")) : null,
      game.options.length ? h("details", { class: "ways" }, h("summary", {}, word("options")), game.options.map((option) => optionRow(option, plan, change))) : null),
    h("div", { class: "setup-go" }, h("button", { type: "button", class: "key yellow", "data-key": "begin", onclick: begin }, word("begin"))),
  );
}

function choice(title, values, chosen, choose) {
  return h("fieldset", { class: "choice" }, h("legend", {}, word(title)),
    h("div", { class: "segments" }, values.map(([value, text]) =>
      h("button", { type: "button", class: "segment", "data-key": `${title} ${value}`, "aria-pressed": String(value === chosen), onclick: () => choose(value) }, text))));
}

function seatRow(seat, number, change) {
  const levels = [["", "person"], ["apprentice", "easy"], ["druid", "good"]];
  const list = h("select", { "aria-label": word("person_at", { number: number + 1 }), "data-key": `level ${number}`, onchange: (event) => {
    seat.level = event.target.value;
    change();
  } }, levels.map(([level, key]) => h("option", { value: level, selected: level === seat.level }, word(key))));
  const name = seat.level ? null : h("input", {
    type: "text", maxlength: 16, value: seat.name, autocomplete: "off", "data-key": `name ${number}`,
    "aria-label": word("name_of", { number: number + 1 }), onchange: (event) => {
      seat.name = event.target.value.trim() || NAMES[number];
      change();
    },
  });
  return h("li", { class: "seat-row" }, h("span", { class: "seat-number", "aria-hidden": "true" }, String(number + 1)), list, name);
}

function optionRow(option, plan, change) {
  return h("label", { class: "option" }, h("span", { class: "option-title" }, option.title),
    h("select", { "data-key": `option ${option.id}`, onchange: (event) => {
      plan.options[option.id] = event.target.value;
      change();
    } }, option.values.map((value) => h("option", { value: value.id, selected: value.id === plan.options[option.id] }, value.name))),
    h("span", { class: "option-help" }, option.help));
}

/** The names and computers of a plan, as the rules want them. */
export function seatsOf(plan) {
  const seats = plan.seats.slice(0, plan.players);
  const machines = seats.filter((seat) => seat.level).length;
  let number = 0;
  const names = seats.map((seat) => {
    if (!seat.level) return seat.name;
    number += 1;
    return machines > 1 ? `${word("computer")} ${number}` : word("computer");
  });
  return { names, computers: seats.map((seat) => seat.level) };
}

/** All pages of the rules. */
export function rulesSheet(game, pages) {
  sheet("rules", h("h2", {}, `${word("rules")}: ${game.name}`),
    pages.map((page) => h("details", {}, h("summary", {}, page.title), page.text.split("\n").map((line) => h("p", {}, line)))));
}
