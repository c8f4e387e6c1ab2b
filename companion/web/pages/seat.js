// A player's page as it is now: one state, and what is remembered while the page is loaded again.

import { Picking } from "./picking.js";

export const seat = {
  /** `open`: the hand is shown; else why it is not. */
  stage: "connecting",
  /** What the table said with that. */
  said: null,
  /** What this seat may see. */
  picture: null,
  /** Of the board. */
  shapes: null,
  line: null,
  connection: "connecting",
  /** A move is under way to the table … */
  sending: false,
  /** … and that takes so long that it is said. */
  slow: false,
  /** The kind of the pile that was touched: it is taken by the key that then says so. */
  ware: "",
  covered: recall("covered") === "1",
  picking: new Picking(),
  /** What is typed: a row, its figures and how they count, or faces of dice; and when it was begun. */
  typed: null,
  /** Set by the page: draw everything anew, and play these moves. */
  draw() {},
  play() {},
  takeBack() {},
  /** Several people share this page: whose turn it is says a name. */
  shared: false,
  /** A move is played with its last touch, where places are large enough for fingers. */
  atOnce: false,
  /** Says why these things of the hand and places may not be touched; null where that is not asked. */
  refuse: null,
  askTip() {},
};

/** Cover everything private, or show it again. */
export function turnCover() {
  seat.covered = !seat.covered;
  remember("covered", seat.covered ? "1" : "");
  seat.picking.clear();
  seat.ware = "";
  seat.draw();
}

function recall(key) {
  try {
    return sessionStorage.getItem(`heelstone.${key}`) ?? "";
  } catch {
    return "";
  }
}

function remember(key, value) {
  try {
    sessionStorage.setItem(`heelstone.${key}`, value);
  } catch {
    // Then it holds until the page is loaded again.
  }
}
