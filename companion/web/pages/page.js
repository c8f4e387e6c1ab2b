// What all pages share: elements, words, light and dark, and asking the table.

import { LANGUAGES } from "./languages.js";

export const asked = new URLSearchParams(location.search);

const SVG = "http://www.w3.org/2000/svg";

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

function fillWith(node, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/** An HTML element; texts become text, never markup. */
export function h(name, attributes, ...children) {
  const node = document.createElement(name);
  set(node, attributes);
  return fillWith(node, children);
}

/** An SVG element. */
export function s(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  set(node, attributes);
  return fillWith(node, children);
}

/** Put `children` into `node`; what had the focus has it afterwards, if it is still there. */
export function swap(node, ...children) {
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.key : "";
  const top = node.scrollTop;
  node.replaceChildren();
  fillWith(node, children);
  node.scrollTop = top;
  if (focused) node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/** `{name}` in a text replaced by `values.name`. */
export function told(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/** What the table answers, as data; raises Refused for any other answer than 200 and 202. */
export async function getJson(url) {
  const answer = await fetch(url, { credentials: "same-origin", cache: "no-cache" });
  return readAnswer(answer);
}

/** Send data to the table; raises Refused, or TypeError where there is no connection. */
export async function postJson(url, data) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), 15000);
  try {
    const answer = await fetch(url, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-Heelstone": "1" },
      body: JSON.stringify(data),
      signal: stop.signal,
    });
    return await readAnswer(answer);
  } finally {
    clearTimeout(late);
  }
}

/** The table answered, but not with what was wanted. */
export class Refused extends Error {
  constructor(status, said) {
    super(`answer ${status}`);
    this.status = status;
    this.said = said;
  }
}

async function readAnswer(answer) {
  const text = await answer.text();
  let said = {};
  try {
    said = text ? JSON.parse(text) : {};
  } catch {
    // An answer of something else in between, such as a login page of a hotel's Wi-Fi.
    throw new Refused(answer.status || 0, {});
  }
  if (!answer.ok) throw new Refused(answer.status, said);
  return said;
}

// -- language, light and dark ------------------------------------------------------------------

export function kept(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without a memory the choice holds until the page is closed.
  }
}

const dusk = matchMedia("(prefers-color-scheme: light)");

/** What this browser's user speaks; a program for streams has no user. */
function spoken() {
  if (document.body.classList.contains("overlay")) return [];
  return navigator.languages.map((lang) => lang.slice(0, 2).toLowerCase());
}

export const page = {
  lang: [asked.get("lang"), kept("heelstone.lang"), ...spoken()].find((lang) => lang in LANGUAGES) ?? "",
  theme: kept("heelstone.theme"),
  words: {},
  /** Where the words are. */
  wordsAt: () => `api/words${page.query()}`,
  /** `?lang=` for the table; empty: the table's own language. */
  query(more = {}) {
    const all = new URLSearchParams(more);
    if (this.lang) all.set("lang", this.lang);
    const text = all.toString();
    return text ? `?${text}` : "";
  },
  /** Whether the page is dark or light now: the name of a palette. */
  get look() {
    return this.theme || (dusk.matches ? "limestone" : "night");
  },
};

/** A fixed word of the page. */
export function word(key, values = {}) {
  return told(page.words[key] ?? "", values);
}

const changed = new EventTarget();

/** Call `listener` after the language, or light and dark, have changed. */
export function onLook(listener) {
  changed.addEventListener("look", listener);
}

function useLook() {
  document.documentElement.dataset.theme = page.look;
  const ground = getComputedStyle(document.documentElement).getPropertyValue("--night").trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", ground);
}

async function readWords() {
  page.words = await getJson(page.wordsAt());
  document.documentElement.lang = page.words.lang;
}

/** Get the words, again and again until the table answers. */
export async function begin() {
  useLook();
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    try {
      await readWords();
      break;
    } catch {
      await new Promise((done) => setTimeout(done, wait));
    }
  }
  dusk.addEventListener("change", () => {
    useLook();
    changed.dispatchEvent(new Event("look"));
  });
}

/** Two keys: the other language, and light or dark. */
export function switches() {
  const all = Object.keys(LANGUAGES);
  const other = all[(all.indexOf(page.words.lang) + 1) % all.length];
  const light = page.look === "night";
  return h(
    "div",
    { class: "switches" },
    h(
      "button",
      {
        class: "switch", type: "button", lang: other, "data-key": "lang",
        "aria-label": LANGUAGES[other], title: LANGUAGES[other], onclick: () => useLanguage(other),
      },
      other.toUpperCase(),
    ),
    h(
      "button",
      {
        class: "switch", type: "button", "data-key": "theme",
        "aria-label": word(light ? "light" : "dark"), title: word(light ? "light" : "dark"),
        onclick: useOtherTheme,
      },
      icon(light ? "sun" : "moon"),
    ),
  );
}

async function useLanguage(lang) {
  const before = page.lang;
  page.lang = lang;
  try {
    await readWords();
  } catch {
    // Without the words nothing changes.
    page.lang = before;
    return;
  }
  keep("heelstone.lang", lang);
  changed.dispatchEvent(new Event("look"));
}

function useOtherTheme() {
  page.theme = page.look === "night" ? "limestone" : "night";
  keep("heelstone.theme", page.theme);
  useLook();
  changed.dispatchEvent(new Event("look"));
}

// -- signs -------------------------------------------------------------------------------------

const SIGNS = {
  wifi: "M2.5 9.5a14 14 0 0 1 19 0M5.8 13a9.2 9.2 0 0 1 12.4 0M9 16.4a4.4 4.4 0 0 1 6 0M12 20h.01",
  nowifi: "M3 3l18 18M2.5 9.5a14 14 0 0 1 4-2.6M21.5 9.5A14 14 0 0 0 11 5.6M5.8 13a9.2 9.2 0 0 1 4-2.3M9 16.4a4.4 4.4 0 0 1 6 0M12 20h.01",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  eye: "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6z",
  noeye: "M3 3l18 18M9.9 5.7A10 10 0 0 1 12 5.5c6.4 0 10 6.5 10 6.5a17 17 0 0 1-3 3.6M6.2 7.6A16.6 16.6 0 0 0 2 12s3.6 6.5 10 6.5a9.8 9.8 0 0 0 4-.8M10 10.2a3 3 0 0 0 4 4",
  sun: "M12 7.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M5 19l1.7-1.7M17.3 6.7L19 5",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  hand: "M7 12.5V6.2a1.5 1.5 0 0 1 3 0V11M10 10.5V4.5a1.5 1.5 0 0 1 3 0v6M13 10.5V5.5a1.5 1.5 0 0 1 3 0V12M16 9.5a1.5 1.5 0 0 1 3 0v5c0 4-2.6 6.5-6 6.5c-3 0-4.5-1.3-6-4l-2.6-4.7a1.5 1.5 0 0 1 2.6-1.5L7 12.5",
  bulb: "M9 17.5h6M10 21h4M12 3a6.3 6.3 0 0 0-3.8 11.3c.8.7 1 1.5 1 2.2h5.6c0-.7.2-1.5 1-2.2A6.3 6.3 0 0 0 12 3z",
  bolt: "M13.5 2L5 13.5h6L10 22l9-12h-6.5z",
  bag: "M6 8h12l1.2 13H4.8zM9 10.5V7a3 3 0 0 1 6 0v3.5",
  coin: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM12 6.8a5.2 5.2 0 1 0 0 10.4a5.2 5.2 0 0 0 0-10.4z",
  back: "M15 5l-7 7l7 7",
  on: "M9 5l7 7l-7 7",
  live: "M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8z",
  undo: "M8 5L3.5 9.5L8 14M3.5 9.5H14a5.5 5.5 0 0 1 0 11H8",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  cross: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cards: "M8 3.5h11v15H8zM5 6.5v15h11",
};
const SOLID = new Set(["bolt", "bag", "live", "bulb", "lock"]);

/** A sign of 24 × 24 in the colour of the words around it. */
export function icon(name) {
  return s(
    "svg",
    { class: `icon${SOLID.has(name) ? " solid" : ""}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: SIGNS[name] }),
  );
}
