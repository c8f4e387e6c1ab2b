"""The GPIO pins of one table, and the purpose of each. A pin has room for one thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hardware.status import PinError

if TYPE_CHECKING:
    from hardware.pins.factory import FactoryKind


class Pins:
    """Reserves pins, and reaches them through one factory: "lgpio", or "mock" for simulated ones.

    The factory is opened by the first device that needs it.
    """

    def __init__(self, kind: FactoryKind) -> None:
        self._kind = kind
        self._taken: dict[int, str] = {}
        self._factory: Any = None

    def reserve(self, uses: Iterable[tuple[int, str]]) -> None:
        """Takes pins, each with what it is for. Raises PinError when one of them was taken before.

        All of them are taken even then, so that everything else on such a pin is reported too.
        """
        twice: list[PinError] = []
        for pin, what in uses:
            if pin in self._taken:
                first = self._taken[pin]
                twice.append(PinError("pin_twice", pin=pin, first=first, second=what))
            self._taken.setdefault(pin, what)
        if twice:
            raise twice[0]

    @property
    def factory(self) -> Any:
        """The gpiozero pin factory. Raises PinError with the reason when there is none."""
        if self._factory is None:
            # Imported only by tables that use pins: gpiozero costs a tenth of a second and more.
            from hardware.pins.factory import open_factory

            self._factory = open_factory(self._kind)
        return self._factory

    @property
    def opened(self) -> bool:
        """True once the pin factory is open."""
        return self._factory is not None

    def close(self) -> None:
        """Releases all pins."""
        if self._factory is not None:
            self._factory.close()
            self._factory = None
