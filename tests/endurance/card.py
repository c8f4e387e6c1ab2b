"""A card's image, started: ``sudo python -m tests.endurance.card out/heelstone-….img``.

First its user space, on this computer's kernel by qemu-user: a look at the system, the demo, a
match against the computer. Then the card itself, in a machine that QEMU emulates with a screen, a
touch panel and a card larger than the image: the first start with what Raspberry Pi Imager leaves
on a card, then the screen touched while it hangs in each of four ways, a Wi-Fi joined as its page
asks for it, and a second start. Figures are told; what is not as it should be ends with 1.

Needs qemu-system-arm, qemu-user-static, mtools and e2fsprogs; an hour, 3 GB beside the image.
Emulation is ten to thirty times slower than a Raspberry Pi 4, so its seconds say only what takes
how much of the whole; units may take longer to start than at a table, and the demo, which wants
pictures in real time, breaks off where other programs are at work.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.presentation.words.translate import other_language

SIZE = (800, 480)
"""Of the emulated panel, px."""
CARD = 6 << 30
BOOT = 4 << 20
"""Offset of the boot partition, bytes."""
LOGIN_S = 1500
"""The longest start, emulated on a busy computer."""
PROGRAMS = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"
USER, PASSWORD = "anna", "nur zur Probe"
USER_DATA = """#cloud-config
hostname: stonehenge
manage_etc_hosts: true
timezone: Europe/Berlin
user:
  name: {user}
  shell: /bin/bash
  lock_passwd: false
  passwd: "{hash}"
  sudo: ALL=(ALL) NOPASSWD:ALL
ssh_pwauth: true
runcmd:
  - [ systemctl, enable, --now, ssh ]
"""
"""As Imager's ``customization_generator.cpp`` writes it for ``cloudinit``."""

LEFT = ("user-data", "finger.py", "router.conf")
"""Files put on the boot partition."""
SLOW = """[Service]
TimeoutStartSec=1200
WatchdogSec=0
# Without a graphics processor a picture is copied to the screen while it is still being drawn.
Environment=WLR_RENDERER=pixman
"""


class Wrong(Exception):
    """Something is not as it should be; the text says what."""


class Machine:
    """An emulated computer with the card in it, and a cable to its serial console."""

    def __init__(self, card: Path, folder: Path, memory_mb: int) -> None:
        self._folder, self.begun_s = folder, time.monotonic()
        self._heard, self._seen = "", 0
        self._new = threading.Condition()
        line = (folder / "cmdline.txt").read_text().replace("ttyS1,115200", "ttyAMA0")
        line = " ".join(word for word in line.split() if word != "console=tty0")
        self._qemu = subprocess.Popen(
            ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2",
             "-m", str(memory_mb), "-kernel", str(folder / "vmlinuz"),
             "-initrd", str(folder / "initrd.img"), "-append", f"{line} console=ttyAMA0",
             "-drive", f"file={card},format=raw,if=virtio,cache=unsafe",
             "-netdev", "user,id=n", "-device", "virtio-net-pci,netdev=n",
             "-device", f"virtio-gpu-pci,xres={SIZE[0]},yres={SIZE[1]}",
             "-display", "none", "-serial", "stdio", "-monitor", "none",
             "-qmp", f"unix:{folder}/qmp,server=on,wait=off"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._qemu.stdout is not None
        with (self._folder / "console.log").open("ab") as log:
            while piece := os.read(self._qemu.stdout.fileno(), 4096):
                log.write(piece)
                log.flush()
                with self._new:
                    self._heard += piece.decode("utf-8", "replace").replace("\r", "")
                    self._new.notify_all()

    def wait(self, pattern: str, longest_s: float) -> re.Match[str]:
        """The next line of the console that fits. Raises Wrong if none comes in time."""
        end_s = time.monotonic() + longest_s
        with self._new:
            while True:
                if found := re.compile(pattern).search(self._heard, self._seen):
                    self._seen = found.end()
                    return found
                if self._qemu.poll() is not None or not self._new.wait(end_s - time.monotonic()):
                    raise Wrong(f"the console never said {pattern}: …{self._heard[-1500:]}")

    def say(self, text: str) -> None:
        """Type a line."""
        assert self._qemu.stdin is not None
        self._qemu.stdin.write(f"{text}\n".encode())
        self._qemu.stdin.flush()

    def log_in(self) -> float:
        """From the start to a shell of root; seconds until a login was offered."""
        self.wait(r"login: ", LOGIN_S)
        took_s = time.monotonic() - self.begun_s
        self.say(USER)
        self.wait("Password: ", 120)
        self.say(PASSWORD)
        self.wait(r"\$ ", 300)
        self.say(f"exec sudo env PS1='' {PROGRAMS} TERM=dumb bash --norc --noediting")
        self.say("stty -echo; echo ready-$((40 + 2))")
        self.wait("ready-42", 120)
        return took_s

    def run(self, command: str, longest_s: float = 300) -> str:
        """Run a line of bash as root; what it said."""
        self.say(f"echo be''gin; {command}; echo e''nd-$?")
        found = self.wait(r"(?s)begin\n(.*?)end-(\d+)\n", longest_s)
        return found[1].strip()

    def photograph(self, path: Path) -> None:
        """The screen, as a PNG file."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(f"{self._folder}/qmp")
            told = line.makefile("rw")
            for words in (
                {"execute": "qmp_capabilities"},
                {"execute": "screendump", "arguments": {"filename": str(path), "format": "png"}},
            ):
                told.write(json.dumps(words) + "\n")
                told.flush()
                while "return" not in (answer := json.loads(told.readline())):
                    if "error" in answer:
                        raise Wrong(f"no photograph: {answer['error']}")

    def kill(self) -> None:
        """End it at once."""
        self._qemu.kill()

    def off(self) -> None:
        """Shut it down as people do."""
        self.say("systemctl poweroff")
        self._qemu.wait(600)


# -- its user space ------------------------------------------------------------------------

ENVIRONMENT = f"{PROGRAMS} HOME=/root LANG=C.UTF-8 QEMU_CPU=cortex-a72"
LAID_OUT = r"""set -e
mkdir -p "$1/card" "$1/room" "$1/root"
mount -o "ro,loop,offset=$2" "$3" "$1/card"
mount -t tmpfs room "$1/room"
mkdir "$1/room/new" "$1/room/work"
mount -t overlay -o "lowerdir=$1/card,upperdir=$1/room/new,workdir=$1/room/work" card "$1/root"
mount --bind /proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
"""
STEPS = {
    "doctor": "heelstone --lang en doctor",
    "against the computer": "heelstone --json simulate dolmengoetter --seed 1 --player 1=druid",
    "demo without a window": "heelstone --lang en demo --headless --out /var/lib/heelstone/demo",
}


def user_space(image: Path, folder: Path, root_at: int) -> None:
    """Use what is on the card, on this computer's kernel."""
    for name, command in STEPS.items():
        begun_s = time.monotonic()
        inside = f'{LAID_OUT}exec chroot "{folder}/root" env -i {ENVIRONMENT} {command}'
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", inside, "-", folder, str(root_at), image],
            capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise Wrong(f"{name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        last = done.stdout.strip().splitlines()[-1]
        print(f"  {name:<24} {time.monotonic() - begun_s:5.0f} s  {last[:100]}", flush=True)


# -- started -------------------------------------------------------------------------------


def started(image: Path, folder: Path, photos: Path, root_at: int) -> None:
    """Start a card twice, and use it in between."""
    card = folder / "card.img"
    subprocess.run(["cp", "--sparse=always", image, card], check=True)
    os.truncate(card, CARD)
    made = ["openssl", "passwd", "-6", PASSWORD]
    hashed = subprocess.run(made, capture_output=True, text=True, check=True).stdout.strip()
    (folder / "user-data").write_text(USER_DATA.format(user=USER, hash=hashed))
    shutil.copy(Path(__file__).with_name("finger.py"), folder)
    (folder / "router.conf").write_text(ROUTER)
    fat = ["-i", f"{card}@@{BOOT}"]
    subprocess.run(["mcopy", "-o", *fat, *map(folder.joinpath, LEFT), "::"], check=True)
    (folder / "slow.conf").write_text(SLOW)
    place = "/etc/systemd/system/heelstone.service.d/slow.conf"
    subprocess.run(["debugfs", "-w", "-R", f"write {folder}/slow.conf {place}",
                    f"{card}?offset={root_at}"], check=True, capture_output=True)  # fmt: skip
    for pattern, name in (("vmlinuz*", "vmlinuz"), ("initrd*", "initrd.img"), ("cmdline.txt", "")):
        subprocess.run(
            ["mcopy", "-o", *fat, f"::{pattern}", folder / (name or pattern)], check=True
        )
    machine = Machine(card, folder, 1024)
    try:
        print(f"  {'first start to a login':<24} {machine.log_in():5.0f} s", flush=True)
        first_start(machine, CARD - root_at)
        hangs_four_ways(machine, photos)
        wifi(machine, photos)
        machine.off()
        machine = Machine(card, folder, 1024)
        print(f"  {'second start to a login':<24} {machine.log_in():5.0f} s", flush=True)
        second_start(machine)
        machine.off()
    finally:
        machine.kill()


def demand(name: str, found: str, pattern: str) -> None:
    """Say what was found. Raises Wrong if it is not as it should be."""
    print(f"  {name:<24} {' '.join(found.split())[:150]}", flush=True)
    if not re.fullmatch(pattern, found, re.S):
        raise Wrong(f"{name}: {found}")


def first_start(machine: Machine, room: int) -> None:
    """Checks what cloud-init does once, and the table's unit."""
    ended = "/run/cloud-init/result.json"
    machine.run(f"until [ -e {ended} ]; do sleep 2; done; sleep 5; dmesg -n 1", 1200)
    demand(
        "errors of the first start", machine.run(f"grep -A 9 errors {ended}"), r'"errors": \[\].*'
    )
    size = int(machine.run("df --output=size -B1 / | tail -n 1"))
    demand("root partition", f"{size >> 20} MiB of {room >> 20}", ".*")
    if size < room * 0.9:
        raise Wrong("the root partition did not grow")
    demand("name", machine.run("hostname; systemctl is-active avahi-daemon"), "stonehenge\nactive")
    demand("keys of its own", machine.run("ls /etc/ssh/ssh_host_*_key | wc -l"), "[1-9]")
    demand("its number", machine.run("wc -c </etc/machine-id"), "33")
    demand("ssh as asked for", machine.run("systemctl is-active ssh"), "active")
    demand("network", machine.run("nmcli -g DEVICE,STATE device | grep eth0"), "eth0:connected")
    demand("failed units", machine.run("systemctl --failed --no-legend --plain"), "")
    told = "systemctl show heelstone -p ActiveState -p StatusText -p NRestarts"
    until(machine, told, r".*=at the table\n.*", 900)
    demand("the table", machine.run(told), r".*=at the table\nNRestarts=0\n.*")
    demand("enabled", machine.run("systemctl is-enabled heelstone heelstone-table; true"),
           "enabled\ndisabled")  # fmt: skip
    figures(machine)


def until(machine: Machine, command: str, pattern: str, longest_s: float) -> None:
    """Ask again and again."""
    end_s = time.monotonic() + longest_s
    while not re.fullmatch(pattern, found := machine.run(command), re.S):
        if time.monotonic() > end_s:
            raise Wrong(f"{command}: {found}")
        time.sleep(5)


def figures(machine: Machine) -> None:
    """Prints the time a start took, and the memory in use."""
    demand("systemd-analyze", machine.run("systemd-analyze | head -n 1"), "Startup finished.*")
    print(machine.run("systemd-analyze blame --no-pager | head -n 8"))
    print(machine.run("free -m | head -n 2"))
    peak = "cat /sys/fs/cgroup/system.slice/heelstone.service/memory.peak"
    print(f"  {'the unit at its peak':<24} {int(machine.run(peak)) >> 20} MiB")


def second_start(machine: Machine) -> None:
    """Nothing is left to do."""
    demand("cloud-init", machine.run("cloud-init status | head -n 1"), ".*disabled")
    ran = "journalctl -b -o cat -u 'cloud-*' | grep -c Start; true"
    demand("its steps", machine.run(ran), "0")
    told = "systemctl show heelstone -p ActiveState --value"
    until(machine, told, "active", 900)
    demand("failed units", machine.run("systemctl --failed --no-legend --plain"), "")
    kept = machine.run("nmcli -g NAME,AUTOCONNECT connection | grep ^heelstone")
    demand("Wi-Fi for later", kept, "heelstone:yes")
    figures(machine)


# -- the screen ----------------------------------------------------------------------------


def hangs_four_ways(machine: Machine, photos: Path) -> None:
    """Turn the screen by its key, four times; each way another key is touched where it is seen."""
    machine.run("modprobe uinput; systemd-run -q --unit=finger python3 /boot/firmware/finger.py "
                f"{SIZE[0]} {SIZE[1]} /run/finger; sleep 20; ls /run/finger")  # fmt: skip
    lang = "en"
    for turn in (0, 90, 180, 270, 0):
        page = seen(machine, photos / f"turned-{turn}.png", lang, turn)
        touch(machine, page, turn, page.language_key)
        lang = "de" if lang == "en" else "en"
        page = seen(machine, photos / f"turned-{turn}-touched.png", lang, turn)
        touch(machine, page, turn, page.turn_key)


@dataclass(frozen=True)
class Page:
    """The first page, upright, as this computer draws it, and where its keys are."""

    picture: npt.NDArray[np.uint8]
    language_key: tuple[int, int]
    turn_key: tuple[int, int]


@cache
def page_of(lang: str, across: bool, wifi: bool) -> Page:
    """The first page; ``across``: wider than high."""
    from companion.ui.offscreen import open_window

    open_window(SIZE)
    from companion.ui.picture import picture_of
    from companion.ui.screens.first_run import FirstRunScreen
    from rules.games import find_game, game_ids
    from tests.support.ui_harness import OnScreen, key

    def nothing() -> None:
        pass

    game = next(id for id in game_ids() if find_game(id).watched)
    shown = OnScreen(SIZE if across else SIZE[::-1], lang)
    welcome = FirstRunScreen(
        game, None, nothing, nothing, nothing, nothing, nothing if wifi else None,
        **shown.room,
    )  # fmt: skip
    page = shown.put(welcome)
    drawn = picture(picture_of(page))
    places = []
    for word in (other_language(), "↻"):
        x, y = key(page, word).center
        places.append((round(x), round(page.height - y)))
    shown.close()
    return Page(drawn, *places)


def picture(coded: bytes) -> npt.NDArray[np.uint8]:
    """Colours of a file. Raises Wrong if it is none."""
    found = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR)
    if found is None:
        raise Wrong("the screen gave no picture")
    return found.astype(np.uint8)


def seen(machine: Machine, path: Path, lang: str, turn: int, *, wifi: bool = False) -> Page:
    """Photograph the screen until it shows the first page so. Raises Wrong if it never does."""
    end_s = time.monotonic() + 400
    while True:
        time.sleep(6)
        machine.photograph(path)
        photo = picture(path.read_bytes())
        ways = [(one, way) for one in ("en", "de") for way in (0, 90, 180, 270)]
        differs = {way: difference(photo, page_of(way[0], way[1] % 180 == 0, wifi), way[1])
                   for way in ways}  # fmt: skip
        best, other = sorted(differs, key=lambda way: differs[way])[:2]
        if best == (lang, turn) and differs[best] < differs[other] / 2:
            break
        if time.monotonic() > end_s:
            raise Wrong(f"{path} looks like {best} ({differs[best]:.2f}), not {(lang, turn)}")
    print(f"  {path.stem:<24} differs by {differs[best]:.2f} of 255 from this page, "
          f"by {differs[other]:.2f} from {other[0]} at {other[1]}", flush=True)  # fmt: skip
    return page_of(lang, turn % 180 == 0, wifi)


def difference(photo: npt.NDArray[np.uint8], page: Page, turn: int) -> float:
    """Mean difference to a page that hangs turned to the left by ``turn`` degrees."""
    drawn = np.rot90(page.picture, turn // 90)
    return float(np.abs(photo.astype(np.int16) - drawn.astype(np.int16)).mean())


def touch(machine: Machine, page: Page, turn: int, place: tuple[int, int]) -> None:
    """Touch a place of the upright page where it is on the panel that hangs so."""
    across, down = place
    high, wide = page.picture.shape[:2]
    x, y = {
        0: (across, down), 90: (down, wide - 1 - across),
        180: (wide - 1 - across, high - 1 - down), 270: (high - 1 - down, across),
    }[turn]  # fmt: skip
    machine.run(f"echo {x} {y} >/run/finger")


# -- Wi-Fi ---------------------------------------------------------------------------------

NAME, KEY = "Hof", "einfach12"
ROUTER = f"""network={{
ssid="{NAME}"
mode=2
frequency=2412
key_mgmt=WPA-PSK
proto=RSN
pairwise=CCMP
psk="{KEY}"
}}
"""
JOIN = """import pathlib, time
from companion.support.wifi import Wifi
wifi = Wifi(pathlib.Path("/var/lib/heelstone"))
def done():
    while wifi.now().busy:
        time.sleep(1)
    return wifi.now()
for _ in range(6):
    wifi.look()
    heard = [s for s in done().stations if s.name == {name!r}]
    if heard:
        break
    time.sleep(5)
station = heard[0]
wifi.join(station, {key!r})
time.sleep(2)
print(station.locked, done().result, [s.name for s in wifi.now().stations if s.joined])
"""


def wifi(machine: Machine, photos: Path) -> None:
    """Two radios that are not there: one is a router, the other the table's."""
    machine.run("apt-get -q update; apt-get -q -y install dnsmasq-base iw", 1200)
    machine.run("modprobe mac80211_hwsim radios=2; sleep 10; ip netns add router; "
                "iw phy phy1 set netns name router")  # fmt: skip
    machine.run("ip netns exec router sh -c 'ip link set lo up; "
                "wpa_supplicant -B -D nl80211 -i wlan1 -c /boot/firmware/router.conf; sleep 5; "
                "ip address add 10.9.8.1/24 dev wlan1; "
                "dnsmasq --interface=wlan1 --port=0 --dhcp-range=10.9.8.10,10.9.8.20'")  # fmt: skip
    python = "runuser -u heelstone -- /opt/heelstone/current/bin/python -c"
    for key, told in ((KEY[:-1], r"True key \[\]"), (KEY, rf"True ok \['{NAME}'\]")):
        program = JOIN.format(name=NAME, key=key)
        demand("Wi-Fi by root's helper", machine.run(f"{python} {shlex.quote(program)}", 400), told)
    demand("its address", machine.run("ip -4 -o address show wlan0"), r".* inet 10\.9\.8\..*")
    machine.run("systemctl restart heelstone")
    seen(machine, photos / "with-wifi.png", "en", 0, wifi=True)


def main() -> int:
    """Try a card; 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("image", type=Path, help="a card's image, not packed")
    parser.add_argument("--photos", type=Path, default=Path("out/card"), help="of the screen")
    asked = parser.parse_args()
    asked.photos.mkdir(parents=True, exist_ok=True)
    told = json.loads(subprocess.check_output(["sfdisk", "--json", asked.image]))
    root_at = told["partitiontable"]["partitions"][1]["start"] * 512
    print(f"{asked.image.name}: {asked.image.stat().st_size >> 20} MiB", flush=True)
    folder = Path(tempfile.mkdtemp(dir=asked.image.parent))
    try:
        user_space(asked.image, folder, root_at)
        started(asked.image, folder, asked.photos, root_at)
    except Wrong as wrong:
        shutil.copy(folder / "console.log", asked.photos)
        print(f"FAILED: {wrong}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
