// The front of a game's box as SVG: shapes on a canvas of 240 × 150, y upwards.

import { s } from "./page.js";
import { n } from "./pieces.js";

const WIDE = 240;
const HIGH = 150;
let number = 0;

export function coverOf(game) {
  const { sky, shapes } = game.cover;
  number += 1;
  const id = `sky-${number}`;
  return s(
    "svg",
    { class: "front", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    s("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 },
      s("stop", { offset: 0, "stop-color": sky[0] }), s("stop", { offset: 1, "stop-color": sky[1] })),
    s("rect", { width: WIDE, height: HIGH, fill: `url(#${id})` }),
    shapes.map(drawn),
  );
}

function pairs(numbers) {
  const points = [];
  for (let k = 0; k + 1 < numbers.length; k += 2) points.push(`${n(numbers[k])},${n(HIGH - numbers[k + 1])}`);
  return points.join(" ");
}

function drawn(shape) {
  const { fill } = shape;
  if (shape.polygon) return s("polygon", { points: pairs(shape.polygon), fill });
  if (shape.line) {
    return s("polyline", {
      points: pairs(shape.line), fill: "none", stroke: fill, "stroke-width": shape.width,
      "stroke-linecap": "round", "stroke-linejoin": "round",
    });
  }
  if (shape.circle) {
    const [x, y, r] = shape.circle;
    return s("circle", { cx: n(x), cy: n(HIGH - y), r: n(r), fill });
  }
  if (shape.rect) {
    const [x, y, width, height, rx] = shape.rect;
    return s("rect", { x: n(x), y: n(HIGH - y - height), width: n(width), height: n(height), rx: n(rx), fill });
  }
  if (shape.discs) return discs(shape);
  if (shape.wheel) return wheel(shape);
  const [x, y] = shape.at;
  return s("text", { x: n(x), y: n(HIGH - y), dy: "0.36em", "font-size": n(shape.size), fill, class: "front-text" }, shape.text);
}

function paints(shape) {
  return shape.fills?.length ? shape.fills : [shape.fill];
}

function discs(shape) {
  const [x, y, radius, count, small] = shape.discs;
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    return s("circle", {
      cx: n(x + radius * Math.cos(angle)), cy: n(HIGH - y - radius * Math.sin(angle)), r: n(small),
      fill: paints(shape)[k % paints(shape).length],
    });
  });
}

function wheel(shape) {
  const [x, y, outer, inner, count] = shape.wheel;
  const at = (radius, angle) => `${n(x + radius * Math.cos(angle))},${n(HIGH - y - radius * Math.sin(angle))}`;
  return Array.from({ length: count }, (_, k) => {
    const [from, to] = [(2 * Math.PI * k) / count, (2 * Math.PI * (k + 1)) / count];
    return s("polygon", {
      points: [at(outer, from), at(outer, to), at(inner, to), at(inner, from)].join(" "),
      fill: paints(shape)[k % paints(shape).length],
    });
  });
}
