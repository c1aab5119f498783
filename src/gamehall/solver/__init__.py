"""Connect Four on the standard board, solved: what every move is worth."""
