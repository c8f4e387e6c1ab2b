// What a touch of a card does, and the keys under the thumb.

import { h, icon, swap, word } from "./page.js";
import { typedMove } from "./pad.js";
import { seat, turnCover } from "./seat.js";
import { read, sheet, tell } from "./sheets.js";

const MOST_KEYS = 3;

export function touchCard(card, lit) {
  if (!lit || !seat.picture.may_play) {
    if (card.why_not) {
      const [first, ...rest] = card.why_not.split(" – ");
      tell(first, [rest.join(" – ")]);
    } else if (seat.refuse && !card.text) seat.refuse([card.id], []);
    else read(card, seat.shapes);
    return;
  }
  if (card.moves.length) {
    seat.play([card.moves[0]]);
    return;
  }
  seat.picking.touchThing(card.id, seat.picture.moves);
  const fitting = seat.picking.fitting(seat.picture.moves);
  const complete = seat.picking.complete(seat.picture.moves);
  if (fitting.length === 1 && complete.length === 1) seat.play([complete[0].move]);
  else seat.draw();
}

/** The keys under the thumb. */
export function drawBar(bar, title) {
  bar.setAttribute("aria-busy", String(seat.sending));
  if (seat.slow) {
    swap(bar, h("p", { class: "sending", role: "status" }, word("sending")), h("div", { class: "keys" }, coverKey()));
    return;
  }
  if (seat.picking.begun && seat.picture.may_play) {
    swap(bar, pickedKeys());
    return;
  }
  const ware = seat.picture.wares.find((one) => one.kind === seat.ware);
  if (ware) {
    swap(bar, wareKeys(ware));
    return;
  }
  const keys = seat.picture.may_play ? seat.picture.keys : [];
  const typed = typedMove();
  const yellow = typed ? { title: word("enter"), text: "", moves: [typed] } : keys.find((one) => one.yellow);
  const others = keys.filter((one) => one !== yellow);
  const few = others.slice(0, MOST_KEYS);
  const rest = others.slice(MOST_KEYS);
  const listed = seat.picture.may_play && (seat.picture.choices.length || rest.length);
  swap(
    bar,
    tipWords(),
    yellow ? moveKey(yellow, true) : null,
    h("div", { class: "keys" },
      few.map((one) => moveKey(one)),
      takeBackKey(),
      tipKey(),
      listed ? h("button", { type: "button", class: "key", "data-key": "list", onclick: () => openList(rest, title) }, icon("list"), h("span", {}, word("as_list"))) : null,
      coverKey()),
    othersSee(),
  );
}

function moveKey(one, yellow = false) {
  return h(
    "button",
    {
      type: "button", class: yellow ? "key yellow" : "key", "data-key": `key ${one.moves.join()}`,
      onclick: () => seat.play(one.moves),
    },
    h("span", { class: "key-title" }, one.title),
    one.text ? h("span", { class: "key-text" }, one.text) : null,
  );
}

/** A pile was touched: what taking from it does, and out of it again. */
function wareKeys(ware) {
  return [
    moveKey({ title: ware.name, text: ware.do, moves: [ware.moves[0]] }, true),
    h("div", { class: "keys" }, leaveKey()),
  ];
}

function leaveKey() {
  const leave = () => {
    seat.picking.clear();
    seat.ware = "";
    seat.draw();
  };
  return h("button", { type: "button", class: "key", "data-key": "leave", onclick: leave }, icon("cross"), h("span", {}, word("leave_it")));
}

/** The last touch is taken back, as long as that betrays nothing. */
function takeBackKey() {
  if (!seat.picture.take_back) return null;
  return h(
    "button",
    {
      type: "button", class: "key", "data-key": "back", title: seat.picture.take_back,
      "aria-label": `${word("take_back")}: ${seat.picture.take_back}`, onclick: () => seat.takeBack(),
    },
    icon("undo"), h("span", {}, word("take_back")),
  );
}

/** A tip is asked for, or goes away. */
function tipKey() {
  if (!seat.picture.may_tip || seat.covered) return null;
  return h(
    "button",
    { type: "button", class: "key", "data-key": "tip", "aria-pressed": String(!!seat.picture.tip), onclick: () => seat.askTip() },
    icon("bulb"), h("span", {}, word("tip")),
  );
}

/** What the tip says. */
function tipWords() {
  const { tip } = seat.picture;
  if (!tip || seat.covered) return null;
  return h("div", { class: "tip", role: "status" }, h("strong", {}, tip.title), tip.lines.map((line) => h("p", {}, line)));
}

function pickedKeys() {
  const complete = seat.picking.complete(seat.picture.moves);
  const fitting = seat.picking.fitting(seat.picture.moves);
  const more = fitting.filter((move) => !complete.includes(move));
  const targets = seat.picking.targets(seat.picture.moves);
  const shown = complete.length > MOST_KEYS ? [] : complete;
  const all = more.length || shown.length < complete.length
    ? h("button", { type: "button", class: shown.length ? "key" : "key yellow", "data-key": "list", onclick: () => openMoves(fitting) },
        icon("list"), h("span", {}, word(complete.length > MOST_KEYS ? "choose" : "as_list"))) : null;
  const what = !seat.picking.things.length && fitting.some((move) => move.things.length);
  const hint = shown.length ? null : what ? word("then_what") : targets.size ? word("then_place") : more.length ? word("then_more") : null;
  return [
    hint ? h("p", { class: "hint" }, hint) : null,
    shown.map((move) => moveKey({ title: move.sites.length ? move.said : move.title, text: move.text, moves: [move.move] }, shown.length === 1 || move.yellow)),
    h("div", { class: "keys" }, all, leaveKey()),
  ];
}

export function coverKey() {
  const over = seat.picture.public.outcome && !seat.picture.hand.length;
  if ((over || !seat.picture.secret) && !seat.covered) return null;
  return h(
    "button",
    {
      type: "button", class: "key cover", "data-key": "cover",
      onclick: turnCover,
    },
    icon(seat.covered ? "eye" : "noeye"),
    h("span", {}, word(seat.covered ? "uncover" : "cover")),
  );
}

export function othersSee() {
  const count = seat.picture.hand.reduce((sum, card) => sum + card.count, 0);
  const cards = seat.picture.hand.every((card) => card.group || card.suit !== undefined);
  if (!count || !cards) return null;
  const told = count === 1 ? word("one_card") : word("many_cards", { count });
  return h("p", { class: "others" }, word("others_see", { cards: told }));
}

function tile(text, move) {
  return h("button", { type: "button", class: "tile", onclick: () => seat.play([move]) }, text);
}

/** Everything that may be done, as a list. */
function openList(keys, title) {
  sheet("list", h("h2", {}, title),
    keys.length ? h("div", { class: "tiles" }, keys.map((one) => tile([one.title, one.text].filter(Boolean).join(" – "), one.moves[0]))) : null,
    seat.picture.choices.map((section) => [
      section.title ? h("h3", {}, section.title) : null,
      h("div", { class: "tiles" }, section.tiles.map((one) => tile(one.text, one.move))),
    ]));
}

function openMoves(moves) {
  sheet("list", h("h2", {}, word("choose")),
    h("div", { class: "tiles wide" }, moves.map((move) => tile(move.sites.length || !move.text ? move.said : `${move.title} – ${move.text}`, move.move))));
}
