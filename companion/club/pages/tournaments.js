// Tournaments: everybody looks, the organiser enters players, rounds and results.

import { faceOf } from "../table/-/static/faces.js";
import { getJson, h, keep, kept, page, postJson, swap, word } from "../table/-/static/page.js";

/** What the last request was answered with: a problem, ways out of it, or news. */
let answered = null;
let gameNames = {};
let options = {};
/** The round that is to be taken back, if that is confirmed; rounds whose results are corrected. */
let takingBack = 0;
const correcting = new Set();
/** The name of the person who holds this phone. */
let me = kept("heelstone-me");
const WAYS_OUT = {
  round_meets_again: { word: "pair_anyway", asked: { do: "pair", again: true } },
  round_second_bye: { word: "pair_anyway", asked: { do: "pair", again: true } },
  all_rounds_played: { word: "more_rounds", asked: { do: "more_rounds" } },
};

export async function showTournaments(main, id, mayDraw = () => true) {
  try {
    const list = await getJson(`api/tournaments${page.query()}`);
    gameNames = list.game_names;
    options = list.options;
    const about = id ? await getJson(`api/tournaments/${id}${page.query()}`) : null;
    if (!location.hash.startsWith("#tournaments") || !mayDraw()) return;
    swap(main, told(main, id), about ? one(main, about) : all(main, list), signIn(main, id, list.organiser), setAside(list.aside));
  } catch (error) {
    if (mayDraw()) swap(main, alertOf(error.said?.text ?? word("not_done")));
  }
}

/** Draw it anew because a table has recorded something; not while something is being typed, nor if that has begun meanwhile. */
export function refreshTournaments(main, id) {
  const calm = () => !main.contains(document.activeElement) || document.activeElement.tagName === "BUTTON";
  if (calm()) showTournaments(main, id, calm);
}

function alertOf(text) {
  return text ? h("p", { class: "stop", role: "alert" }, text) : null;
}

/** The answer to the last request, with keys for what can be done about it. */
function told(main, id) {
  if (!answered) return null;
  const { text, code, twice, moved, paired } = answered;
  const key = (label, asked, name) => h("button", { class: "key", type: "button", "data-key": name, onclick: () => organise(main, id, asked) }, label);
  if (text) {
    const way = WAYS_OUT[code];
    return h("div", { class: "answer" }, alertOf(text), way ? h("div", { class: "keys" }, key(word(way.word), way.asked, "way-out")) : null);
  }
  if (twice?.length) {
    return h("div", { class: "paper answer", role: "status" },
      h("p", {}, word("twice", { names: twice.join(", ") })),
      h("div", { class: "keys" }, twice.map((name) => key(word("add_as", { name: `${name} 2` }), { do: "enter", name: `${name} 2` }, `as-${name}`))));
  }
  if (paired) {
    const changes = moved.map((one) => `${one.name}: ${one.from} → ${one.to}`).join(", ") || word("no_place_changes");
    return h("div", { class: "paper answer", role: "status" }, h("p", {}, [word("corrected"), changes].join(" ")), h("p", {}, word("round_stays", { number: paired })));
  }
  return null;
}

/** Ask for something as the organiser, then show the answer. */
async function organise(main, id, asked) {
  takingBack = 0;
  try {
    answered = await postJson(`api/organise${page.query()}`, { tournament: id, ...asked });
  } catch (error) {
    answered = { text: word("not_done"), ...error.said };
  }
  if (answered.id) location.hash = `#tournaments/${answered.id}`;
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
      rounds: Number(given.get("rounds")), seats: Number(given.get("seats")),
      scale: given.get("scale").split(/[\s;]+/).filter(Boolean).map((points) => Number(points.replace(",", "."))),
      by_rating: given.get("strength") === "by_rating",
      options: Object.fromEntries((options[given.get("game")] ?? []).map(({ id }) => [id, given.get(`option-${id}`)])),
    });
  };
  const ofGame = h("div", { class: "choices" });
  const rules = h("details", { hidden: true }, h("summary", {}, word("options")), ofGame);
  const choose = (event) => {
    const known = options[event.target.value] ?? [];
    rules.hidden = !known.length;
    swap(ofGame, known.map(({ id, name, values }) =>
      h("label", { class: "field" }, h("span", { class: "caption" }, name),
        h("select", { name: `option-${id}` }, values.map(([value, told]) => h("option", { value }, told))))));
  };
  return h(
    "form",
    { class: "paper form", onsubmit: send },
    h("h2", {}, word("new_tournament")),
    field("name", h("input", { name: "name", required: true, maxlength: 64, autocomplete: "off", "data-key": "new-name" })),
    field("game", h("select", { name: "game", onchange: choose }, h("option", { value: "" }, "–"), Object.entries(gameNames).map(([id, name]) => h("option", { value: id }, name)))),
    rules,
    h("div", { class: "choices" },
      h("select", { name: "kind", "aria-label": word("tournaments") }, ["swiss", "round_robin"].map((kind) => h("option", { value: kind }, word(kind)))),
      field("rounds", h("input", { name: "rounds", type: "number", min: 1, max: 200, value: 5 })),
      field("seats", h("input", { name: "seats", type: "number", min: 2, max: 6, value: 2 })),
      field("scale", h("input", { name: "scale", inputmode: "decimal", autocomplete: "off", placeholder: "5 3 1 0", title: word("scale_text") })),
      field("strength", h("select", { name: "strength" }, ["by_entry", "by_rating"].map((order) => h("option", { value: order }, word(order)))))),
    h("p", { class: "none" }, word("scale_text")),
    h("button", { class: "key yellow", type: "submit" }, word("begin")),
  );
}

function field(key, input) {
  return h("label", { class: "field" }, h("span", { class: "caption" }, word(key)), input);
}

// -- one tournament ------------------------------------------------------------------------------

function one(main, about) {
  const last = about.round;
  const settled = about.games.every((game) => game.seats.every((seat) => seat.place !== null));
  const rounds = [...new Set(about.games.map((game) => game.round))].sort((a, b) => b - a);
  const may = about.organiser && !about.over;
  const key = (label, asked, kind = "key") => h("button", { class: kind, type: "button", "data-key": asked.do, onclick: () => organise(main, about.id, asked) }, label);
  const look = (label, change, name) => h("button", { class: "key", type: "button", "data-key": name, onclick: () => { change(); showTournaments(main, about.id); } }, label);
  return [
    h("a", { class: "back", href: "#tournaments", "data-key": "back" }, "‹ ", word("back")),
    h("div", { class: "table-head" }, h("h2", {}, about.name),
      h("span", { class: "badge-chip quiet" }, about.over ? word("ended") : [gameNames[about.game], word(about.kind)].filter(Boolean).join(" · "))),
    may && takingBack ? h("div", { class: "paper answer", role: "alertdialog" },
      h("p", {}, word("unpair_sure", { number: takingBack })),
      h("div", { class: "keys" },
        look(word("unpair_no"), () => { takingBack = 0; }, "unpair-no"),
        key(word("unpair_yes"), { do: "unpair" }))) : null,
    may && !takingBack ? h("div", { class: "keys" },
      last < about.all_rounds ? key(word("pair", { number: last + 1 }), { do: "pair" }, "key yellow") : null,
      last && last >= about.all_rounds && about.kind === "swiss" ? key(word("more_rounds"), { do: "more_rounds" }) : null,
      last ? look(word("unpair", { number: last }), () => { takingBack = last; answered = null; }, "unpair") : null,
      about.restorable ? key(word("restore", { number: about.restorable }), { do: "restore" }) : null,
      key(word("end"), { do: "end", over: true }, last && last >= about.all_rounds && settled ? "key yellow" : "key")) : null,
    about.organiser && about.over ? h("div", { class: "keys" }, key(word("reopen"), { do: "end", over: false })) : null,
    about.round && !about.over && !about.organiser ? mine(main, about) : null,
    rounds.map((number) => roundOf(main, about, number, may, last)),
    about.games.length ? standings(about) : null,
    players(main, about, may),
  ];
}

/** Where a player is to go now; the name is kept on the phone. */
function mine(main, about) {
  const game = about.games.find((one) => one.round === about.round && one.seats.some((seat) => seat.name === me));
  const choose = (event) => {
    // What has the focus is not drawn anew by what happens elsewhere.
    event.target.blur();
    me = event.target.value;
    keep("heelstone-me", me);
    showTournaments(main, about.id);
  };
  const table = game && (game.playing || game.where);
  return h("section", { class: "paper" },
    h("label", { class: "field" }, h("span", { class: "caption" }, word("where_do_i_play")),
      h("select", { "data-key": "me", onchange: choose }, ["", ...about.players.filter((one) => !one.left).map((one) => one.name)].map((name) =>
        h("option", { value: name, selected: name === me }, name || word("choose_name"))))),
    game ? h("div", { role: "status" },
      h("h2", {}, game.seats.length === 1 ? word("bye")
        : [`${word("board_number")} ${game.board}`, table ? word("at_table", { table }) : null].filter(Boolean).join(", ")),
      h("p", {}, game.seats.length === 1 ? "" : game.seats.map((seat, number) => (number ? seat.name : `${seat.name} (${word("begins")})`)).join(" – "))) : null);
}

function roundOf(main, about, number, may, last) {
  const open = may && (number === last || correcting.has(number));
  const correct = () => {
    correcting.add(number);
    showTournaments(main, about.id);
  };
  return h(
    "section",
    { class: "paper" },
    h("div", { class: "table-head" }, h("h2", {}, word("round", { number })),
      may && !open ? h("button", { class: "small", type: "button", "data-key": `c${number}`, onclick: correct }, word("correct")) : null),
    h("ol", { class: "games" }, about.games.filter((game) => game.round === number).map((game) =>
      about.seats === 2 ? duel(main, about, game, open) : tableOf(main, about, game, open))),
  );
}

function duel(main, about, game, open) {
  const [first, second] = game.seats;
  return h("li", {},
    h("span", { class: "board-number", "aria-label": word("board_number") }, game.board),
    h("span", { class: "name person" }, portrait(about, first), first.name, " ", second ? h("small", {}, word("begins")) : null),
    !second ? h("span", { class: "points" }, word("bye")) : open ? entry(main, about, game) : h("span", { class: "points" }, score(game)),
    h("span", { class: "name second person" }, second ? [second.name, portrait(about, second)] : ""),
    where(main, about, game, open));
}

/** The face that somebody's table showed last. */
function portrait(about, player) {
  return faceOf(about.faces[player.name], "small");
}

/** Three and more at a table, in the order of their seats. */
function tableOf(main, about, game, open) {
  const rests = game.seats.length === 1;
  return h("li", { class: "several" },
    h("span", { class: "board-number", "aria-label": word("board_number") }, game.board),
    h("ol", { class: "seats" }, game.seats.map((seat, number) =>
      h("li", {},
        h("span", { class: "name person" }, portrait(about, seat), seat.name, " ", !rests && number === 0 ? h("small", {}, word("begins")) : null),
        rests ? h("span", { class: "points" }, word("bye"))
          : open ? placeOf(main, about, game, seat)
          : h("span", { class: "points" }, seat.place === null ? word("not_played") : word("at_place", { number: seat.place })),
        h("span", { class: "points worth" }, seat.points === null ? "" : half(seat.points))))),
    where(main, about, game, open));
}

/** The table of the club that recorded a game, at which it is played, or is to be played. */
function where(main, about, game, open) {
  const link = (table, key) => h("a", { class: "source", href: `table/${table}/` }, word(key, { table }));
  if (game.table) return link(game.table, "recorded");
  if (game.seats.some((seat) => seat.place !== null)) return null;
  if (game.playing) return link(game.playing, "played_at");
  if (!open || !about.tables.length) return game.where ? h("span", { class: "source" }, word("at_table", { table: game.where })) : null;
  const move = (event) => organise(main, about.id, { do: "move", round: game.round, board: game.board, table: event.target.value });
  return h("select", { class: "source", "data-key": `w${game.round}-${game.board}`, "aria-label": word("table_of", { number: game.board }), onchange: move },
    ["", ...new Set([...about.tables, game.where].filter(Boolean))].map((table) =>
      h("option", { value: table, selected: table === game.where }, table ? word("at_table", { table }) : word("any_table"))));
}

function entry(main, about, game) {
  const [first, second] = game.seats;
  const change = (event) => organise(main, about.id, {
    do: "result", round: game.round, board: game.board,
    places: event.target.value ? event.target.value.split(" ").map(Number) : [],
  });
  return h("select", { class: "points", "data-key": `r${game.round}-${game.board}`, "aria-label": `${first.name} – ${second.name}`, onchange: change },
    [["", "– : –"], ["1 2", "1 : 0"], ["1 1", "½ : ½"], ["2 1", "0 : 1"]].map(([places, text]) =>
      h("option", { value: places, selected: (first.place ? `${first.place} ${second.place}` : "") === places }, text)));
}

/** Places that are chosen, but not all of a table yet, by round, board and player. */
const chosen = new Map();

function placeOf(main, about, game, seat) {
  const key = (one) => `${about.id}-${game.round}-${game.board}-${one.player}`;
  const change = (event) => {
    chosen.set(key(seat), Number(event.target.value));
    const places = game.seats.map((one) => chosen.get(key(one)) ?? one.place ?? 0);
    const whole = places.every(Boolean);
    if (!whole && places.some(Boolean)) return;
    for (const one of game.seats) chosen.delete(key(one));
    organise(main, about.id, { do: "result", round: game.round, board: game.board, places: whole ? places : [] });
  };
  const here = chosen.get(key(seat)) ?? seat.place ?? 0;
  return h("select", { class: "points", "data-key": `p${key(seat)}`, "aria-label": word("place_of", { name: seat.name }), onchange: change },
    [0, ...game.seats.map((_, number) => number + 1)].map((place) =>
      h("option", { value: place, selected: place === here }, place ? word("at_place", { number: place }) : "–")));
}

function score(game) {
  const [first, second] = game.seats;
  if (first.place === null) return word("not_played");
  return first.place < second.place ? "1 : 0" : first.place > second.place ? "0 : 1" : "½ : ½";
}

function half(points) {
  if (points === null) return "–";
  const whole = Math.floor(points);
  const rest = { 0: "", 25: "¼", 33: "⅓", 50: "½", 67: "⅔", 75: "¾" }[Math.round(100 * (points - whole))];
  if (rest === undefined) return points.toLocaleString(page.lang, { maximumFractionDigits: 2 });
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
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, word("place")), h("th", { scope: "col" }, word("name")), columns.map(([key]) => h("th", { scope: "col" }, word(key))))),
        h("tbody", {}, about.table.map((line) =>
          h("tr", {}, h("td", { class: "number" }, line.place), h("th", { scope: "row", class: "person" }, portrait(about, line), line.name), columns.map(([, value]) => h("td", { class: "number" }, value(line)))))))),
  );
}

function players(main, about, may) {
  const add = (event) => {
    event.preventDefault();
    organise(main, about.id, { do: "enter", name: String(new FormData(event.target).get("names")) });
  };
  const load = async (event) => {
    const [file] = event.target.files;
    if (file) event.target.form.elements.names.value = await file.text();
  };
  return h(
    "section",
    { class: "paper form" },
    h("h2", {}, `${word("players")} (${about.players.length})`),
    h("ol", { class: "entrants" }, about.players.map((player) =>
      h("li", {}, h("span", { class: "name person" }, portrait(about, player), player.name),
        player.left ? h("span", { class: "none" }, word("has_left"))
          : may ? h("button", { class: "small", type: "button", "data-key": `l${player.id}`, "aria-label": `${word("leave")}: ${player.name}`, onclick: () => organise(main, about.id, { do: "leave", player: player.id }) }, word("leave")) : null))),
    may ? h("form", { class: "form", onsubmit: add },
      h("label", { class: "field" }, h("span", { class: "caption" }, word("add_players_text")), h("textarea", { name: "names", rows: 4, maxlength: 20000, "data-key": "names" })),
      h("div", { class: "choices" },
        h("button", { class: "key", type: "submit" }, word("add_player")),
        h("label", { class: "key file" }, word("from_file"), h("input", { type: "file", accept: ".txt,.csv,text/plain,text/csv", "data-key": "file", onchange: load })))) : null,
  );
}

// -- the organiser -------------------------------------------------------------------------------

function signIn(main, id, organiser) {
  if (organiser) return h("p", { class: "none" }, word("is_organiser"));
  const send = async (event) => {
    event.preventDefault();
    answered = null;
    try {
      await postJson(`api/organiser${page.query()}`, { password: String(new FormData(event.target).get("password")) });
    } catch (error) {
      answered = { text: word("not_done"), ...error.said };
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
