// Pieces and the little pictures of cards as SVG, the same as on the table's screen.

import { SIGNS } from "./drawn.js";
import { page, s } from "./page.js";

export const STROKE = 2.2;
const SIGN_LEAST = 6;
/** Side of a sign, as a share of the shorter side of the piece. */
const SIGN_SHARE = { pawn: 0.46, bar: 0.72, arch: 0.72, octagon: 0.56, disc: 0.56 };

const ROUND = new Set(["disc", "octagon", "hexagon", "pawn"]);
const ROUNDING = { card: 0.12, bar: 0.2, arch: 0.12 };
const TURNS = new Set(["cw", "ccw"]);

/** A length for SVG. */
export const n = (value) => Math.round(value * 100) / 100;

/** Points for SVG. */
export const list = (points) => points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ");

/** Words around a point. */
export function text(words, [x, y], size, kind, more = {}) {
  return s(
    "text",
    { x: n(x), y: n(y), "font-size": n(size), dy: "0.36em", class: kind, ...more },
    words,
  );
}

/** One piece as a picture of its own, `px` high: for a player, a supply, a hand. */
export function pieceIcon(shapes, kindId, options = {}) {
  const kind = shapes?.kinds?.[kindId];
  if (!kind) return null;
  const [[left, top], [width, height]] = frame(kind);
  const side = Math.max(width, height) * 1.08;
  // A mark is left out on small pieces of a board, but not here.
  const unit = side / (options.px ?? 24) / 1.4;
  const piece = { at: [0, 0], pose: "" };
  return s(
    "svg",
    {
      class: options.class ?? "piece", viewBox: `${n(left + (width - side) / 2)} ${n(top + (height - side) / 2)} ${n(side)} ${n(side)}`,
      "aria-hidden": "true",
    },
    drawPiece(shapes, kind, piece, unit, 0, options.mark === false),
  );
}

/** Corner and size of what a piece covers in its first pose. */
function frame(kind) {
  const outline = Object.values(kind.cells ?? {})[0];
  if (!outline) return [kind.size.map((side) => -side / 2), kind.size];
  const ends = [0, 1].map((axis) => outline.map((point) => point[axis])).map((all) => [Math.min(...all), Math.max(...all)]);
  return [ends.map(([low]) => low), ends.map(([low, high]) => high - low)];
}

/** Paints the shapes of a picture, 100 wide and high. */
export function paint(drawn, picture) {
  for (const { form, colour, points, width } of picture) {
    const look = width
      ? { fill: "none", stroke: colour, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" }
      : { fill: colour };
    if (form === "fill") drawn.append(s("rect", { width: 100, height: 100, ...look }));
    else if (form === "oval") {
      const [[cx, cy], [rx, ry]] = points;
      drawn.append(s("ellipse", { cx, cy, rx, ry, ...look }));
    } else if (form === "blob" || form === "curve") drawn.append(s("path", { d: smooth(points, form === "blob"), ...look }));
    else drawn.append(s(width ? "polyline" : "polygon", { points: list(points), ...look }));
  }
}

/** An outline that runs smoothly through its points (Catmull and Rom, 1974). */
function smooth(points, closed) {
  const count = points.length;
  const at = (k) => points[closed ? (k + count) % count : Math.min(Math.max(k, 0), count - 1)];
  const bends = Array.from({ length: closed ? count : count - 1 }, (_, k) => {
    const [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
    const out = b.map((v, i) => n(v + (c[i] - a[i]) / 6));
    const back = c.map((v, i) => n(v - (d[i] - b[i]) / 6));
    return `C${out} ${back} ${c}`;
  });
  return `M${at(0)}${bends.join("")}${closed ? "Z" : ""}`;
}

/** The little picture of a card, with its figure; null if the game has none of it. */
export function emblem(shapes, kind, group, sign) {
  const picture = shapes?.pictures?.[kind];
  if (!picture) return null;
  const drawn = s("svg", { class: "emblem", viewBox: "0 0 100 100", "aria-hidden": "true" });
  paint(drawn, picture);
  if (sign) {
    if (group === "treasure") drawn.append(text(sign, [50, 50], 52, "sign ink"));
    else {
      drawn.append(s("circle", { cx: 75, cy: 75, r: 25, class: `seal seal-${group}` }));
      drawn.append(text(sign, [75, 75], sign.length < 2 ? 42 : 32, "sign white"));
    }
  }
  return drawn;
}

// -- pieces ------------------------------------------------------------------------------------

/** A piece as it lies; `foot`: how many mm at its lower end are taken by other writing. */
export function drawPiece(shapes, kind, piece, unit, foot, plain = false) {
  const scale = piece.scale ?? 1;
  const [width, height] = kind.size.map((side) => side * scale);
  const small = Math.min(width, height);
  const line = Math.max(1.1 * unit, Math.min(small * 0.045, STROKE * unit));
  const ink = { fill: kind.fill, rim: kind.rim[page.look], line, unit, sign: SIGNS[kind.sign] };
  const [x, y] = piece.at;
  const turn = piece.pose === "lying" ? -90 : piece.turn ?? 0;
  const body = s("g", turn ? { transform: `rotate(${turn})` } : {});
  const group = s("g", { transform: `translate(${n(x)} ${n(y)})` }, body);
  const outline = kind.cells?.[piece.pose] ?? Object.values(kind.cells ?? {})[0];
  if (outline) {
    const points = list(outline.map((point) => point.map((one) => one * scale)));
    body.append(s("polygon", { points, fill: ink.fill, stroke: ink.rim, "stroke-width": n(line), "stroke-linejoin": "round" }));
  } else if (ROUND.has(kind.shape)) drawRound(body, ink, kind, width, height);
  else drawSquare(body, ink, kind, width, height);
  if (kind.turns) {
    const degrees = (-360 / kind.turns) * (Number(piece.pose) || 0);
    body.append(s("polygon", { points: list(kind.arrow), fill: ink.rim, transform: `rotate(${n(degrees)}) scale(${n(scale)})` }));
  }
  const pips = kind.pips?.[piece.pose] ?? [];
  for (const [px, py] of pips) {
    body.append(s("circle", { cx: n(px * scale), cy: n(py * scale), r: n(kind.pip[0] * scale), fill: ink.sign ? ink.rim : kind.pip[1] }));
  }
  const word = kind.shape === "die" && !pips.length ? piece.pose : kind.mark;
  const printed = !plain && (TURNS.has(piece.pose) || word);
  if (ink.sign && !pips.length) drawSign(group, ink, kind, width, height, printed);
  if (printed) drawMark(group, ink, { ...kind, mark: word }, width, height, piece.pose, foot);
  return group;
}

/** The sign of the colour: in the middle, or small above what is printed. */
function drawSign(group, ink, kind, width, height, beside) {
  const small = Math.min(width, height);
  const share = beside ? 0.27 : SIGN_SHARE[kind.shape] ?? 0.5;
  const side = Math.max(small * share, SIGN_LEAST * ink.unit);
  let y = kind.shape === "pawn" ? height * 0.15 : 0;
  if (beside) y -= Math.min(height * 0.3, small * 0.42);
  group.append(signPath(ink.sign, [0, y], side, { fill: ink.rim }));
}

/** The sign of a colour by itself, in the ink of the words around it; null if it has none. */
export function signIcon(colour) {
  const path = SIGNS[colour];
  if (!path) return null;
  return s(
    "svg",
    { class: "icon", viewBox: "-10 -10 20 20", "aria-hidden": "true" },
    signPath(path, [0, 0], 18, { fill: "currentColor" }),
  );
}

/** The sign of a colour around a point, `side` mm wide. */
export function signPath(path, [x, y], side, look) {
  const transform = `translate(${n(x)} ${n(y)}) scale(${Math.round(side * 50) / 10000})`;
  return s("path", { ...look, d: path, "fill-rule": "evenodd", transform });
}

function drawRound(group, ink, kind, width, height) {
  const radius = kind.shape === "pawn" ? (Math.min(width, height) * 0.9) / 2 : width / 2;
  const corners = { octagon: 8, hexagon: 6 }[kind.shape] ?? 0;
  // A hexagon is as wide as it is from side to side.
  ring(group, ink, corners === 6 ? radius / Math.cos(Math.PI / 6) : radius, corners, ink.line);
  if (kind.shape === "pawn") {
    const head = s("g", { transform: `translate(0 ${n(-radius * 0.24)})` });
    ring(head, ink, radius * 0.52, 0, ink.line * 0.8);
    group.append(head);
  }
}

function ring(group, ink, radius, count, line) {
  for (const [reach, fill] of [[radius, ink.rim], [radius - line, ink.fill]]) {
    if (count) {
      const corners = Array.from({ length: count }, (_, k) => [
        reach * Math.sin((k * 2 * Math.PI) / count), -reach * Math.cos((k * 2 * Math.PI) / count),
      ]);
      group.append(s("polygon", { points: list(corners), fill }));
    } else group.append(s("circle", { r: n(reach), fill }));
  }
}

function drawSquare(group, ink, kind, width, height) {
  const small = Math.min(width, height);
  const rounding = small * (ROUNDING[kind.shape] ?? 0.26);
  const { line, unit } = ink;
  group.append(block(width, height, rounding, { fill: ink.rim }));
  const inner = Math.max(rounding - line, 0.5 * unit);
  group.append(block(width - 2 * line, height - 2 * line, inner, { fill: ink.fill }));
  if (kind.shape === "arch") uprights(group, ink, width, height);
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

/** What is printed on the piece, its name, or the way it turns. */
function drawMark(group, ink, kind, width, height, pose, foot) {
  const small = Math.min(width, height);
  if (TURNS.has(pose)) {
    group.append(arrow(ink, small * 0.28, pose === "cw"));
    return;
  }
  const words = kind.mark;
  if (kind.shape === "card" && words.length > 2) {
    alongCard(group, ink, words, width, height - foot, -foot / 2);
    return;
  }
  const size = small * (words.length === 1 ? 0.56 : 0.92 / words.length + 0.1);
  const low = ink.sign ? small * 0.1 : 0;
  group.append(text(words, [0, low], ink.sign ? size * 0.9 : size, "mark", { fill: ink.rim }));
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
