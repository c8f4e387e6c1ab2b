// Tournaments: everybody looks, the organiser enters players, rounds and results.

import { getJson, h, page, postJson, swap, word } from "../table/-/static/page.js";

let problem = "";
let gameNames = {};

export async function showTournaments(main, id) {
  try {
    const list = await getJson(`api/tournaments${page.query()}`);
    gameNames = list.game_names;
    const about = id ? await getJson(`api/tournaments/${id}${page.query()}`) : null;
    if (!location.hash.startsWith("#tournaments")) return;
    swap(main, alertOf(problem), about ? one(main, about) : all(main, list), signIn(main, id, list.organiser), setAside(list.aside));
  } catch (error) {
    swap(main, alertOf(error.said?.text ?? word("not_done")));
  }
}

function alertOf(text) {
  return text ? h("p", { class: "stop", role: "alert" }, text) : null;
}

/** Ask for something as the organiser, then show what came of it. */
async function organise(main, id, asked) {
  problem = "";
  let answer = {};
  try {
    answer = await postJson(`api/organise${page.query()}`, { tournament: id, ...asked });
  } catch (error) {
    problem = error.said?.text ?? word("not_done");
  }
  if (answer.id) location.hash = `#tournaments/${answer.id}`;
  else await showTournaments(main, id);
}

// -- the list ------------------------------------------------------------------------------------

function all(main, list) {
  return [
    list.tournaments.length
      ? h("ul", { class: "tables" }, list.tournaments.map((about) =>
          h("li", {}, h("a", { class: "table-card", href: `#tournaments/${about.id}`, "data-key": `t${about.id}` },
            h("div", { class: "table-head" }, h("h2", {}, about.name), about.over ? h("span", { class: "badge-chip quiet" }, word("ended")) : null),
            h("p", { class: "game-name" }, [gameNames[about.game], word(about.kind)].filter(Boolean).join(" · ")),
            h("p", { class: "told" }, `${word("players")}: ${about.players} · ${word("round", { number: about.round })}`)))))
      : h("p", { class: "none" }, word("no_tournaments")),
    list.organiser ? beginning(main) : null,
  ];
}

function beginning(main) {
  const send = (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    organise(main, 0, {
      do: "begin", name: given.get("name"), game: given.get("game"), kind: given.get("kind"),
      rounds: Number(given.get("rounds")),
    });
  };
  return h(
    "form",
    { class: "paper form", onsubmit: send },
    h("h2", {}, word("new_tournament")),
    field("name", h("input", { name: "name", required: true, maxlength: 64, autocomplete: "off", "data-key": "new-name" })),
    field("game", h("select", { name: "game" }, h("option", { value: "" }, "–"), Object.entries(gameNames).map(([id, name]) => h("option", { value: id }, name)))),
    h("div", { class: "choices" },
      h("select", { name: "kind", "aria-label": word("tournaments") }, ["swiss", "round_robin"].map((kind) => h("option", { value: kind }, word(kind)))),
      field("rounds", h("input", { name: "rounds", type: "number", min: 1, max: 200, value: 5 }))),
    h("button", { class: "key yellow", type: "submit" }, word("begin")),
  );
}

function field(key, input) {
  return h("label", { class: "field" }, h("span", { class: "caption" }, word(key)), input);
}

// -- one tournament ------------------------------------------------------------------------------

function one(main, about) {
  const last = Math.max(0, ...about.games.map((game) => game.round));
  const rounds = [...new Set(about.games.map((game) => game.round))].sort((a, b) => b - a);
  const may = about.organiser && !about.over;
  return [
    h("a", { class: "back", href: "#tournaments", "data-key": "back" }, "‹ ", word("back")),
    h("div", { class: "table-head" }, h("h2", {}, about.name),
      h("span", { class: "badge-chip quiet" }, about.over ? word("ended") : [gameNames[about.game], word(about.kind)].filter(Boolean).join(" · "))),
    may ? h("div", { class: "keys" },
      h("button", { class: "key yellow", type: "button", "data-key": "pair", onclick: () => organise(main, about.id, { do: "pair" }) }, word("pair", { number: last + 1 })),
      last ? h("button", { class: "key", type: "button", "data-key": "unpair", onclick: () => organise(main, about.id, { do: "unpair" }) }, word("unpair", { number: last })) : null,
      h("button", { class: "key", type: "button", "data-key": "end", onclick: () => organise(main, about.id, { do: "end", over: true }) }, word("end"))) : null,
    about.organiser && about.over ? h("div", { class: "keys" }, h("button", { class: "key", type: "button", onclick: () => organise(main, about.id, { do: "end", over: false }) }, word("reopen"))) : null,
    rounds.map((number) => roundOf(main, about, number, may && number === last)),
    about.games.length ? standings(about) : null,
    players(main, about, may),
  ];
}

function roundOf(main, about, number, may) {
  return h(
    "section",
    { class: "paper" },
    h("h2", {}, word("round", { number })),
    h("ol", { class: "games" }, about.games.filter((game) => game.round === number).map((game) =>
      h("li", {},
        h("span", { class: "board-number", "aria-label": word("board_number") }, game.board),
        h("span", { class: "name" }, game.first_name, " ", game.second === null ? null : h("small", {}, word("begins"))),
        game.second === null ? h("span", { class: "points" }, word("bye")) : may ? entry(main, about, game) : h("span", { class: "points" }, score(game.points)),
        h("span", { class: "name second" }, game.second_name ?? "")))),
  );
}

function entry(main, about, game) {
  const change = (event) => organise(main, about.id, {
    do: "result", round: game.round, board: game.board,
    points: event.target.value === "" ? null : Number(event.target.value),
  });
  return h("select", { class: "points", "data-key": `r${game.board}`, "aria-label": `${game.first_name} – ${game.second_name}`, onchange: change },
    [[null, "– : –"], [1, "1 : 0"], [0.5, "½ : ½"], [0, "0 : 1"]].map(([points, text]) =>
      h("option", { value: points === null ? "" : String(points), selected: game.points === points }, text)));
}

function score(points) {
  return { 1: "1 : 0", 0.5: "½ : ½", 0: "0 : 1" }[points] ?? word("not_played");
}

function half(points) {
  if (points === null) return "–";
  const whole = Math.floor(points);
  const rest = { 0: "", 0.25: "¼", 0.5: "½", 0.75: "¾" }[points - whole] ?? "";
  return whole || !rest ? `${whole}${rest}` : rest;
}

function standings(about) {
  const columns = [
    ["points", (line) => half(line.points)], ["direct", (line) => half(line.direct)],
    ["buchholz_1", (line) => half(line.buchholz_cut_1)], ["buchholz", (line) => half(line.buchholz)],
    ["sonneborn_berger", (line) => half(line.sonneborn_berger)], ["won", (line) => line.wins],
  ];
  return h(
    "section",
    { class: "paper" },
    h("h2", {}, word("standings")),
    h("div", { class: "wide-table", tabindex: "0" },
      h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, word("place", { number: "" }).trim()), h("th", { scope: "col" }, word("name")), columns.map(([key]) => h("th", { scope: "col" }, word(key))))),
        h("tbody", {}, about.table.map((line) =>
          h("tr", {}, h("td", { class: "number" }, line.place), h("th", { scope: "row" }, line.name), columns.map(([, value]) => h("td", { class: "number" }, value(line)))))))),
  );
}

function players(main, about, may) {
  const add = async (event) => {
    event.preventDefault();
    const names = String(new FormData(event.target).get("names")).split("\n").map((name) => name.trim()).filter(Boolean);
    for (const name of names) await organise(main, about.id, { do: "enter", name });
  };
  return h(
    "section",
    { class: "paper form" },
    h("h2", {}, `${word("players")} (${about.players.length})`),
    h("ol", { class: "entrants" }, about.players.map((player) =>
      h("li", {}, h("span", { class: "name" }, player.name),
        player.left ? h("span", { class: "none" }, word("has_left"))
          : may ? h("button", { class: "small", type: "button", "data-key": `l${player.id}`, "aria-label": `${word("leave")}: ${player.name}`, onclick: () => organise(main, about.id, { do: "leave", player: player.id }) }, word("leave")) : null))),
    may ? h("form", { class: "form", onsubmit: add },
      h("label", { class: "field" }, h("span", { class: "caption" }, word("add_players_text")), h("textarea", { name: "names", rows: 4, "data-key": "names" })),
      h("button", { class: "key", type: "submit" }, word("add_player"))) : null,
  );
}

// -- the organiser -------------------------------------------------------------------------------

function signIn(main, id, organiser) {
  if (organiser) return h("p", { class: "none" }, word("is_organiser"));
  const send = async (event) => {
    event.preventDefault();
    problem = "";
    try {
      await postJson(`api/organiser${page.query()}`, { password: String(new FormData(event.target).get("password")) });
    } catch (error) {
      problem = error.said?.text ?? word("not_done");
    }
    await showTournaments(main, id);
  };
  return h(
    "form",
    { class: "paper form signing-in", onsubmit: send },
    h("h2", {}, word("organiser")),
    field("password", h("input", { name: "password", type: "password", required: true, autocomplete: "current-password", "data-key": "password" })),
    h("button", { class: "key", type: "submit" }, word("sign_in")),
  );
}

/** Messages of tables that could not be stored: a table of another version, or one that means no good. */
function setAside(aside) {
  if (!aside.length) return null;
  return h(
    "section",
    { class: "paper" },
    h("h2", {}, word("set_aside")),
    h("p", { class: "none" }, word("set_aside_text")),
    h("ul", { class: "entrants" }, aside.map((one) =>
      h("li", {}, h("span", { class: "name" }, `${one.table}: ${one.count}`),
        h("span", { class: "none" }, `${new Date(1000 * one.last_s).toLocaleString()} · ${one.why}`)))),
  );
}
