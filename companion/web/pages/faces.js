// Cards: those for sale and those of a hand; and the players.

import { FACES, SIGNS } from "./drawn.js";
import { h, icon, s, word } from "./page.js";
import { emblem, paint, pieceIcon, signIcon } from "./pieces.js";

/** A name on one line or two, as the game breaks it; long ones are set smaller, never cut. */
function nameOf(card) {
  const lines = card.lines ?? [card.name];
  const node = h("span", { class: "name" }, lines.map((line) => h("span", {}, line)));
  node.style.setProperty("--letters", String(Math.max(...lines.map((line) => line.length), 6)));
  return node;
}

/** A sign for the eye, and the words that are read aloud in its place. */
function signed(kind, sign, ...words) {
  const said = words.filter(Boolean).join(", ");
  return [
    sign ? h("span", { class: kind, "aria-hidden": "true" }, sign) : null,
    said ? h("span", { class: "unseen" }, `, ${said}`) : null,
  ];
}

/** A pile for sale as everybody sees it. `more`: attributes; with `onclick` it is a key. */
export function wareTile(shapes, ware, more = {}) {
  const figure = ware.figure ?? (ware.count ? String(ware.count) : word("empty_pile"));
  const parts = [
    nameOf(ware),
    ware.cost === undefined ? null : signed("cost", String(ware.cost), word("cost", { cost: ware.cost })),
    emblem(shapes, ware.kind, ware.group, ware.sign),
    ware.count === undefined
      ? h("span", { class: "figure" }, figure)
      : signed(ware.scarce ? "figure scarce" : "figure", figure, word("left", { count: ware.count })),
    ware.badge ? h("span", { class: "badge" }, ware.badge) : null,
  ];
  const attributes = { class: `ware group-${ware.group}`, ...more };
  if (more.onclick) return h("button", { type: "button", ...attributes }, parts);
  return h("div", { role: "listitem", ...attributes }, parts);
}

/** A card or a piece of a hand. */
export function handCard(shapes, card, { chosen, onclick }) {
  const able = card.able;
  const attributes = {
    type: "button", "data-key": `card ${card.id ?? card.kind}`, "aria-pressed": chosen ? "true" : null, onclick,
  };
  const lit = able === null ? " still" : able ? " lit" : " dim";
  const state = signed(
    "badge", card.count > 1 ? `×${card.count}` : "",
    card.count > 1 ? word("times", { count: card.count }) : "",
    chosen ? word("chosen") : "",
    able === null ? "" : word(able ? "can_play" : "cannot_play"),
  );
  if (card.group) {
    return h(
      "button",
      { ...attributes, class: `card paper-${card.group}${lit}${card.count > 1 ? " stack" : ""}` },
      nameOf(card),
      emblem(shapes, card.kind, card.group, card.sign),
      h("span", { class: "label" }, card.label),
      state,
    );
  }
  if (card.suit !== undefined) {
    const number = card.id.replace(/^\D+/, "");
    const face = h(
      "button",
      { ...attributes, class: `card numbered${lit}${isDark(card.colour) ? " on-dark" : " on-light"}` },
      h("span", { class: "number", "aria-hidden": "true" }, /^\d+$/.test(number) ? number : "Π"),
      card.suit ? icon(card.suit) : null,
      signIcon(card.colour_sign),
      h("span", { class: "label" }, card.name),
      state,
    );
    // Set by script: the page's rules let no markup do it.
    face.style.setProperty("--card", card.colour || "#08090a");
    return face;
  }
  return h(
    "button",
    { ...attributes, class: `card thing${lit}` },
    pieceIcon(shapes, card.kind, { class: "emblem", px: 80 }) ?? h("span", { class: "number", "aria-hidden": "true" }, card.id),
    h("span", { class: "label" }, card.name),
    state,
  );
}

/** Relative luminance (WCAG 2) below which white is read better than black. */
const HALF_WAY = 0.179;

function isDark(colour) {
  const hex = /^#(..)(..)(..)$/.exec(colour || "#08090a");
  const [red, green, blue] = hex.slice(1).map((part) => {
    const value = parseInt(part, 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < HALF_WAY;
}

/** A player's face in the rim of their colour, with its sign; without a seat only the face. */
export function faceOf(player, size = "") {
  const drawn = s("svg", { class: "drawn", viewBox: "0 0 100 100" });
  paint(drawn, FACES[player.face] ?? FACES.nobody);
  const sign = SIGNS[player.colour];
  const ink = isDark(player.rgb) ? "#fff" : "#10151b";
  const node = h(
    "span",
    { class: `face ${size}`, "aria-hidden": "true" },
    drawn,
    player.rgb ? s(
      "svg",
      { class: "seat", viewBox: "-170 -170 340 340" },
      s("circle", { r: 160, fill: player.rgb }),
      sign ? s("path", { d: sign, fill: ink, "fill-rule": "evenodd" }) : null,
    ) : null,
  );
  // Set by script: the page's rules let no markup do it.
  if (player.rgb) node.style.setProperty("--seat", player.rgb);
  return node;
}

/** What lies in front of a player: pieces and how many are left. */
export function supplyOf(shapes, player) {
  const seen = player.supply.filter((one) => shapes?.kinds?.[one.kind]);
  if (!seen.length) return null;
  return h(
    "ul",
    { class: "supply" },
    seen.map((one) => {
      // Cards come and go; only pieces are used up.
      const counted = Boolean(one.of) && shapes.kinds[one.kind].shape !== "card";
      const some = counted ? `${one.count}/${one.of}` : String(one.count);
      return h(
        "li",
        { title: some },
        pieceIcon(shapes, one.kind, { class: "token small", px: 22 }),
        h("span", {}, one.of || one.count > 1 ? some : ""),
      );
    }),
  );
}
