"""The touchscreen: app, theme, screens and widgets. Kivy is imported nowhere else.

A screen is a function of the ``companion.match.view.TableView`` it is shown and of what the finger
has picked up meanwhile; it asks for things by intents and never touches a match.
"""
