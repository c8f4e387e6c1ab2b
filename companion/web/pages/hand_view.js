// A player's page, drawn: what they hold, and what they may do.

import { faceOf, handCard, wareTile } from "./faces.js";
import { coverKey, drawBar, othersSee, touchCard } from "./hand_bar.js";
import { askedSeat, explanation, hasBoard, isOutOfTurn, playerCard, question } from "./match_parts.js";
import { padPart, sheetTable } from "./pad.js";
import { h, icon, swap, switches, word } from "./page.js";
import { seat } from "./seat.js";
import { onHold, read } from "./sheets.js";
import { Board, boardElement } from "./board.js";

const head = document.getElementById("head");
const main = document.getElementById("main");

let board = null;
let rooms = null;

/** Other shapes are to be drawn from now on. */
export function useBoard() {
  board?.use(seat.shapes);
}

/** Lay the page out anew. */
export function build() {
  board = null;
  rooms = {
    body: h("div", { class: "hand-body" }),
    bar: h("footer", { class: "bar" }),
  };
  swap(main, rooms.body, rooms.bar);
}

/** Draw everything as it is now. */
export function draw() {
  drawHead();
  document.body.classList.toggle("covered", seat.covered && seat.stage === "open");
  document.title = seat.stage === "open" && seat.picture.asked ? `${title()} – Heelstone` : "Heelstone";
  if (seat.stage !== "open") {
    board = null;
    swap(rooms.body, before(), switches());
    swap(rooms.bar);
    return;
  }
  if (seat.covered) {
    board = null;
    swap(
      rooms.body,
      heading(),
      h("div", { class: "cover-card" }, icon("noeye"), h("h2", {}, word("covered")), h("p", {}, word("covered_text"))),
    );
    swap(rooms.bar, coverKey(), othersSee());
    return;
  }
  drawHand();
}

function drawHead() {
  const states = {
    connecting: ["quiet", "wifi", "connecting"], open: ["ok", "wifi", "at_table"],
    away: ["stop", "nowifi", "away"],
  };
  const [kind, sign, key] = states[seat.line ? seat.connection : "connecting"];
  const chip = seat.line || seat.stage === "connecting"
    ? h("span", { class: `badge-chip ${kind}`, role: "status" }, icon(sign), word(key)) : h("span", {});
  swap(
    head,
    chip,
    seat.stage === "open" && seat.picture.secret ? h("span", { class: "badge-chip" }, icon("lock"), word("only_you")) : null,
  );
}

/** What is shown while there is no hand. */
function before() {
  const page_ = (key, values = {}, text = null) =>
    h("div", { class: "empty" }, h("h1", {}, word(key, values)), h("p", {}, text ?? word(`${key}_text`, values)));
  if (seat.stage === "connecting") {
    return h("div", { class: "empty" }, h("h1", { class: "unseen" }, "Heelstone"), h("p", {}, word(seat.connection === "away" ? "away_text" : "connecting")));
  }
  if (seat.stage === "waiting") {
    const name = seat.said?.name ?? "";
    return [page_("waiting", { name }, seat.said?.hosted ? word("waiting_hosted", { name }) : null), h("div", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))];
  }
  const onlooker = h("a", { class: "key", href: "./" }, icon("eye"), h("span", {}, word("look_on")));
  if (seat.stage === "closed") return [page_("nobody_plays", {}, word(seat.said?.hosted ? "closed_hosted" : "closed_text")), onlooker];
  if (seat.stage === "code_used") {
    const text = seat.said?.text ? [seat.said.text, seat.said.do].filter(Boolean).join(" ") : null;
    return [h("div", { class: "empty" }, h("h1", {}, seat.said?.title ?? word("code_used")), h("p", {}, text ?? word("code_used_text"))), onlooker];
  }
  return [page_(seat.stage), onlooker];
}

/** The player whom the page names: of several who are asked, its own. */
function whoIsAsked() {
  const { asked, seat: own, public: shown } = seat.picture;
  return asked && !seat.shared ? shown.players[own] : askedSeat(shown);
}

export function title() {
  const asked = whoIsAsked();
  if (seat.picture.asked && !seat.shared) return word(isOutOfTurn(seat.picture.public, seat.picture.seat) ? "you_asked" : "your_turn");
  if (asked) {
    return word(isOutOfTurn(seat.picture.public, asked.seat) ? "asked_other" : "asked_title", { name: asked.name });
  }
  return seat.picture.public.outcome?.title ?? seat.picture.prompt?.title ?? seat.picture.public.game_name;
}

function heading() {
  const { ask, prompt, public: shown } = seat.picture;
  const text = ask || (seat.picture.asked ? prompt?.text : shown.last?.text) || prompt?.text;
  const what = ask || !seat.picture.asked ? "" : question(shown, prompt, whoIsAsked());
  return h(
    "div",
    { class: `heading${seat.picture.asked ? " asked" : ""}` },
    h("div", { class: "who" }, faceOf(whoIsAsked() ?? shown.players[seat.picture.seat]), h("h1", {}, title())),
    what && seat.connection !== "away" ? h("p", { class: "question" }, what) : null,
    seat.connection === "away" ? h("p", { class: "stop" }, word("away_text")) : text ? h("p", {}, text) : null,
  );
}

function drawHand() {
  main.dataset.ply = String(seat.picture.public.ply);
  const shown = seat.picture.public;
  // At the end the result is the heading.
  const explained = explanation(shown, shown.outcome ? "h1" : "h2");
  const parts = shown.outcome ? [explained] : [heading(), explained];
  if (seat.picture.figures.length) parts.push(figures());
  parts.push(padPart());
  const places = hasBoard(shown) ? boardPart() : null;
  // What is to be touched comes first: places, if nothing of the hand can be chosen.
  const first = places && seat.picture.may_play && seat.picture.moves.length && !seat.picking.able(seat.picture.moves).size;
  if (first) parts.push(places);
  parts.push(handPart());
  if (seat.picture.lying.length) {
    parts.push(
      h("section", {}, h("h2", { class: "caption" }, word("your_hidden")),
        h("ul", { class: "lying" }, seat.picture.lying.map((one) =>
          h("li", {}, h("b", {}, one.name), h("span", {}, one.at))))),
    );
  }
  if (seat.picture.open.some((card) => card.moves.length)) parts.push(openPart());
  if (seat.picture.wares.length) parts.push(waresPart());
  if (!first) parts.push(places);
  parts.push(sheetTable(shown));
  parts.push(h("ul", { class: "players few", "data-count": String(shown.players.length) },
    shown.players.map((player) => playerCard(seat.shapes, shown, player, { supply: false }))));
  parts.push(switches());
  swap(rooms.body, parts);
  drawBoard();
  drawBar(rooms.bar, title());
}

function figures() {
  const signs = { actions: "bolt", buys: "bag", coins: "coin" };
  return h(
    "dl",
    { class: "key-figures" },
    seat.picture.figures.map(([label, number, key]) =>
      h("div", {}, h("dt", {}, label), h("dd", {}, signs[key] ? icon(signs[key]) : null, String(number)))),
  );
}

function handPart() {
  const able = seat.picking.able(seat.picture.moves);
  const cards = seat.picture.hand.map((card) => {
    const lit = card.moves.length > 0 || able.has(card.id);
    const state = seat.picture.may_play ? lit : null;
    const node = handCard(seat.shapes, { ...card, able: state }, {
      chosen: seat.picking.things.includes(card.id),
      onclick: () => touchCard(card, lit),
    });
    onHold(node, () => read(card, seat.shapes));
    return node;
  });
  const over = Boolean(seat.picture.public.outcome);
  if (!cards.length && !seat.picture.piles.length && (over || !seat.picture.secret)) return null;
  const piles = seat.picture.piles.map((pile) =>
    h("div", { class: `pile ${pile.kind}` }, h("span", {}, word(`${pile.kind}_pile`)),
      h("b", {}, String(pile.count)), h("span", {}, word(pile.count === 1 ? "card" : "cards"))));
  // They fill the last row of cards, or have a low one of their own.
  const beside = piles.length > 0 && cards.length % 3 === 3 - piles.length;
  const none = h("p", { class: "none" }, word(seat.picture.physical ? "real_hand" : "no_hand"));
  return h(
    "section",
    { class: "hand" },
    h("div", { class: "caption-row" }, h("h2", { class: "caption" }, word("your_hand")),
      seat.picture.hand.length ? h("span", { class: "hint" }, icon("hand"), handHint(able)) : null),
    cards.length || beside ? h("div", { class: "cards" }, cards, beside ? piles : null) : none,
    beside || !piles.length ? null : h("div", { class: "piles" }, piles),
  );
}

/** What a touch of a card of the hand does. */
function handHint(able) {
  const does = new Set(seat.picture.hand.flatMap((card) => (card.moves.length ? [card.do] : [])));
  if (!seat.picture.may_play) return word("look_only");
  if (does.size > 1) return word("tap_picks");
  const [only] = does;
  if (only) return word("tap_does", { does: only.charAt(0).toLowerCase() + only.slice(1) });
  return word(able.size ? "tap_picks" : "look_only");
}

function openPart() {
  return h("section", {}, h("h2", { class: "caption" }, word("open_cards")),
    h("div", { class: "cards" }, seat.picture.open.map((card) => {
      const full = shownWare(card.kind);
      const node = handCard(seat.shapes, { ...full, ...card, id: `open ${card.kind}` }, { onclick: () => (card.moves.length ? seat.play([card.moves[0]]) : read({ ...full, ...card }, seat.shapes)) });
      onHold(node, () => read({ ...full, ...card }, seat.shapes));
      return node;
    })));
}

function waresPart() {
  return h("section", {}, h("h2", { class: "caption" }, word("buy")),
    h("div", { class: "wares buy" }, seat.picture.wares.map((ware) => {
      const full = { ...shownWare(ware.kind), ...ware };
      const chosen = seat.ware === ware.kind;
      const able = ware.able !== false;
      const node = wareTile(seat.shapes, full, {
        class: `ware group-${full.group}${able ? "" : " dim"}`,
        "data-key": `ware ${ware.kind}`, "aria-pressed": able ? String(chosen) : null, onclick: () => {
          if (!able) {
            if (seat.refuse) seat.refuse([ware.kind], [], ware);
            else touchCard(ware, false);
            return;
          }
          seat.ware = chosen ? "" : ware.kind;
          seat.picking.clear();
          seat.draw();
        },
      });
      onHold(node, () => read(full, seat.shapes));
      return node;
    })));
}

function shownWare(kind) {
  return seat.picture.public.market?.wares.find((ware) => ware.kind === kind) ?? {};
}

function boardPart() {
  // The same element as before: a board that moves under a finger is touched wrongly.
  if (!board) {
    const element = boardElement("");
    board = new Board(element.firstElementChild);
    board.element = element;
    if (seat.shapes) board.use(seat.shapes);
    element.addEventListener("click", (event) => {
      if (!seat.picture?.may_play) return;
      const other = seat.refuse && board.otherAt(event.clientX, event.clientY);
      if (other && !seat.picking.sites.includes(other)) {
        seat.refuse(seat.picking.things, [...seat.picking.sites, other]);
        return;
      }
      const site = board.siteAt(event.clientX, event.clientY);
      if (site) {
        seat.picking.touchSite(site, seat.picture.moves);
        const fitting = seat.picking.fitting(seat.picture.moves);
        const [only] = seat.picking.complete(seat.picture.moves);
        if (seat.atOnce && only && fitting.length === 1 && board.isLarge(site)) seat.play([only.move]);
        else seat.draw();
      }
    });
  }
  return h("section", { class: "board-part" }, board.element);
}

function drawBoard() {
  if (!board || !hasBoard(seat.picture.public)) return;
  const shown = seat.picture.public;
  board.svg.setAttribute("aria-label", [word("board_told", { game: shown.game_name }), shown.last?.text].filter(Boolean).join(". "));
  board.draw(shown.board, {
    targets: seat.picture.may_play ? seat.picking.targets(seat.picture.moves) : [],
    picked: seat.picking.sites,
    hints: seat.covered ? [] : seat.picture.tip?.sites ?? [],
  });
}
