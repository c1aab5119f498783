/* Mode `game`: two players at each table. Each moves when both have been told of the move before;
 * with a pace, when a move is due as well. */
#define _GNU_SOURCE
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>

#define PACE_WAIT_NS 2000000ULL
#define CLOSED_WAIT_NS 100000000ULL

static Samples delays;
static bool counting;
static long moves, games, late;
static uint64_t due_ns;
static int *waiting, first_waiting, last_waiting; /* a ring of rooms that may move */

Conn *player(int room, int seat) {
  return &conns[room / options.tables_per_pair * 2 + (seat ^ rooms[room].swapped)];
}

static void move(int number) {
  Room *room = &rooms[number];
  Conn *mover = player(number, room->turn);
  /* At a pace the delay begins when the move was due, so that a server that stalls is seen to
   * delay all that would have come meanwhile, and not only the one move that found it so. */
  room->sent_ns = options.moves_per_second > 0 ? due_ns : now_ns();
  int column = next_column(room);
  protocol->move(mover, room, column);
}

static void may_move(int number) {
  if (options.moves_per_second <= 0) {
    move(number);
    return;
  }
  waiting[last_waiting] = number;
  last_waiting = (last_waiting + 1) % (room_count + 1);
}

static void move_those_due(void) {
  uint64_t now = now_ns();
  while (due_ns <= now && first_waiting != last_waiting) {
    int number = waiting[first_waiting];
    first_waiting = (first_waiting + 1) % (room_count + 1);
    move(number);
    due_ns += (uint64_t)(1e9 / options.moves_per_second);
  }
  if (due_ns <= now) late++; /* every table still waits for its last move */
}

/* One of the two has been told of the last move, and how the game stands. */
void moved(Room *room, int winner) {
  if (winner != room->expected && mismatches++ < 3)
    fprintf(stderr, "generator: winner %d, not %d\n", winner, room->expected);
  if (++room->heard < 2) return;
  moves++;
  if (counting) keep(&delays, now_ns() - room->sent_ns);
  if (room->expected != GOES_ON) games++;
  int number = (int)(room - rooms);
  if (room->expected != GOES_ON && protocol->again) {
    room->turn = room->seated = 0;
    protocol->again(number);
  } else {
    may_move(number);
  }
}

/* One of the two has a seat in the rematch. */
void seated(Room *room) {
  if (++room->seated == 2) may_move((int)(room - rooms));
}

void unexpected(const Frame *frame) {
  if (errors++ < 3)
    fprintf(stderr, "generator: unexpected: %.*s\n", frame->length > 300 ? 300 : frame->length,
            frame->text);
}

static void hear(Conn *conn) {
  int offset = 0;
  Frame frame;
  if (!receive(conn)) return;
  while (next_frame(conn, &offset, &frame))
    if (!is_control(conn, &frame)) protocol->hear(conn, &frame);
  consume(conn, offset);
}

void run_game(void) {
  static struct epoll_event events[EVENTS_MAX];
  waiting = calloc(room_count + 1, sizeof *waiting);
  enter_all();
  if (protocol->seat)
    for (int number = 0; number < room_count; number++) protocol->seat(number);
  drain(0.3, 5);
  due_ns = now_ns();
  uint64_t warm = due_ns + (uint64_t)(options.warm_seconds * 1e9), end = UINT64_MAX;
  long before = 0;
  for (int number = 0; number < room_count; number++) may_move(number);
  for (uint64_t now = due_ns; now < end; now = now_ns()) {
    if (!counting && now >= warm) {
      counting = true;
      before = moves;
      late = 0;
      begin_counting();
      end = now_ns() + (uint64_t)(options.seconds * 1e9);
    }
    uint64_t wait = CLOSED_WAIT_NS;
    if (options.moves_per_second > 0) {
      move_those_due();
      now = now_ns();
      wait = due_ns <= now ? 0 : due_ns - now;
      if (first_waiting == last_waiting || wait > PACE_WAIT_NS) wait = PACE_WAIT_NS;
    }
    int count = wait_events(events, wait);
    for (int i = 0; i < count; i++) hear(events[i].data.ptr);
  }
  report(&delays, moves - before, ",\"games\":%ld,\"late\":%ld", games, late);
}
