// The board as SVG, in millimetres of the box, the same as on the table's screen.

import { SIGNS } from "./drawn.js";
import { h, page, s } from "./page.js";
import { drawPiece, list, n, signPath, STROKE, text } from "./pieces.js";

const GRID = 4;
const RIGHT_ON = 0.9;
const LARGE_PX = 14;

/** A board that is drawn again with every picture. */
export class Board {
  /** `svg`: where to draw. */
  constructor(svg) {
    this.svg = svg;
    this.shapes = null;
    this.frame = null;
    this.lying = null;
    this.marks = {};
    this.before = new Set();
  }

  /** Use the shapes of another match. */
  use(shapes) {
    this.shapes = shapes;
    this.frame = null;
    this.before = new Set();
  }

  /** `marks`: `targets` (places to touch next), `picked`, and `hints` (of a tip). */
  draw(lying, marks = {}) {
    this.lying = lying;
    this.marks = marks;
    if (!this.shapes || !lying) return;
    // Once in use a place stays in the picture, or the board would move back and forth.
    this.frame = this.frame ? together(this.frame, lying.frame) : lying.frame;
    this.svg.setAttribute("viewBox", this.frame.map(n).join(" "));
    this.svg.replaceChildren(this.ground(), this.pieces(), this.rings());
  }

  /** The same again: after a change of light and dark. */
  redraw() {
    this.draw(this.lying, this.marks);
  }

  /** The glowing place that a touch at a point of the window means, or null. */
  siteAt(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.shapes) return null;
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    const target = 44 / matrix.a;
    let best = null;
    for (const name of this.marks.targets ?? []) {
      const site = this.shapes.sites[name];
      if (!site) continue;
      const dx = Math.abs(at.x - site.at[0]);
      const dy = Math.abs(at.y - site.at[1]);
      const away = site.round
        ? Math.max(Math.hypot(dx, dy) - site.half[0], 0)
        : Math.hypot(Math.max(dx - site.half[0], 0), Math.max(dy - site.half[1], 0));
      const middle = Math.hypot(dx, dy);
      if (away <= target && (!best || middle < best.middle)) best = { name, middle };
    }
    return best?.name ?? null;
  }

  /** Whether a finger hits a place without fail. */
  isLarge(name) {
    const site = this.shapes.sites[name];
    return Math.min(...site.half) * (this.svg.getScreenCTM()?.a ?? 0) >= LARGE_PX;
  }

  /** Another place that a touch hits so well that it can mean no glowing one near it, or null. */
  otherAt(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.shapes) return null;
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    let best = null;
    for (const [name, site] of Object.entries(this.shapes.sites)) {
      const [dx, dy] = [(at.x - site.at[0]) / site.half[0], (at.y - site.at[1]) / site.half[1]];
      const away = site.round ? Math.hypot(dx, dy) : Math.max(Math.abs(dx), Math.abs(dy));
      const small = site.half[0] * site.half[1];
      if (away <= RIGHT_ON && (!best || small < best.small)) best = { name, small };
    }
    return best && ![...(this.marks.targets ?? [])].includes(best.name) ? best.name : null;
  }

  ground() {
    const { shapes, lying } = this;
    const taken = new Set(lying.taken);
    const group = s("g", {});
    shapes.shapes.forEach((shape, number) => {
      if (taken.has(shape.site)) return;
      group.append(paint(shape, shapes.kinds[lying.held[number]]));
    });
    return group;
  }

  pieces() {
    const group = s("g", {});
    const { shapes, lying } = this;
    const now = new Set();
    for (const piece of lying.pieces) {
      const kind = shapes.kinds[piece.kind];
      if (!kind) continue;
      const foot = piece.pile ? plate(shapes.sites[piece.site], shapes.unit) : 0;
      const drawn = drawPiece(shapes, kind, piece, shapes.unit, foot);
      const key = `${piece.site} ${piece.kind} ${piece.pose ?? ""}`;
      now.add(key);
      if (this.before.size && !this.before.has(key)) drawn.classList.add("arrives");
      group.append(drawn);
    }
    this.before = now;
    for (const pile of lying.piles) group.append(drawCount(pile, shapes, lying.frame));
    return group;
  }

  rings() {
    const group = s("g", { class: "marks" });
    const { shapes, lying, marks } = this;
    const unit = shapes.unit;
    const ring = (name, factor, kind, width) => {
      const site = shapes.sites[name];
      if (!site) return;
      const grow = site.round
        ? Math.max(Math.max(...site.half) * factor, GRID * unit) - site.half[0]
        : GRID * factor * unit;
      group.append(outline(site, grow, { class: kind, "stroke-width": n(width * unit) }));
    };
    for (const name of lying.last) ring(name, 1.22, "ring last", 2 * STROKE * 0.55);
    for (const name of marks.targets ?? []) ring(name, 1.0, "ring target", STROKE * 0.95);
    for (const name of marks.hints ?? []) ring(name, 1.34, "ring hint-ring", STROKE * 1.2);
    for (const name of marks.picked ?? []) ring(name, 1.12, "ring picked", STROKE * 1.5);
    return group;
  }
}

// -- the ground --------------------------------------------------------------------------------

/** One shape of the display list; a line in the colour of the kind of piece that holds it. */
function paint(shape, holder) {
  const tone = (holder?.line ?? shape.tone)[page.look];
  const [[x, y], [wide, high]] = [shape.points[0], shape.reach ?? [0, 0]];
  const look = shape.width
    ? { fill: "none", stroke: tone, "stroke-width": n(holder ? shape.held : shape.width) }
    : { fill: tone };
  look.opacity = holder ? 1 : shape.alpha ?? 1;
  switch (shape.form) {
    case "sign":
      return signPath(SIGNS[shape.text], [x, y], 1.8 * high, look);
    case "text":
      return text(shape.text, [x, y], high, "board-text", look);
    case "circle":
      return s("circle", { cx: x, cy: y, r: n(wide), ...look });
    case "box":
      return s("rect", {
        x: n(x - wide), y: n(y - high), width: n(2 * wide), height: n(2 * high), rx: n(shape.bend), ...look,
      });
    default:
      return s(shape.form === "line" ? "polyline" : "polygon", { points: list(shape.points), ...look });
  }
}

/** The outline of a site, larger by `grow` mm. */
function outline(site, grow, attributes) {
  const [x, y] = site.at;
  const [half, high] = site.half;
  if (site.round) return s("circle", { cx: x, cy: y, r: n(half + grow), ...attributes });
  return s("rect", {
    x: n(x - half - grow), y: n(y - high - grow), width: n(2 * (half + grow)),
    height: n(2 * (high + grow)), rx: n(Math.min(half, high) * 0.2 + grow * 0.5), ...attributes,
  });
}

function together([x0, y0, w0, h0], [x1, y1, w1, h1]) {
  const left = Math.min(x0, x1);
  const top = Math.min(y0, y1);
  return [left, top, Math.max(x0 + w0, x1 + w1) - left, Math.max(y0 + h0, y1 + h1) - top];
}

// -- piles -------------------------------------------------------------------------------------

const COUNT_PX = 12;

/** How high the plate for a pile's number is, mm; 0 where a coin at its corner is used. */
function plate(site, unit) {
  const [half, high] = site.half;
  const narrow = half < 2.2 * COUNT_PX * unit && high > half;
  return narrow ? Math.min(COUNT_PX * 1.2 * unit, high * 0.5) : 0;
}

function drawCount(pile, shapes, frame) {
  const site = shapes.sites[pile.site];
  const unit = shapes.unit;
  const [x, y] = site.at;
  const [half, high] = site.half;
  const foot = plate(site, unit);
  const group = s("g", { class: "count" });
  if (foot) {
    const top = y + high * 0.95 - foot;
    group.append(
      s("rect", { x: n(x - half * 0.92), y: n(top), width: n(half * 1.84), height: n(foot), rx: n(foot / 4) }),
      text(String(pile.count), [x, top + foot / 2], foot / 1.2, "count-text"),
    );
  } else {
    const radius = COUNT_PX * 0.95 * unit;
    // A place at the edge of the picture has its coin within.
    const at = [Math.min(x + half, frame[0] + frame[2] - radius), Math.max(y - high, frame[1] + radius)];
    group.append(
      s("circle", { cx: n(at[0]), cy: n(at[1]), r: n(radius) }),
      text(String(pile.count), at, COUNT_PX * unit, "count-text"),
    );
  }
  return group;
}

/** An empty board for a page. */
export function boardElement(label) {
  return h("div", { class: "board" }, s("svg", { role: "img", "aria-label": label, preserveAspectRatio: "xMidYMid meet" }));
}
