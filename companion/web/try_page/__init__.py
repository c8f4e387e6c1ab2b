"""A page to try the rules in a browser, without a camera.

``trial`` is a match on one device, in Python that also runs in a browser; ``building`` puts the
page together. Nothing of it needs a table, a journal or, once it is built, a network.
"""
