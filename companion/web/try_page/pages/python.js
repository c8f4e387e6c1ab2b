// Asking the rules, which run in a worker.

let worker = null;
let last = 0;
const waiting = new Map();

export const python = {
  /** `load_python`, `load_rules`, `load_game`, `ready` or `failed`; empty before it is started. */
  step: "",
  /** What a failure said. */
  detail: "",
  /** Set by the page: called with every step. */
  onStep() {},
};

/** Whether this browser can run it. */
export const able = typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

/** Load it, unless that was done. */
export function start() {
  if (worker || !able) return;
  // A worker from a blob keeps to this page's own rules of what may be loaded from where.
  const line = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
  const url = URL.createObjectURL(new Blob([line], { type: "text/javascript" }));
  worker = new Worker(url, { type: "module" });
  worker.addEventListener("message", ({ data }) => hear(data));
  worker.addEventListener("error", (event) => hear({ step: "failed", detail: event.message ?? "" }));
  hear({ step: "load_python" });
}

/** Whether an answer is still on its way. */
export const busy = () => waiting.size > 0;

/** Ask; rejects with Failed if Python broke down. */
export function ask(request) {
  start();
  if (python.step === "failed") return Promise.reject(new Failed(python.detail));
  return new Promise((done, fail) => {
    last += 1;
    waiting.set(last, { done, fail });
    worker.postMessage({ id: last, line: JSON.stringify(request) });
  });
}

export class Failed extends Error {}

function hear(data) {
  if (data.step) {
    python.step = data.step;
    python.detail = data.detail ?? "";
    if (data.step === "failed") {
      for (const { fail } of waiting.values()) fail(new Failed(python.detail));
      waiting.clear();
    }
    python.onStep();
    return;
  }
  const waits = waiting.get(data.id);
  waiting.delete(data.id);
  if (!waits) return;
  if (data.failed) waits.fail(new Failed(data.failed));
  else waits.done(JSON.parse(data.line));
}
