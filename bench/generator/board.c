/* Connect Four, as far as a player has to know it: a free column, and how the game stands then. */
#include "load.h"

#include <string.h>

#define COLUMNS 7
#define ROWS 6
#define LONG_COLUMNS 12
#define LONG_MOVES 144

/* Stones are bits, seven for each column, the seventh always free: no line wraps around. */
static bool has_line(uint64_t stones) {
  static const int directions[] = {1, 6, 7, 8};
  for (int i = 0; i < 4; i++) {
    uint64_t pairs = stones & stones >> directions[i];
    if (pairs & pairs >> 2 * directions[i]) return true;
  }
  return false;
}

/* 12 × 12 with lines of 12: no twelve in a line this way, and every column is filled. A long game
 * has few seats drawn and rounds begun, so that what is measured is moves. */
static int long_column(Room *room) {
  int number = room->moves++;
  room->expected = room->moves == LONG_MOVES ? DRAWN : GOES_ON;
  return (number + number / (2 * LONG_COLUMNS)) % LONG_COLUMNS;
}

static int random_column(Room *room) {
  int column;
  do column = (int)(chance() % COLUMNS);
  while (room->heights[column] == ROWS);
  uint64_t *stones = &room->stones[room->turn];
  *stones |= 1ULL << (column * COLUMNS + room->heights[column]++);
  room->moves++;
  room->expected = has_line(*stones)              ? room->turn + 1
                   : room->moves == COLUMNS * ROWS ? DRAWN
                                                   : GOES_ON;
  return column;
}

/* Where whoever's turn it is drops a stone. `expected` says how the server has to answer. */
int next_column(Room *room) {
  int column = options.long_games ? long_column(room) : random_column(room);
  if (room->expected != GOES_ON) {
    memset(room->stones, 0, sizeof room->stones);
    memset(room->heights, 0, sizeof room->heights);
    room->moves = 0;
  }
  room->turn ^= 1;
  room->heard = 0;
  return column;
}
