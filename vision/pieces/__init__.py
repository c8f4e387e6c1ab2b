"""What lies on the board: pieces with stickers and without, and how sure that is."""
