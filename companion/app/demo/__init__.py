"""The demo: a short match on the virtual table, through everything a real table uses.

Pieces are dragged, a camera looks, vision reads, the rules judge, the journal is written, lamps
and score display (simulated devices behind real drivers) follow. In the middle the program is
killed and resumes from its journal.
"""

from companion.app.demo.run import DemoError, run_demo

__all__ = ["DemoError", "run_demo"]
