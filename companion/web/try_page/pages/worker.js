// Python in a thread of its own, so that the page never hangs. It is asked and answers in lines of JSON.

import { loadPyodide } from "./python/pyodide.mjs";

const here = new URL(".", import.meta.url).href;
const plain = self.fetch.bind(self);

/** The largest file is sent compressed, whatever the server does. */
self.fetch = async (what, how) => {
  const url = String(what.url ?? what);
  if (!url.endsWith(".wasm")) return plain(what, how);
  const got = await plain(`${url}.packed`);
  if (!got.ok) throw new Error(`${url}: ${got.status}`);
  const unpacked = got.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked, { headers: { "Content-Type": "application/wasm" } });
};

let answer = null;

function tell(message) {
  self.postMessage(message);
}

async function load() {
  tell({ step: "load_python" });
  // Both are on their way at the same time.
  const packed = fetch(`${here}heelstone.zip`).then((got) => {
    if (!got.ok) throw new Error(`heelstone.zip: ${got.status}`);
    return got.arrayBuffer();
  });
  packed.catch(() => {});
  const python = await loadPyodide({ indexURL: `${here}python/` });
  tell({ step: "load_rules" });
  const folder = "/home/pyodide/heelstone";
  python.FS.mkdirTree(folder);
  python.unpackArchive(await packed, "zip", { extractDir: folder });
  python.runPython(`import sys; sys.path.insert(0, "${folder}"); sys.dont_write_bytecode = True`);
  tell({ step: "load_game" });
  answer = python.pyimport("companion.web.try_page.answering").answer;
  tell({ step: "ready" });
}

const loaded = load().catch((error) => {
  tell({ step: "failed", detail: String(error) });
  throw error;
});

// Where a part of Python cannot be fetched, its loader would wait for ever; this is all that is heard of it.
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  if (!answer) tell({ step: "failed", detail: String(event.reason) });
});

self.addEventListener("message", async ({ data: { id, line } }) => {
  try {
    await loaded;
    tell({ id, line: answer(line) });
  } catch (error) {
    tell({ id, failed: String(error) });
  }
});
