#!/bin/sh
# A bot in plain sh, for any game whose commands have no objects within: it does the first thing that
# is legal. docs/write-a-bot.md says what it reads and writes.
while read -r line; do
    case $line in
    '{"type":"turn"'*)
        legal=${line##*'"legal":['}
        printf '%s}\n' "${legal%%\}*}"
        ;;
    esac
done
