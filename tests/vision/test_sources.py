"""Every source is an iterator of frames, and says clearly what it cannot do."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.arrays import Picture
from vision.sources import (
    FolderSource,
    MemorySource,
    SourceError,
    UsbCameraSource,
    VideoSource,
    open_source,
)

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


def test_a_damaged_picture_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 50)
    with pytest.raises(SourceError, match=r"a\.png' is damaged"):
        FolderSource(tmp_path).read()


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
    """A camera whose cable can be pulled."""

    def __init__(self) -> None:
        self.plugged = True
        self.opened = 0

    def open(self, device: int | str, size: tuple[int, int]) -> Cable.Capture:
        self.opened += 1
        return Cable.Capture(self)

    class Capture:
        def __init__(self, cable: Cable) -> None:
            self.cable = cable

        def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
            return self.cable.plugged

        def read(self) -> tuple[bool, Picture]:
            time.sleep(0.002)
            return self.cable.plugged, PLAIN

        def release(self) -> None:
            pass


def test_an_unplugged_camera_says_so_and_comes_back() -> None:
    cable = Cable()
    source = UsbCameraSource(0, opener=cable.open, back_off_s=(0.01, 0.02))
    first = source.read(2.0)
    assert first is not None
    cable.plugged = False
    deadline = time.monotonic() + 3
    while "unplugged" not in source.status and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "unplugged" in source.status
    while source.read(0.0) is not None:
        pass
    cable.plugged = True
    again = source.read(3.0)
    assert again is not None
    assert again.index > first.index
    assert "running" in source.status
    source.close()
    assert source.ended
