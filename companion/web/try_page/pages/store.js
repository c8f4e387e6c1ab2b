// What this browser remembers of the page: one match, and how the last one was begun.

const PLACE = "heelstone.try.";

/** What was kept under a key, as data; null if there is nothing that can be read. */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(PLACE + key));
  } catch {
    return null;
  }
}

/** Keep data; null forgets it. */
export function remember(key, data) {
  try {
    if (data === null) localStorage.removeItem(PLACE + key);
    else localStorage.setItem(PLACE + key, JSON.stringify(data));
  } catch {
    // Without a memory it holds until the page is closed.
  }
}
