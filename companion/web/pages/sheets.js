// Sheets over a player's page, and the finger that rests on a card.

import { h, icon, word } from "./page.js";
import { emblem } from "./pieces.js";

const HOLD_MS = 450;

/** A sheet over the page with a key that closes it. */
export function sheet(kind, ...children) {
  closeSheets();
  const close = h("button", { type: "button", class: "key", onclick: () => closeSheets() }, icon("cross"), h("span", {}, word("close")));
  const node = h("dialog", { class: `sheet ${kind}` }, h("div", { class: "sheet-body" }, ...children), h("div", { class: "keys" }, close));
  node.addEventListener("click", (event) => {
    if (event.target === node) closeSheets();
  });
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  node.showModal();
  node.querySelector(".sheet-body").scrollTop = 0;
}

/** Close what is open; with a `kind` only sheets of that kind. */
export function closeSheets(kind = "sheet") {
  document.querySelectorAll(`dialog.${kind}`).forEach((node) => {
    node.close();
    node.remove();
  });
}

/** Something to be read. */
export function tell(heading_, lines) {
  sheet("say", h("h2", {}, heading_), lines.filter(Boolean).map((text) => h("p", {}, text)));
}

/** A card by itself, to be read: that never changes anything. */
export function read(card, shapes) {
  const big = card.group
    ? h("div", { class: `card large paper-${card.group}` }, h("span", { class: "name" }, card.name),
        emblem(shapes, card.kind, card.group, card.sign), h("span", { class: "label" }, card.types ?? card.label))
    : null;
  sheet("reading", h("h2", {}, card.name), big,
    card.text ? h("p", { class: "card-text" }, card.text) : null,
    card.cost === undefined ? null : h("p", { class: "hint" }, word("cost", { cost: card.cost })),
    card.why_not ? h("p", { class: "why-not" }, card.why_not) : null);
}

/** Call `then` when a finger rests on `node`; the touch that ends it does nothing else. */
export function onHold(node, then) {
  let timer = 0;
  let held = false;
  const stop = () => clearTimeout(timer);
  node.addEventListener("pointerdown", () => {
    held = false;
    timer = setTimeout(() => {
      held = true;
      then();
    }, HOLD_MS);
  });
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) node.addEventListener(name, stop);
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  node.addEventListener("click", (event) => {
    if (!held) return;
    held = false;
    event.stopImmediatePropagation();
    event.preventDefault();
  }, { capture: true });
}
