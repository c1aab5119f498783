"""`python3 player`: the program plays, or with `--human` a person does."""

import sys

import ai_player
import player

arguments = sys.argv[1:]
if "--human" in arguments:
    arguments.remove("--human")
    sys.exit(player.main(arguments))
sys.exit(ai_player.main(arguments))
