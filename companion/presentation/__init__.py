"""View models for every audience: what is shown, what a touch means, and the words for both.

No module here imports Kivy or opens a socket; screens, phones, clubs and commands share them.
"""
