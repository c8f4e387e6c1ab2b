"""The hall's pages as a browser asks for them, without drawing them."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from tests.support.club import PASSWORD
from tests.support.waiting import PATIENCE_S


class Browser:
    """Asks the hall as a browser would."""

    def __init__(self, address: str) -> None:
        self.host = urlsplit(address).netloc
        self.cookie = ""

    def ask(
        self, path: str, asked: Any = None, **headers: str
    ) -> tuple[int, Any, dict[str, str]]:  # fmt: skip
        """Status, what was answered (JSON as data), headers."""
        line = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        sent = {"Host": self.host, "Cookie": self.cookie}
        body = None
        if asked is not None:
            body = json.dumps(asked)
            sent |= {"X-Heelstone": "1", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        wanted = {name: value for name, value in sent.items() if value}
        try:
            line.request("GET" if body is None else "POST", path, body, wanted)
            answer = line.getresponse()
            data = answer.read()
        finally:
            line.close()
        found = {name.lower(): value for name, value in answer.getheaders()}
        if "set-cookie" in found:
            self.cookie = found["set-cookie"].partition(";")[0]
        is_json = found.get("content-type", "").startswith("application/json")
        return answer.status, json.loads(data) if is_json else data, found

    def get(self, path: str) -> Any:
        status, told, _ = self.ask(path)
        assert status == 200, told
        return told

    def organise(self, **asked: Any) -> tuple[int, Any]:
        return self.ask("/api/organise", asked)[:2]

    def sign_in(self, password: str = PASSWORD) -> int:
        return self.ask("/api/organiser", {"password": password})[0]
