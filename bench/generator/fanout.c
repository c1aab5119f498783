/* Mode `fanout`: one message to everyone, again and again; how long until the last has it. */
#define _GNU_SOURCE
#include "load.h"

#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define LIMIT_NS (10 * SECOND_NS)
#define BETWEEN_US 2000
#define WARM_BROADCASTS 3
#define GAME_MOVES 144

static int news_bytes;

/* Where people play, a move is what is told; elsewhere the first connection's message. */
static void cause(const char *message) {
  if (protocol->watch) {
    int turn = rooms[0].turn;
    protocol->move(player(0, turn), &rooms[0], next_column(&rooms[0]));
  } else {
    send_frame(&conns[0], TEXT, message, options.message_bytes);
  }
}

static int news(Conn *conn) {
  int offset = 0, found = 0;
  Frame frame;
  if (!receive(conn)) return 0;
  while (next_frame(conn, &offset, &frame)) {
    if (is_control(conn, &frame)) continue;
    if (protocol->is_news && !protocol->is_news(&frame)) continue;
    found++;
    news_bytes = frame.length;
  }
  consume(conn, offset);
  return found;
}

static void tell_everyone(const char *message, Samples *whole, Samples *spread) {
  static struct epoll_event events[EVENTS_MAX];
  uint64_t began = now_ns(), first = 0;
  cause(message);
  for (int told = 0; told < options.connections;) {
    int count = wait_events(events, LIMIT_NS);
    if (!count) die("only %d of %d were told", told, options.connections);
    for (int i = 0; i < count; i++) {
      told += news(events[i].data.ptr);
      if (told && !first) first = now_ns();
    }
  }
  uint64_t last = now_ns();
  keep(whole, last - began);
  keep(spread, last - first);
  usleep(BETWEEN_US);
}

void run_fanout(void) {
  static char message[MESSAGE_MAX];
  Samples warm = {0}, whole = {0}, spread = {0};
  memset(message, 'x', options.message_bytes);
  enter_all();
  if (protocol->watch) {
    if (!options.long_games || WARM_BROADCASTS + options.broadcasts >= GAME_MOVES)
      die("all broadcasts have to be of one long game");
    protocol->seat(0);
    for (int i = 2; i < options.connections; i++) protocol->watch(&conns[i], rooms[0].table);
  }
  drain(1, 12); /* how many watch is told to all, a little later */
  for (int i = 0; i < WARM_BROADCASTS; i++) tell_everyone(message, &warm, &warm);
  begin_counting();
  for (int i = 0; i < options.broadcasts; i++) tell_everyone(message, &whole, &spread);
  report(&whole, options.broadcasts, ",\"spread_p50_us\":%.1f,\"bytes\":%d",
         percentile_us(&spread, 0.5), news_bytes);
}
