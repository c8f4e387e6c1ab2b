"""Show a score on a CFA635, or rather on its twin: a simulated device behind a real serial line.

With a real display, give its port (such as /dev/ttyUSB0) instead of ``twin.url``.
"""

from hardware.displays.cfa635 import CrystalfontzDisplay
from hardware.displays.cfa635.simulated import Cfa635Twin
from hardware.status import Report


def tell(report: Report) -> None:
    """Prints a report; runs in the display's thread when the device comes, goes, or
    misbehaves."""
    print("device:", report.code)


with Cfa635Twin() as twin:
    display = CrystalfontzDisplay(twin.url, tell, first_wait_s=0.05)
    # A tab splits a line into a left and a right end.
    display.show(["Black's turn", "Black\t3", "Brown\t5"])
    assert twin.wait_for(lambda: twin.rows()[2].endswith("5")), "nothing was shown"
    print(*(f"|{row}|" for row in twin.rows()), sep="\n")

    # Somebody pulls the cable in the middle of the match; the newest text is shown afterwards.
    twin.unplug()
    display.show(["Brown's turn", "Black\t4", "Brown\t5"])
    twin.replug()
    assert twin.wait_for(lambda: twin.rows()[2].endswith("5")), "nothing was shown again"
    print(*(f"|{row}|" for row in twin.rows()), sep="\n")
    assert not twin.errors
    display.close()
