"""Pages of boards, stickers, cards and pieces."""
