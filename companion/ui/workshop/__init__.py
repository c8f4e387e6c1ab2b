"""The pages of the workshop, one module each; ``companion.ui.screens.workshop`` shows them."""
