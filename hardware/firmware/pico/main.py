"""Heelstone's table on a Raspberry Pi Pico: a display, a strip of lamps and two buttons.

MicroPython; copy this file to the Pico as main.py. It speaks over the Pico's USB port. Wires,
settings and the protocol are described in docs/devices.md.

Only printable characters travel, and nothing is believed without its checksum. Ctrl-C does not stop
the program in the middle of other bytes: a wrong device in the settings may send any of them. After
a moment of silence it does, so that mpremote and Thonny still reach the Pico.
"""

import select
import sys
from binascii import unhexlify

import machine  # type: ignore[import-not-found]
import micropython  # type: ignore[import-not-found]
import neopixel  # type: ignore[import-not-found]
import utime  # type: ignore[import-not-found]

VERSION = "heelstone-pico,1"

LCD_SDA, LCD_SCL = 4, 5
LCD_ADDRESSES = (0x27, 0x3F)
TM1637_CLK, TM1637_DIO = 10, 11
MAX7219_SCK, MAX7219_MOSI, MAX7219_CS = 18, 19, 17
STRIP = 22
"""Not GP16: without a MISO pin, MicroPython takes that one for its SPI bus."""
BUTTONS = (14, 15)

MOST_LINE = 700
"""Maximum number of characters in a line; that is 100 lamps."""
MOST_LAMPS = 100
SETTLE_MS = 20
"""A button is believed when it has not changed for this long."""

TM1637_PHASE_US = 100
"""Many modules carry capacitors at both lines, so that these need 10 µs and more to rise."""
SILENCE_MS = 50
"""Ctrl-C comes from a person, or mpremote, when nothing was said for this long before it."""

CRC_STEPS = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip


def crc16(text: bytes) -> int:
    """CRC-16/CCITT-FALSE, four bits at a time."""
    crc = 0xFFFF
    for byte in text:
        crc = ((crc << 4) & 0xFFFF) ^ CRC_STEPS[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ CRC_STEPS[(crc >> 12) ^ (byte & 15)]
    return crc


class Reader:
    """Finds lines in a stream of bytes. "$" always begins a new one."""

    def __init__(self) -> None:
        self.line = bytearray()
        self.inside = False

    def feed(self, byte: int) -> list[str] | None:
        """The fields of a good line that ends with this byte, else None."""
        if byte == 0x24:
            self.line = bytearray()
            self.inside = True
        elif not self.inside:
            pass
        elif byte == 0x0A:
            self.inside = False
            return self.checked()
        elif 0x20 <= byte < 0x7F and len(self.line) < MOST_LINE:
            self.line.append(byte)
        else:
            self.inside = False
        return None

    def checked(self) -> list[str] | None:
        line = bytes(self.line)
        if len(line) < 9 or line[-5] != 0x2A:
            return None
        body = line[:-5]
        if line[-4:] != f"{crc16(body):04X}".encode():
            return None
        return body.decode().split(",")


class Lcd:
    """HD44780 behind a PCF8574: bit 0 is RS, bit 2 is E, bit 3 the backlight, 4 to 7 the data."""

    def __init__(self, columns: int, rows: int) -> None:
        self.i2c = machine.I2C(0, sda=machine.Pin(LCD_SDA), scl=machine.Pin(LCD_SCL), freq=100000)
        found = [place for place in self.i2c.scan() if place in LCD_ADDRESSES]
        if not found:
            raise OSError("no display")
        self.address = found[0]
        self.columns = columns
        self.starts = (0x00, 0x40, columns, 0x40 + columns)[:rows]
        # The glass of most 16 × 1 displays is wired as two rows of eight side by side.
        self.halves = columns == 16 and rows == 1
        utime.sleep_ms(50)
        for nibble in (0x30, 0x30, 0x30, 0x20):
            self.nibble(nibble)
            utime.sleep_ms(5)
        for command in (0x28, 0x0C, 0x06, 0x01):
            self.write(command, 0)
        utime.sleep_ms(2)

    def nibble(self, bits: int) -> None:
        self.i2c.writeto(self.address, bytes((bits | 0x0C, bits | 0x08)))

    def write(self, byte: int, rs: int) -> None:
        high, low = byte & 0xF0 | rs | 0x08, byte << 4 & 0xF0 | rs | 0x08
        self.i2c.writeto(self.address, bytes((high | 4, high, low | 4, low)))

    def show(self, row: int, data: bytes) -> None:
        self.put(self.starts[row], data[: self.columns])
        if self.halves:
            self.put(0x40, data[8:16])

    def put(self, place: int, data: bytes) -> None:
        self.write(0x80 | place, 0)
        for byte in data:
            self.write(byte, 1)

    def idle(self) -> None:
        for row in range(len(self.starts)):
            text = b"Heelstone" if row == 0 else b""
            self.show(row, text + b" " * (self.columns - len(text)))


class Tm1637:
    """Four digits with a colon. Segments as sent: bit 0 is a, bit 7 the dot or colon."""

    def __init__(self) -> None:
        self.clk = machine.Pin(TM1637_CLK, machine.Pin.OUT, value=1)
        self.dio = machine.Pin(TM1637_DIO, machine.Pin.OPEN_DRAIN, machine.Pin.PULL_UP, value=1)
        self.idle()

    def send(self, data: bytes) -> None:
        self.dio(0)
        for byte in data:
            for bit in range(8):
                self.clk(0)
                self.dio(byte >> bit & 1)
                utime.sleep_us(TM1637_PHASE_US)
                self.clk(1)
                utime.sleep_us(TM1637_PHASE_US)
            self.clk(0)
            self.dio(1)
            utime.sleep_us(TM1637_PHASE_US)
            self.clk(1)
            utime.sleep_us(TM1637_PHASE_US)
            silent = self.dio()
            self.clk(0)
            self.dio(0)
            if silent:
                self.stop()
                raise OSError("no display")
        self.stop()

    def stop(self) -> None:
        self.clk(1)
        utime.sleep_us(TM1637_PHASE_US)
        self.dio(1)

    def show(self, row: int, data: bytes) -> None:
        self.send(b"\x40")
        self.send(b"\xc0" + data[:4])
        self.send(b"\x8a")

    def idle(self) -> None:
        self.show(0, b"\x40\x40\x40\x40")


class Max7219:
    """Eight digits. Segments come as for the TM1637; this chip wants them in reverse."""

    def __init__(self) -> None:
        self.cs = machine.Pin(MAX7219_CS, machine.Pin.OUT, value=1)
        self.spi = machine.SPI(
            0, baudrate=1000000, sck=machine.Pin(MAX7219_SCK), mosi=machine.Pin(MAX7219_MOSI)
        )
        self.idle()

    def set(self, register: int, value: int) -> None:
        self.cs(0)
        self.spi.write(bytes((register, value)))
        self.cs(1)

    def show(self, row: int, data: bytes) -> None:
        # All of it, as the chip never says that it has lost its power meanwhile: no test, eight
        # digits, not decoded, a third of the light, switched on.
        for register, value in ((0x0F, 0), (0x0B, 7), (0x09, 0), (0x0A, 4), (0x0C, 1)):
            self.set(register, value)
        for place, byte in enumerate(data[:8]):
            turned = byte & 0x80
            for bit in range(7):
                turned |= (byte >> bit & 1) << (6 - bit)
            self.set(8 - place, turned)

    def idle(self) -> None:
        self.show(0, b"\x40" * 8)


class Button:
    """A button between its pin and ground."""

    def __init__(self, pin: int) -> None:
        self.pin = machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)
        self.pressed = False
        self.seen = False
        self.since = 0

    def changed(self, now: int) -> bool:
        """True if the button has just settled in another position."""
        down = not self.pin()
        if down != self.seen:
            self.seen = down
            self.since = now
        if self.seen == self.pressed or utime.ticks_diff(now, self.since) < SETTLE_MS:
            return False
        self.pressed = self.seen
        return True


class Table:
    """The devices connected to the Pico. `say` is called with the bytes of each answer."""

    def __init__(self, say) -> None:  # type: ignore[no-untyped-def]
        self.say = say
        self.reader = Reader()
        self.buttons = [Button(pin) for pin in BUTTONS]
        self.ready = False
        self.display: Lcd | Tm1637 | Max7219 | None = None
        self.size = (0, 0)
        self.strip = None
        self.idle_ms = 5000
        self.heard = utime.ticks_ms()

    def feed(self, data: bytes) -> None:
        """Takes bytes from the computer."""
        for byte in data:
            fields = self.reader.feed(byte)
            if fields and len(fields) >= 2:
                self.heard = utime.ticks_ms()
                try:
                    answer = self.obey(fields[1], fields[2:])
                except OSError:
                    answer = "E,display"
                except (ValueError, IndexError):
                    answer = "E,value"
                self.line(fields[0] + "," + answer)

    def tick(self) -> None:
        """Looks after buttons and time; to be called every few milliseconds."""
        now = utime.ticks_ms()
        for number, button in enumerate(self.buttons):
            if button.changed(now):
                self.line(f"00,B,{number + 1},{int(button.pressed)}")
        if self.ready and utime.ticks_diff(now, self.heard) > self.idle_ms:
            self.rest()

    def line(self, text: str) -> None:
        body = text.encode()
        self.say(b"$" + body + f"*{crc16(body):04X}\n".encode())

    def obey(self, verb: str, args: list[str]) -> str:
        if verb == "V":
            return "A," + VERSION
        if verb == "S":
            self.setup(args[0], int(args[1]), int(args[2]), int(args[3]), int(args[4]))
        elif not self.ready:
            return "E,setup"
        elif verb == "T":
            row, data = int(args[0]), unhexlify(args[1])
            if self.display is None or not 0 <= row < self.size[1] or len(data) != self.size[0]:
                raise ValueError
            self.display.show(row, data)
        elif verb == "L":
            self.light(unhexlify(args[0]))
        elif verb == "I":
            self.rest()
        elif verb != "K":
            return "E,verb"
        return "A"

    def setup(self, display: str, columns: int, rows: int, lamps: int, idle_ms: int) -> None:
        if not 0 <= lamps <= MOST_LAMPS or not 100 <= idle_ms <= 60000:
            raise ValueError
        self.ready = False
        if display == "lcd":
            if not 1 <= rows <= 4 or not 8 <= columns <= (20 if rows > 2 else 40):
                raise ValueError
            self.display = Lcd(columns, rows)
        elif display == "tm1637" and (columns, rows) == (4, 1):
            self.display = Tm1637()
        elif display == "max7219" and (columns, rows) == (8, 1):
            self.display = Max7219()
        elif display == "none":
            self.display, rows = None, 0
        else:
            raise ValueError
        self.size = (columns, rows)
        self.strip = neopixel.NeoPixel(machine.Pin(STRIP), lamps) if lamps else None
        self.idle_ms = idle_ms
        self.ready = True

    def light(self, data: bytes) -> None:
        if self.strip is None or len(data) != 3 * len(self.strip):
            raise ValueError
        for place in range(len(self.strip)):
            self.strip[place] = (data[3 * place], data[3 * place + 1], data[3 * place + 2])
        self.strip.write()

    def rest(self) -> None:
        """The computer is silent: dark lamps, and a display that shows no outdated score."""
        self.ready = False
        if self.strip is not None:
            self.strip.fill((0, 0, 0))
            self.strip.write()
        if self.display is not None:
            try:
                self.display.idle()
            except OSError:
                self.display = None


class Interrupt:
    """Recognises a call for MicroPython's prompt: Ctrl-C, or Return and Ctrl-C, after silence."""

    def __init__(self) -> None:
        self.last = utime.ticks_ms()
        self.begun = 0

    def wanted(self, byte: int) -> bool:
        now = utime.ticks_ms()
        if utime.ticks_diff(now, self.last) > SILENCE_MS:
            self.begun = 0
        self.last = now
        self.begun += 1
        if byte == 0x03:
            return self.begun == 1
        if byte == 0x0D and self.begun == 1:
            self.begun = 0
        return False


def main() -> None:
    # On CPython, where the tests run this, the buffer would keep bytes that poll() cannot see.
    stdin = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    stdout = getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
    poll = select.poll()
    poll.register(stdin, select.POLLIN)
    table = Table(stdout.write)
    interrupt = Interrupt()
    micropython.kbd_intr(-1)
    try:
        while True:
            for _ in range(64):
                if not poll.poll(2):
                    break
                data = stdin.read(1)
                if not data or interrupt.wanted(data[0]):
                    return
                table.feed(data)
            table.tick()
    finally:
        micropython.kbd_intr(3)


if __name__ == "__main__":
    main()
