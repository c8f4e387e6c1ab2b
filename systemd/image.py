"""Build the image of a card that is a table: ``sudo python systemd/image.py`` writes it to ``out``.

Debian 13 for arm64 from its packages, put together by mmdebstrap, with Heelstone's package in it.
The boot partition is what a Raspberry Pi's own chip reads; the root partition grows with the first
start. Files are written into both without mounting anything, so no loop device is needed; on
another kind of computer qemu-user runs what packages run when they are installed.

Debian has kernel and firmware for a Raspberry Pi 3 and 4, neither the library of the Pi's own
camera nor that of its pins. Raspberry Pi's archive has them, where the builder is told of it:
``--raspberry --mirror debian.sources --mirror raspi.sources``, files that every Raspberry Pi OS
has below ``/etc/apt/sources.list.d``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import imager
from package import moment, system_packages

ROOT = Path(__file__).resolve().parents[1]
FILES = ROOT / "systemd" / "image"
"""What is in the system besides packages, as it lies there."""
RELEASE = "trixie"
PACKAGES = (
    "systemd-sysv", "systemd-timesyncd", "libpam-systemd", "udev", "dbus", "kmod", "procps",
    "initramfs-tools", "zstd", "e2fsprogs", "fdisk", "dosfstools", "ca-certificates", "tzdata",
    "console-setup", "sudo", "openssh-server", "network-manager", "netplan.io", "wpasupplicant",
    "wireless-regdb", "iproute2", "avahi-daemon", "libnss-mdns", "cloud-init", "cloud-guest-utils",
    "firmware-brcm80211", "raspi-firmware",
)  # fmt: skip
KERNEL = ("linux-image-arm64",)
PI_PACKAGES = ("linux-image-rpi-v8", "linux-image-rpi-2712", "raspberrypi-archive-keyring")
"""Of Raspberry Pi's archive: the kernels up to a Pi 4 and for a Pi 5, and its key."""
PI_CONFIG = """arm_64bit=1
auto_initramfs=1
camera_auto_detect=1
display_auto_detect=1
dtoverlay=vc4-kms-v3d
max_framebuffers=2
disable_fw_kms_setup=1
"""
"""``config.txt`` of Raspberry Pi OS; Debian's package of the firmware writes its own."""
MIB = 1 << 20
START = 4 * MIB
"""Where the boot partition begins, bytes."""
BOOT = 512 * MIB
SPARE = 1.15, 200 * MIB
"""Share and bytes of room on the root partition, until it has grown."""
PROCESSOR = "cortex-a72"
"""Of a Raspberry Pi 4, for qemu-user. Newer ones sign return addresses, and QEMU spends nine tenths
of its time on that."""
LABEL = "heelstone"
"""Of the root partition."""
NAME = uuid.UUID("5f1d7c1e-6d2c-4d1b-9a5b-2f0f6b6f7a11")
"""Number of the file systems, so that the same card gets the same."""


class ImageError(Exception):
    """The image cannot be built; the text says why."""


def main(arguments: list[str] | None = None) -> int:
    """Build what is asked for; 2 if something is missing, else the code of what failed."""
    parser = argparse.ArgumentParser(prog="image.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--package", type=Path, help="Heelstone's; else the newest below out")
    parser.add_argument("--mirror", action="append", default=[], help="as mmdebstrap takes them")
    parser.add_argument("--raspberry", action="store_true", help="they have Raspberry Pi's archive")
    parser.add_argument("--country", default="DE", help="whose rules Wi-Fi obeys, such as GB")
    parser.add_argument("--out", type=Path, default=ROOT / "out", help="where it goes")
    parser.add_argument("--raw", action="store_true", help="leave it as it is, not packed")
    asked = parser.parse_args(arguments)
    try:
        if os.geteuid() != 0:
            raise ImageError("this must be run as root, whose files are in it")
        package = asked.package or newest_package(asked.out)
        asked.out.mkdir(parents=True, exist_ok=True)
        image = asked.out / package.name.replace("_arm64.deb", ".img").replace("_", "-")
        with tempfile.TemporaryDirectory(dir=asked.out) as folder:
            root = Path(folder) / "root"
            fill(root, package, asked)
            write(root, image)
        if asked.raw:
            print(image)
            return 0
        run("xz", "--force", "--threads=0", "-3", image)
        print(packed := image.with_name(f"{image.name}.xz"))
        return imager.main([str(packed), *["--pi5"] * asked.raspberry])
    except ImageError as error:
        print(f"image.py: {error}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"image.py: {error.cmd[0]} failed", file=sys.stderr)
        return int(error.returncode)


def newest_package(out: Path) -> Path:
    """What ``make deb`` wrote last. Raises ImageError."""
    found = sorted(out.glob("heelstone_*+deb13_arm64.deb"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise ImageError(f"there is no package in {out}; please run: make deb")
    return found[-1]


def run(*command: str | Path, told: str | None = None) -> None:
    """Run a program, which is ``told`` that on its input; its output is for people.

    Raises ImageError and CalledProcessError.
    """
    dated = {"SOURCE_DATE_EPOCH": str(moment(ROOT)), "QEMU_CPU": PROCESSOR}
    words = [str(word) for word in command]
    try:
        subprocess.run(
            words, check=True, stdout=sys.stderr, env={**os.environ, **dated}, input=told, text=True
        )
    except FileNotFoundError as error:
        raise ImageError(f"{words[0]} is missing; please install it") from error


# -- the system ----------------------------------------------------------------------------


def fill(root: Path, package: Path, asked: argparse.Namespace) -> None:
    """Put the system together below ``root``, and say what it lacks."""
    packages = ",".join((*PACKAGES, *(PI_PACKAGES if asked.raspberry else KERNEL)))
    wanted = " ".join(system_packages(ROOT, "WANTED"))
    # Not "quiet": the kernel's messages say that the table is alive until the ring of stones does.
    line = f"cfg80211.ieee80211_regdom={asked.country}"
    inside = "/var/cache/apt/archives/heelstone.deb"
    install = 'chroot "$1" apt-get install --yes --no-install-recommends'
    hooks = (
        # Packages find their settings there.
        ("essential", f'cp -r --no-preserve=ownership "{FILES}/." "$1"'),
        ("essential", f'echo "{line}" >"$1/etc/default/raspi-extra-cmdline"'),
        (
            "customize",
            f'{install} $(chroot "$1" apt-cache madison {wanted} | cut -d"|" -f1 | sort -u)',
        ),
        (
            "customize",
            f'cp "{package.resolve()}" "$1{inside}"; {install} {inside}; rm "$1{inside}"',
        ),
        # A card has no keys of its own before it is started, and no open door.
        ("customize", 'rm -f "$1"/etc/ssh/ssh_host_*; chroot "$1" systemctl disable ssh'),
    )
    run(
        # What is mounted for the packages goes with the program, whatever ends it.
        "unshare", "--mount", "mmdebstrap", "--quiet", "--mode=root", "--variant=minbase",
        "--architectures=arm64", "--components=main,non-free-firmware", f"--include={packages}",
        # The settings of the firmware are this card's.
        "--dpkgopt=force-confold",
        *(f"--{when}-hook={told}" for when, told in hooks), RELEASE, root, *asked.mirror,
    )  # fmt: skip
    # An empty one is filled when it is started; "uninitialized" would turn on every unit there is.
    (root / "etc/machine-id").write_text("")
    boot = root / "boot/firmware"
    if not (boot / "config.txt").exists():
        (boot / "config.txt").write_text(PI_CONFIG)
        told = f"console=serial0,115200 console=tty1 root=LABEL={LABEL} rootwait {line}\n"
        (boot / "cmdline.txt").write_text(told)
    tell_lacking(root)


def tell_lacking(root: Path) -> None:
    """Say which libraries of a Raspberry Pi the card lacks."""
    with tempfile.TemporaryDirectory(dir=root / "run") as folder:
        model = Path(folder) / "proc/device-tree/model"
        model.parent.mkdir(parents=True)
        model.write_text("Raspberry Pi")
        place = f"HEELSTONE_ROOT=/run/{Path(folder).name}"
        run("chroot", root, "env", place, "sh", "/usr/lib/heelstone/systemd/lacking.sh")


# -- the card ------------------------------------------------------------------------------


def write(root: Path, image: Path) -> None:
    """Write the system into an image of its own size. What is in ``root`` is moved."""
    boot = root.parent / "boot"
    (root / "boot/firmware").rename(boot)
    (root / "boot/firmware").mkdir()
    used = sum(path.lstat().st_blocks * 512 for path in root.rglob("*"))
    size = -(-int(used * SPARE[0] + SPARE[1]) // MIB) * MIB
    image.unlink(missing_ok=True)
    with image.open("wb") as file:
        file.truncate(START + BOOT + size)
    parts = f"label: dos\nlabel-id: 0x{NAME.fields[0]:08x}\n"
    parts += f"start={START // 512}, size={BOOT // 512}, type=c, bootable\n"
    parts += f"start={(START + BOOT) // 512}, size={size // 512}, type=83\n"
    run("sfdisk", "--quiet", image, told=parts)
    number = f"{NAME.fields[0]:08x}"
    run("mkfs.vfat", "--invariant", "-F", "32", "-n", "FIRMWARE", "-i", number,
        "--offset", str(START // 512), image, str(BOOT // 1024))  # fmt: skip
    run("mcopy", "-Qsm", "-i", f"{image}@@{START}", *sorted(boot.iterdir()), "::")
    run("mke2fs", "-q", "-t", "ext4", "-L", LABEL, "-U", str(NAME),
        "-E", f"offset={START + BOOT},hash_seed={NAME},lazy_itable_init=0", "-d", root, image,
        f"{size // 1024}k")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
