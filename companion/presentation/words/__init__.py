"""The words of the screens, without Kivy."""
