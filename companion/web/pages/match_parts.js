// What spectators and players see of a match in the same way: players, piles, explanations, moves.

import { h, icon, word } from "./page.js";
import { faceOf, supplyOf, wareTile } from "./faces.js";

/** The seat that must decide something now, or null. */
export function askedSeat(picture) {
  return picture.players.find((player) => player.asked) ?? null;
}

/** Whether somebody is asked during somebody else's turn. */
export function isOutOfTurn(picture, seat) {
  const turn = picture.market?.turn;
  return turn !== undefined && turn !== null && turn !== seat;
}

/** What somebody is asked, without their name before or after it; empty if it says only whose turn it is. */
export function question(picture, prompt, asked = askedSeat(picture)) {
  if (!asked || !prompt) return prompt?.title ?? "";
  const { name } = asked;
  if (prompt.title === word("asked_title", { name }) || prompt.title === word("their_turn", { name })) return "";
  let title = prompt.title;
  if (title.startsWith(`${name}: `)) title = title.slice(name.length + 2);
  else if (title.endsWith(`: ${name}`)) title = title.slice(0, -name.length - 2);
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** A player: name, points, whether they are to move, what they have left. */
export function playerCard(shapes, picture, player, { supply = true } = {}) {
  const rank = placeOf(picture, player.seat);
  const doing = isOutOfTurn(picture, player.seat) ? word("is_asked") : word("to_move");
  const state = player.asked ? doing : rank ? word("place", { number: rank }) : "";
  const letters = Math.max(...player.name.split(/[\s-]+/).map((part) => part.length));
  const name = h("span", { class: "player-name" }, player.name);
  // A long name is set smaller, or on a line of its own; it is never cut.
  name.style.setProperty("--letters", String(Math.max(letters + 1, 5)));
  const kinds = ["player", player.asked && "asked", rank === 1 && "first", letters > 8 && "long"];
  return h(
    "li",
    { class: kinds.filter(Boolean).join(" ") },
    faceOf(player),
    h("div", { class: "who" }, name),
    player.score ? h("span", { class: "score", "aria-label": `${word("points")}: ${player.score}` }, player.score) : null,
    state ? h("span", { class: "doing" }, state) : null,
    supply ? supplyOf(shapes, player) : null,
  );
}

function placeOf(picture, seat) {
  const groups = picture.outcome?.ranking ?? [];
  let place = 1;
  for (const group of groups) {
    if (group.includes(seat)) return place;
    place += group.length;
  }
  return 0;
}

/** The result, why something is not allowed, or what the last move brought to light; `level` is its heading. */
export function explanation(picture, level = "h2") {
  if (picture.outcome) return note(level, "result", "check", picture.outcome, keepsake(picture));
  if (picture.why) return note(level, "why", "cross", picture.why);
  if (picture.result) return note(level, picture.result.good === false ? "why" : "news", "bulb", picture.result);
  return null;
}

/** The picture of the match, if the table shows it to phones. */
function keepsake(picture) {
  const gone = (event) => event.target.remove();
  return h("img", { src: `api/picture?match=${picture.match}`, alt: word("keepsake"), onerror: gone });
}

function note(level, kind, sign, said, ...more) {
  const rule = said.rule;
  return h(
    "section",
    { class: `note ${kind}` },
    h(level, {}, icon(sign), said.title),
    said.text ? h("p", {}, said.text) : null,
    said.do ? h("p", { class: "do" }, said.do) : null,
    rule ? h("details", {}, h("summary", {}, `${word("rule")}: ${rule.title}`), h("p", {}, rule.text)) : null,
    more,
  );
}

/** The piles of a game about cards, what was played, and what lies open. */
export function market(shapes, picture) {
  const sale = picture.market;
  if (!sale) return null;
  const lanes = [
    ["played", sale.played], ["open_cards", sale.open],
  ].filter(([, cards]) => cards?.length);
  return h(
    "div",
    { class: "market" },
    h(
      "div",
      { class: "wares", role: "list", "aria-label": word("piles") },
      sale.wares.map((ware) => wareTile(shapes, ware)),
      sale.ledger ? null : trashTile(sale),
    ),
    h(
      "div",
      { class: "lanes" },
      sale.figures?.length
        ? h("p", { class: "lane figures" }, sale.figures.map(([label, number]) =>
            h("span", {}, h("b", {}, String(number)), ` ${label}`)))
        : null,
      lanes.map(([key, cards]) =>
        h("p", { class: "lane" }, h("b", {}, word(key)), cards.map((card) =>
          h("span", { class: "chip" }, card.count > 1 ? `${card.count} × ${card.name}` : card.name)))),
    ),
  );
}

function trashTile(sale) {
  const count = sale.trash.reduce((sum, card) => sum + card.count, 0);
  return h(
    "div",
    { class: "ware group-trash", role: "listitem", "aria-label": `${word("trash")}: ${count}` },
    h("span", { class: "name" }, h("span", {}, word("trash"))),
    h("span", { class: "figure" }, String(count)),
  );
}

/** Whether there is a board to be drawn. */
export function hasBoard(picture) {
  return !picture.market && !picture.sheet && Boolean(picture.board);
}
