"""Every source is an iterator of frames, and says clearly what it cannot do."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import compressobj, crc32

import cv2
import numpy as np
import pytest

from tests.support.waiting import PATIENCE_S, until
from vision.arrays import Picture
from vision.camera.frames import ADJUSTED
from vision.camera.picture_files import MOST_PIXELS, decoded
from vision.camera.sources import (
    FolderSource,
    MemorySource,
    SourceError,
    UsbCameraSource,
    VideoSource,
    camera_name,
    open_source,
)
from vision.camera.usb import AUTO_EXPOSURE, MANUAL_EXPOSURE, usb_cameras, usb_name

PLAIN = np.full((48, 64, 3), 90, dtype=np.uint8)


def test_a_folder_gives_its_pictures_in_name_order_and_all_count_as_settled(
    tmp_path: Path,
) -> None:
    for name in ("b.png", "a.jpg", "c.bmp"):
        cv2.imwrite(str(tmp_path / name), PLAIN)
    (tmp_path / "match.json").write_text("{}")
    (tmp_path / ".hidden.jpg").write_text("no picture")
    source = open_source(str(tmp_path))
    assert source.settled
    frames = list(source)
    assert [frame.name for frame in frames] == ["a.jpg", "b.png", "c.bmp"]
    assert [frame.index for frame in frames] == [0, 1, 2]
    assert frames[0].path == tmp_path / "a.jpg"
    assert frames[0].image.shape == (48, 64, 3)
    assert source.ended
    assert source.read(0.0) is None


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there are no pictures in"):
        open_source(str(tmp_path))


def test_a_text_file_that_calls_itself_a_picture_is_refused_before_the_first_frame(
    tmp_path: Path,
) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), PLAIN)
    (tmp_path / "b.jpg").write_text("hello")
    with pytest.raises(SourceError, match=r"b\.jpg' is not a picture"):
        FolderSource(tmp_path)


def test_a_damaged_picture_is_refused_by_name_and_the_next_one_comes(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 50)
    cv2.imwrite(str(tmp_path / "b.png"), PLAIN)
    source = FolderSource(tmp_path)
    with pytest.raises(SourceError, match=r"a\.png' is damaged"):
        source.read()
    frame = source.read()
    assert frame is not None and (frame.name, frame.index) == ("b.png", 1)
    assert source.read() is None and source.ended


@pytest.mark.parametrize("text", ["nowhere/at/all", "nothing.mp4"])
def test_what_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(SourceError, match=f"there is no '{text}'"):
        open_source(text)


def test_a_file_of_another_sort_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(SourceError, match="neither a picture nor a video"):
        open_source(str(tmp_path / "notes.txt"))


def test_one_picture_is_a_source(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), PLAIN)
    assert len(list(open_source(str(tmp_path / "a.png")))) == 1


def test_a_video_gives_every_frame(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(5):
        writer.write(PLAIN)
    writer.release()
    source = open_source(str(path))
    assert isinstance(source, VideoSource)
    assert not source.settled
    frames = list(source)
    assert len(frames) == 5
    assert frames[4].time_s == pytest.approx(0.4)


def test_a_broken_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_text("hello")
    with pytest.raises(SourceError, match="cannot play the video"):
        open_source(str(tmp_path / "a.mp4"))


def test_a_missing_camera_is_refused_with_what_to_do() -> None:
    with pytest.raises(SourceError, match="cannot open the camera /dev/video99"):
        open_source("/dev/video99")


def test_pushed_frames_come_out_in_order_until_closed() -> None:
    source = MemorySource()
    assert source.read(0.0) is None
    source.push(PLAIN)
    source.push(PLAIN, name="second")
    source.close()
    assert [frame.name for frame in source] == ["0", "second"]
    assert source.read() is None


class Cable:
    """A camera whose cable can be pulled, with a driver that may lie about its exposure."""

    def __init__(self, honest: bool = True, motor: bool = True) -> None:
        self.plugged = True
        self.opened = self.grabbed = self.fetched = 0
        self.honest, self.motor = honest, motor
        self.lens: float | None = None
        """Blur while the lens searches, new in every picture; None: it stands."""
        self.sends: Callable[[Picture], Picture] = lambda image: image
        # As the last program left them.
        self.props: dict[int, float] = {
            cv2.CAP_PROP_AUTO_EXPOSURE: MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_AUTOFOCUS: 0, cv2.CAP_PROP_AUTO_WB: 0,
        }  # fmt: skip

    def open(self, device: int | str, size: tuple[int, int]) -> Cable.Capture:
        self.opened += 1
        return Cable.Capture(self)

    @property
    def held(self) -> set[int]:
        """The values that the camera does not set itself."""
        automatic = {
            cv2.CAP_PROP_AUTO_EXPOSURE: AUTO_EXPOSURE,
            cv2.CAP_PROP_AUTOFOCUS: 1,
            cv2.CAP_PROP_AUTO_WB: 1,
        }
        return {prop for prop, value in automatic.items() if self.props[prop] != value}

    @property
    def brightness(self) -> int:
        """A driver that lies uses another exposure than it tells of."""
        return 20 if cv2.CAP_PROP_AUTO_EXPOSURE in self.held and not self.honest else 90

    class Capture:
        def __init__(self, cable: Cable) -> None:
            self.cable = cable

        def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
            return self.cable.plugged

        def grab(self) -> bool:
            time.sleep(0.002)
            self.cable.grabbed += self.cable.plugged
            return self.cable.plugged

        def retrieve(self) -> tuple[bool, Picture]:
            cable = self.cable
            cable.fetched += 1
            image = np.full((480, 640, 3), cable.brightness, np.uint8)
            image[::64, :, :] = 10
            if cable.lens is not None:
                cable.lens = (cable.lens + 2) % 12
                image = np.asarray(cv2.blur(image, (round(cable.lens) + 1,) * 2))
            return True, cable.sends(image)

        def release(self) -> None:
            pass

        def get(self, prop: int, /) -> float:
            return self.cable.props.get(prop, 0.0)

        def set(self, prop: int, value: float, /) -> bool:
            if prop == cv2.CAP_PROP_AUTOFOCUS and not self.cable.motor:
                return False
            self.cable.props[prop] = value
            return True


def hurried() -> float:
    """A clock by which a camera is soon done."""
    return time.monotonic() * 40


def usb_source(cable: Cable, **more: Any) -> UsbCameraSource:
    return UsbCameraSource(0, opener=cable.open, back_off_s=(0.01, 0.02), clock=hurried, **more)


def test_an_unplugged_camera_says_so_and_comes_back() -> None:
    cable = Cable()
    source = usb_source(cable)
    first = source.read(PATIENCE_S)
    assert first is not None
    cable.plugged = False
    assert until(lambda: "unplugged" in source.status)
    assert source.read(0.0) is None
    cable.plugged = True
    again = source.read(PATIENCE_S)
    assert again is not None
    assert again.index > first.index
    assert "running" in source.status
    source.close()
    assert source.ended


ALL = {cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_AUTO_WB}


@pytest.mark.parametrize("motor", [True, False])
def test_a_usb_camera_searches_anew_and_holds_what_its_driver_can(motor: bool) -> None:
    cable = Cable(motor=motor)
    source = usb_source(cable)
    frame = source.read(PATIENCE_S)
    assert frame is not None and not frame.condition.ready
    assert cable.held == (set() if motor else {cv2.CAP_PROP_AUTOFOCUS})
    assert until(lambda: cable.held == ALL)
    assert cable.props[cv2.CAP_PROP_EXPOSURE] == 157
    frame = source.read(PATIENCE_S)
    assert frame is not None and frame.condition == ADJUSTED
    source.close()


def test_a_usb_lens_that_still_moves_is_not_held() -> None:
    cable = Cable()
    cable.lens = 0.0
    source = usb_source(cable)
    assert until(lambda: cable.held == ALL - {cv2.CAP_PROP_AUTOFOCUS})
    assert until(lambda: (f := source.read(PATIENCE_S)) is not None and f.condition.ready)
    frame = source.read(PATIENCE_S)
    assert frame is not None and frame.condition.missing == ("focus",)
    cable.lens = None
    assert until(lambda: cable.held == ALL)
    source.close()


def test_holding_what_turns_the_picture_black_is_taken_back() -> None:
    cable = Cable(honest=False)
    source = usb_source(cable)
    assert until(lambda: cable.brightness == 20)
    assert until(lambda: cable.brightness == 90)
    assert until(lambda: (f := source.read(PATIENCE_S)) is not None and f.condition == ADJUSTED)
    assert cv2.CAP_PROP_AUTO_EXPOSURE not in cable.held
    source.close()


def test_pictures_that_nobody_waits_for_are_not_fetched() -> None:
    cable = Cable()
    source = usb_source(cable)
    assert until(lambda: cable.held == ALL)
    grabbed = cable.grabbed
    assert until(lambda: cable.grabbed > grabbed + 20)
    grabbed, fetched = cable.grabbed, cable.fetched
    assert until(lambda: cable.grabbed > grabbed + 30)
    assert cable.fetched == fetched
    assert source.read(PATIENCE_S) is not None
    assert cable.fetched > fetched
    source.close()


def as_jpeg(image: Picture) -> Picture:
    return np.asarray(cv2.imencode(".jpg", image)[1], dtype=np.uint8)


def as_yuyv(image: Picture) -> Picture:
    blue_red = np.full(image.shape[:2], 128, np.uint8)
    return np.dstack([image[:, :, 1], blue_red])


@pytest.mark.parametrize("sends", [as_jpeg, as_yuyv, np.copy])
def test_a_usb_picture_is_small_and_grey_until_more_is_asked_for(
    sends: Callable[[Picture], Picture],
) -> None:
    cable = Cable()
    cable.sends = sends
    source = usb_source(cable)
    frame = source.read(PATIENCE_S)
    assert frame is not None and not frame.taken
    assert frame.small is not None and 160 <= frame.small.shape[1] <= 320
    assert abs(float(np.median(frame.small)) - 90) < 15
    source.read(PATIENCE_S)
    assert frame.image.shape == (480, 640, 3), "it keeps its own moment"
    assert abs(float(np.median(frame.image)) - 90) < 15
    source.close()


def test_a_usb_camera_that_sends_damaged_pictures_is_opened_anew() -> None:
    cable = Cable()
    cable.sends = lambda _image: np.zeros(900, np.uint8)
    source = usb_source(cable)
    assert until(lambda: cable.opened > 1)
    source.close()


def test_what_nobody_expects_of_a_driver_reaches_whoever_looks_and_the_camera_is_opened_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cable = Cable()
    grab, odd = Cable.Capture.grab, [1]

    def grabs(capture: Cable.Capture) -> bool:
        if odd:
            odd.pop()
            raise cv2.error("of the driver")
        return grab(capture)

    monkeypatch.setattr(Cable.Capture, "grab", grabs)
    source = usb_source(cable)
    with pytest.raises(cv2.error):
        source.read(2.0)
    assert source.read(2.0) is not None
    assert cable.opened == 2
    source.close()


def test_nothing_of_a_usb_camera_is_held_if_so_wished() -> None:
    cable = Cable()
    source = usb_source(cable, lock=False)
    assert until(lambda: (f := source.read(PATIENCE_S)) is not None and f.condition == ADJUSTED)
    assert cable.held == set()
    source.close()


def test_usb_cameras_are_listed_by_paths_that_stay_the_same(tmp_path: Path) -> None:
    for name in ("usb-Maker_Cam_1234-video-index0", "usb-Maker_Cam_1234-video-index1"):
        (tmp_path / name).symlink_to("../../video7")
    (listed,) = usb_cameras(tmp_path)
    assert listed == str(tmp_path / "usb-Maker_Cam_1234-video-index0")
    assert usb_name(listed, tmp_path) == "usb-Maker_Cam_1234"


def test_a_camera_has_one_name_by_whatever_path_it_is_reached(tmp_path: Path) -> None:
    device = tmp_path / "video7"
    device.touch()
    folder = tmp_path / "by-id"
    folder.mkdir()
    (folder / "usb-Maker_Cam_1234-video-index0").symlink_to(device)
    assert usb_name(str(device), folder) == "usb-Maker_Cam_1234"
    assert usb_name(str(tmp_path / "video8"), folder) == "video8"


def test_only_cameras_have_a_name_as_such(tmp_path: Path) -> None:
    assert camera_name("pi") == camera_name("pi:0") == "pi-0"
    assert camera_name("/dev/video98") == camera_name("98") == "video98"
    assert camera_name(str(tmp_path)) == ""


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no folder in memory")
def test_pictures_in_memory_lie_below_dev_and_are_no_camera() -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        assert camera_name(folder) == ""
        assert camera_name(f"{folder}/unplugged") != ""


def bomb(width: int, height: int) -> bytes:
    """A PNG file of one colour: a few bytes for any size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))

    rows = compressobj(9)
    row = b"\0" + bytes((width + 7) // 8)
    data = b"".join(rows.compress(row) for _ in range(height)) + rows.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def test_a_small_file_that_claims_to_be_larger_than_memory_is_refused(tmp_path: Path) -> None:
    """Decoded it would take three bytes a pixel, and the program with it."""
    assert decoded(bomb(64, 48)) is not None
    assert decoded(bomb(20_000, 20_000)) is None
    assert decoded(b"") is None
    (tmp_path / "bomb.png").write_bytes(bomb(20_000, 20_000))
    with pytest.raises(SourceError, match="damaged"):
        FolderSource(tmp_path).read()


@pytest.mark.parametrize("package", ["vision", "companion"])
def test_opencv_is_held_to_the_same_limit_whichever_package_is_loaded_first(package: str) -> None:
    show = f"import {package}, os; print(os.environ['OPENCV_IO_MAX_IMAGE_PIXELS'])"
    bare = {k: v for k, v in os.environ.items() if k != "OPENCV_IO_MAX_IMAGE_PIXELS"}
    told = subprocess.run([sys.executable, "-c", show], env=bare, capture_output=True, check=True)
    assert int(told.stdout) == MOST_PIXELS


@pytest.mark.parametrize("stuffing", [b"", b"\xff\xff\xff", b"\xff\xfe\x00\x06\xff\xc0\x00\x00"])
def test_a_photograph_that_claims_to_be_larger_than_memory_is_refused(stuffing: bytes) -> None:
    """In front of the frame header there may be fill bytes and comments."""
    done, coded = cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))
    assert done
    good = coded.tobytes()
    at = good.index(b"\xff\xc0")
    claim = (20_000).to_bytes(2, "big")
    bad = good[: at + 5] + claim + claim + good[at + 9 :]
    assert decoded(good[:at] + stuffing + good[at:]) is not None
    assert decoded(bad[:at] + stuffing + bad[at:]) is None


def test_a_file_larger_than_any_photograph_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.png"
    path.write_bytes(bomb(8, 8))
    os.truncate(path, 1 << 40)
    with pytest.raises(SourceError, match="larger than any photograph"):
        FolderSource(tmp_path).read()
