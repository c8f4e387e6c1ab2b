// Runs wherever scripts run, even where modules do not: from a file, and in old browsers.

document.documentElement.className = location.protocol === "file:" ? "from-file" : "starting";
