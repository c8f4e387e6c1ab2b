// The board and its pieces as SVG, in millimetres of the box, the same as on the table's screen.

import { h, page, s } from "./page.js";

const HAIRLINE = 1.2;
const STROKE = 2.2;
const GRID = 4;
const LABEL_LEAST = 16;
const MARK_LEAST = 8;

const ROUND = new Set(["disc", "octagon", "pawn"]);
const ROUNDING = { card: 0.12, bar: 0.2, arch: 0.12 };
const TURNS = new Set(["cw", "ccw"]);

const n = (value) => Math.round(value * 100) / 100;
const list = (points) => points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ");

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

  /** `marks`: `targets` (places to touch next) and `picked`. */
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

  ground() {
    const { shapes, lying } = this;
    const unit = shapes.unit;
    const look = page.look;
    const taken = new Set(lying.taken);
    const group = s("g", {});
    shapes.strokes.forEach((stroke, number) => {
      group.append(drawStroke(stroke, lying.held[number], shapes, look));
    });
    for (const [name, site] of Object.entries(shapes.sites)) {
      if (!site.tone) continue;
      const [fill, line] = site.tone[look];
      group.append(outline(site, 0, { fill, stroke: line, "stroke-width": n(1.5 * HAIRLINE * unit) }));
      const small = Math.min(...site.half);
      if (site.label && !taken.has(name) && small >= LABEL_LEAST * unit) {
        group.append(text(site.label, site.at, small * 0.58, "site-label"));
      }
    }
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
      const drawn = drawPiece(kind, piece, shapes.unit, page.look, foot);
      const key = `${piece.site} ${piece.kind} ${piece.pose ?? ""}`;
      now.add(key);
      if (this.before.size && !this.before.has(key)) drawn.classList.add("arrives");
      group.append(drawn);
    }
    this.before = now;
    for (const pile of lying.piles) group.append(drawCount(pile, shapes));
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
    for (const name of marks.picked ?? []) ring(name, 1.12, "ring picked", STROKE * 1.5);
    return group;
  }
}

/** One piece as a picture of its own, `px` high: for a player, a supply, a hand. */
export function pieceIcon(shapes, kindId, options = {}) {
  const kind = shapes?.kinds?.[kindId];
  if (!kind) return null;
  const [width, height] = kind.size;
  const side = Math.max(width, height) * 1.08;
  // A mark is left out on small pieces of a board, but not here.
  const unit = side / (options.px ?? 24) / 1.4;
  const piece = { at: [0, 0], seat: options.seat, pose: "" };
  return s(
    "svg",
    {
      class: options.class ?? "piece", viewBox: `${n(-side / 2)} ${n(-side / 2)} ${n(side)} ${n(side)}`,
      "aria-hidden": "true",
    },
    drawPiece(kind, piece, unit, page.look, 0, options.mark === false),
  );
}

/** The little picture of a card, with its figure; null if the game has none of it. */
export function emblem(shapes, kind, group, sign) {
  const picture = shapes?.pictures?.[kind];
  if (!picture) return null;
  const drawn = s("svg", { class: "emblem", viewBox: "0 0 100 100", "aria-hidden": "true" });
  for (const shape of picture) {
    const { form, colour, points } = shape;
    if (form === "fill") drawn.append(s("rect", { width: 100, height: 100, fill: colour }));
    else if (form === "oval") {
      const [[cx, cy], [rx, ry]] = points;
      drawn.append(s("ellipse", { cx, cy, rx, ry, fill: colour }));
    } else if (form === "line") {
      drawn.append(
        s("polyline", {
          points: list(points), fill: "none", stroke: colour, "stroke-width": shape.width,
          "stroke-linecap": "round", "stroke-linejoin": "round",
        }),
      );
    } else drawn.append(s("polygon", { points: list(points), fill: colour }));
  }
  if (sign) {
    if (group === "treasure") drawn.append(text(sign, [50, 50], 52, "sign ink"));
    else {
      drawn.append(s("circle", { cx: 75, cy: 75, r: 25, class: `seal seal-${group}` }));
      drawn.append(text(sign, [75, 75], sign.length < 2 ? 42 : 32, "sign white"));
    }
  }
  return drawn;
}

// -- the ground --------------------------------------------------------------------------------

function drawStroke(stroke, holder, shapes, look) {
  const unit = shapes.unit;
  const points = list(stroke.points);
  if (stroke.kind === "line") {
    const kind = holder && shapes.kinds[holder];
    return kind
      ? s("polyline", {
          points, class: "held", stroke: kind.line[look],
          "stroke-width": n(2 * Math.max(stroke.width * 0.55, 1.5 * unit)),
        })
      : s("polyline", {
          points, class: "free", "stroke-width": n(2 * Math.max(stroke.width * 0.31, 0.9 * unit)),
        });
  }
  if (stroke.kind === "text") {
    return text(stroke.text, stroke.points[0], Math.max(stroke.width, 6 * unit), "stroke-text");
  }
  const tone = stroke.tone[look];
  if (stroke.kind === "circle") {
    const [cx, cy] = stroke.points[0];
    return s("circle", {
      cx, cy, r: stroke.width, fill: "none", stroke: tone, "stroke-width": n(2 * HAIRLINE * unit),
    });
  }
  if (stroke.width > 0) {
    const width = n(2 * Math.max(stroke.width / 2, HAIRLINE * unit));
    return s("polygon", { points, fill: "none", stroke: tone, "stroke-width": width });
  }
  return s("polygon", { points, fill: tone });
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

function text(words, [x, y], size, kind, more = {}) {
  return s(
    "text",
    { x: n(x), y: n(y), "font-size": n(size), dy: "0.36em", class: kind, ...more },
    words,
  );
}

// -- pieces ------------------------------------------------------------------------------------

function drawPiece(kind, piece, unit, look, foot, plain = false) {
  const scale = piece.scale ?? 1;
  const [width, height] = kind.size.map((side) => side * scale);
  const small = Math.min(width, height);
  const line = Math.max(1.1 * unit, Math.min(small * 0.045, STROKE * unit));
  const ink = { fill: kind.fill, rim: kind.rim[look], line, unit, scale };
  const [x, y] = piece.at;
  const turned = piece.pose === "lying" ? " rotate(-90)" : "";
  const group = s("g", { transform: `translate(${n(x)} ${n(y)})${turned}` });
  if (ROUND.has(kind.shape)) drawRound(group, ink, kind, width, height, piece.seat);
  else drawSquare(group, ink, kind, width, height, piece.seat);
  if (!plain) drawMark(group, ink, kind, width, height, piece.pose, foot);
  return group;
}

function drawRound(group, ink, kind, width, height, seat) {
  const radius = kind.shape === "pawn" ? (Math.min(width, height) * 0.9) / 2 : width / 2;
  ring(group, ink, radius, kind.shape === "octagon", ink.line);
  hatch(group, ink, kind);
  if (kind.shape === "pawn") {
    const head = s("g", { transform: `translate(0 ${n(-radius * 0.24)})` });
    ring(head, ink, radius * 0.52, false, ink.line * 0.8);
    group.append(head);
  } else secondMark(group, ink, radius, seat);
}

function ring(group, ink, radius, octagon, line) {
  for (const [reach, fill] of [[radius, ink.rim], [radius - line, ink.fill]]) {
    if (octagon) {
      const corners = Array.from({ length: 8 }, (_, k) => [
        reach * Math.sin((k * Math.PI) / 4), -reach * Math.cos((k * Math.PI) / 4),
      ]);
      group.append(s("polygon", { points: list(corners), fill }));
    } else group.append(s("circle", { r: n(reach), fill }));
  }
}

/** What tells seats apart without colour. */
function secondMark(group, ink, radius, seat) {
  if (!seat || radius < MARK_LEAST * ink.unit) return;
  const thin = n(2 * Math.max(ink.line * 0.35, 0.6 * ink.unit));
  const look = { fill: "none", stroke: ink.rim, "stroke-opacity": 0.75 };
  const inner = radius * 0.8;
  if (seat === 1 || seat === 4) group.append(s("circle", { r: n(inner), ...look, "stroke-width": thin }));
  if (seat === 4) group.append(s("circle", { r: n(radius * 0.66), ...look, "stroke-width": thin }));
  if (seat === 2) {
    const step = (2 * Math.PI * inner) / 12;
    group.append(
      s("circle", {
        r: n(inner), ...look, "stroke-width": n(Math.max(ink.line * 0.9, 1.2 * ink.unit)),
        "stroke-dasharray": `${n(step * 0.54)} ${n(step * 0.46)}`,
      }),
    );
  }
  if (seat === 3) {
    for (let quarter = 0; quarter < 4; quarter += 1) {
      const angle = Math.PI / 4 + (quarter * Math.PI) / 2;
      const [cx, cy] = [Math.cos(angle), Math.sin(angle)];
      group.append(
        s("line", {
          x1: n(cx * radius * 0.72), y1: n(cy * radius * 0.72), x2: n(cx * radius * 0.95),
          y2: n(cy * radius * 0.95), ...look,
          "stroke-width": n(2 * Math.max(ink.line * 0.6, 0.8 * ink.unit)),
        }),
      );
    }
  }
}

function drawSquare(group, ink, kind, width, height, seat) {
  const small = Math.min(width, height);
  const rounding = small * (ROUNDING[kind.shape] ?? 0.26);
  const { line, unit } = ink;
  group.append(block(width, height, rounding, { fill: ink.rim }));
  const inner = Math.max(rounding - line, 0.5 * unit);
  group.append(block(width - 2 * line, height - 2 * line, inner, { fill: ink.fill }));
  if (kind.shape === "arch") uprights(group, ink, width, height);
  hatch(group, ink, kind);
  if (seat && seat % 2 && kind.shape === "box") {
    const inset = small * 0.22;
    group.append(
      block(width - 2 * inset, height - 2 * inset, small * 0.1, {
        fill: "none", stroke: ink.rim, "stroke-opacity": 0.7, "stroke-width": n(1.2 * line),
      }),
    );
  }
}

/** A trilithon from above is its lintel; this is where its two uprights stand. */
function uprights(group, ink, width, height) {
  const wide = width >= height;
  for (const side of [-1, 1]) {
    const [dx, dy] = wide ? [side * width * 0.3, 0] : [0, side * height * 0.3];
    const [w, h_] = wide ? [width * 0.16, height * 0.6] : [width * 0.6, height * 0.16];
    group.append(
      s("rect", {
        x: n(dx - w / 2), y: n(dy - h_ / 2), width: n(w), height: n(h_), fill: ink.rim,
        "fill-opacity": 0.45,
      }),
    );
  }
}

function block(width, height, rounding, attributes) {
  return s("rect", {
    x: n(-width / 2), y: n(-height / 2), width: n(Math.max(width, 0.1)),
    height: n(Math.max(height, 0.1)), rx: n(Math.max(rounding, 0.1)), ...attributes,
  });
}

/** Lines over the surface, for people who do not go by colours. */
function hatch(group, ink, kind) {
  for (const [x1, y1, x2, y2] of kind.hatch ?? []) {
    const k = ink.scale;
    group.append(
      s("line", {
        x1: n(x1 * k), y1: n(y1 * k), x2: n(x2 * k), y2: n(y2 * k), stroke: ink.rim,
        "stroke-opacity": 0.55, "stroke-width": n(1.4 * ink.unit),
      }),
    );
  }
}

/** What is printed on the piece, its name, or the way it turns. */
function drawMark(group, ink, kind, width, height, pose, foot) {
  const small = Math.min(width, height);
  if (TURNS.has(pose)) {
    group.append(arrow(ink, small * 0.28, pose === "cw"));
    return;
  }
  const words = kind.mark;
  if (!words) return;
  if (kind.hatch && small > 12 * ink.unit) {
    group.append(s("circle", { r: n(small * 0.3), fill: ink.fill }));
  }
  if (kind.shape === "card" && words.length > 2) {
    alongCard(group, ink, words, width, height - foot, -foot / 2);
    return;
  }
  const size = small * (words.length === 1 ? 0.56 : 0.92 / words.length + 0.1);
  group.append(text(words, [0, 0], size, "mark", { fill: ink.rim }));
}

/** A round arrow. */
function arrow(ink, radius, clockwise) {
  const flip = clockwise ? 1 : -1;
  const head = radius * 0.5;
  return s(
    "g",
    { fill: "none", stroke: ink.rim, "stroke-width": n(radius * 0.28), "stroke-linecap": "round", transform: `scale(${flip} 1)` },
    s("path", { d: `M ${n(-radius)} 0 A ${n(radius)} ${n(radius)} 0 1 1 0 ${n(radius)}` }),
    s("path", { d: `M ${n(head)} ${n(radius - head)} L 0 ${n(radius)} L ${n(head)} ${n(radius + head)}`, "stroke-linejoin": "round" }),
  );
}

/** A card's name along its longer side: cut short rather than too small. */
function alongCard(group, ink, words, width, height, dy) {
  const [short, long] = width < height ? [width, height] : [height, width];
  const least = 7 * ink.unit;
  const room = Math.floor((long * 1.5) / least);
  let shown = words;
  if (shown.length > room && room > 4) shown = `${shown.slice(0, room - 1)}.`;
  let size = Math.min(short * 0.42, 17 * ink.unit, (long * 1.5) / shown.length);
  if (size < least) return;
  // Wide letters need more than most.
  size = Math.min(size, (long * 0.92) / (shown.length * 0.6));
  const turn = height > width ? " rotate(-90)" : "";
  group.append(
    text(shown, [0, 0], size, "mark", { fill: ink.rim, transform: `translate(0 ${n(dy)})${turn}` }),
  );
}

// -- piles -------------------------------------------------------------------------------------

const COUNT_PX = 12;

/** How high the plate for a pile's number is, mm; 0 where a coin at its corner is used. */
function plate(site, unit) {
  const [half, high] = site.half;
  const narrow = half < 2.2 * COUNT_PX * unit && high > half;
  return narrow ? Math.min(COUNT_PX * 1.2 * unit, high * 0.5) : 0;
}

function drawCount(pile, shapes) {
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
    group.append(
      s("circle", { cx: n(x + half), cy: n(y - high), r: n(COUNT_PX * 0.95 * unit) }),
      text(String(pile.count), [x + half, y - high], COUNT_PX * unit, "count-text"),
    );
  }
  return group;
}

/** An empty board for a page. */
export function boardElement(label) {
  return h("div", { class: "board" }, s("svg", { role: "img", "aria-label": label, preserveAspectRatio: "xMidYMid meet" }));
}
