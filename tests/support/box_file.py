"""A small box file that is right, to be spoilt."""

__all__ = ["FILE_TEXT"]

FILE_TEXT = """\
[box]
id = "b"
names = { de = "Brett", en = "Board" }
size = [200, 200]
dictionary = "DICT_4X4_50"
colours = { board = "#76926b", pale = "#e0e0d0" }

[[corner]]
id = 0
at = [-80, 80]
size = 24
[[corner]]
id = 1
at = [80, 80]
size = 24
[[corner]]
id = 2
at = [80, -80]
size = 24
[[corner]]
id = 3
at = [-80, -80]
size = 24

[[site]]
id = "A"
kind = "field"
at = [-20, 0]
radius = 18
drawn_radius = 6
takes = ["stone"]
neighbours = ["B"]

[[site]]
id = "B"
kind = "field"
at = [20, 0]
radius = 18
colour = "pale"
takes = ["stone"]
neighbours = ["A"]

[[site]]
id = "bag"
kind = "captured"
at = [0, -150]
size = [80, 40]
room = 9
takes = ["stone"]
printed = false
games = ["tric", "trac"]
otherwise.trac = { at = [0, 150], size = [60, 40] }

[kinds."stone black"]
group = "stone"
stickers = [9]
sticker_mm = 16
shape = "disc"
size = [30, 30]
colour = "#202020"
count = 9
back = "stone back"

[kinds."stone back"]
group = "stone"
shape = "disc"
size = [30, 30]
colour = "#d0d0c0"
count = 9

[[stroke]]
kind = "line"
role = "path"
points = [[-20, 0],
          [20, 0]]
colour = "#303030"
width = 2
sites = ["A", "B"]
"""
