// A season: ratings, matches won, and the best win of each game.

import { faceOf } from "../table/-/static/faces.js";
import { getJson, h, page, swap, word } from "../table/-/static/page.js";

const chosen = { year: "", game: "" };

export async function showSeason(main) {
  let season;
  try {
    season = await getJson(`api/season${page.query(chosen)}`);
  } catch (error) {
    swap(main, h("p", { class: "stop", role: "alert" }, error.said?.text ?? word("not_done")));
    return;
  }
  if (!location.hash.startsWith("#season")) return;
  const years = season.years.length ? season.years : [season.year];
  const choose = (key) => (event) => {
    chosen[key] = event.target.value;
    showSeason(main);
  };
  swap(
    main,
    h("div", { class: "choices" },
      select("year", years.map((year) => [year, year]), season.year, choose("year")),
      select("game", [["", word("all_games")], ...season.games.map((id) => [id, season.game_names[id] ?? id])], season.game, choose("game"))),
    season.players.length ? ratings(season) : h("p", { class: "none" }, word("nobody_played", { year: season.year })),
    season.records.length ? records(season) : null,
  );
}

function select(key, options, value, onchange) {
  return h(
    "select",
    { "data-key": key, "aria-label": word(key === "year" ? "season" : "game"), onchange },
    options.map(([id, text]) => h("option", { value: id, selected: String(id) === String(value) }, text)),
  );
}

function ratings(season) {
  return h(
    "section",
    { class: "paper" },
    h("div", { class: "wide-table", tabindex: "0", role: "region", "aria-label": word("season") },
      h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, word("place")), ["name", "rating", "matches", "wins"].map((key) => h("th", { scope: "col" }, word(key))))),
        h("tbody", {}, season.players.map((player, place) =>
          h("tr", {},
            h("td", { class: "number" }, place + 1),
            h("th", { scope: "row", class: "person" }, faceOf(player, "small"), player.name),
            h("td", { class: "number" }, `${player.rating} ± ${player.doubt}`),
            h("td", { class: "number" }, player.matches),
            h("td", { class: "number" }, player.wins)))))),
    h("p", { class: "none" }, word("rating_text")),
  );
}

function records(season) {
  return h(
    "section",
    { class: "paper" },
    h("h2", {}, word("record")),
    h("ul", { class: "records" }, season.records.map((record) =>
      h("li", {},
        h("h3", {}, season.game_names[record.game] ?? record.game),
        h("p", { class: "person" }, record.faces.map((face) => faceOf(face, "small")), word("record_of", { points: record.points, names: record.names.filter(Boolean).join(", ") || "–", table: record.table })),
        h("p", { class: "none" }, `${word("matches")}: ${record.matches}`)))),
  );
}
