"""How cost grows: each module makes more of one thing, and measures what that changes."""
