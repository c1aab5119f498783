/* Mode `crowd`: people come, a few at a time, as fast as the server lets them; then all stay, and
 * say nothing, until the runner closes standard input. */
#include "load.h"

#include <sys/epoll.h>
#include <unistd.h>

#define AT_ONCE 64
#define WAIT_NS 100000000ULL

enum { UPGRADING, GREETING, WELCOMED };

static Samples delays;
static int begun, welcomed;

static void come(void) {
  if (begun == options.connections) return;
  Conn *conn = &conns[begun];
  conn->room = begun++; /* everyone alone: what others do must not look like an answer */
  conn->seat = 0;
  conn->sent_ns = now_ns();
  dial(conn, false);
  ask_upgrade(conn);
}

static void greet(Conn *conn) {
  char text[MESSAGE_MAX];
  conn->phase = GREETING;
  send_frame(conn, TEXT, text, protocol->greeting(conn, text, sizeof text));
}

static void hear(Conn *conn) {
  int offset = 0;
  Frame frame;
  if (!receive(conn)) return;
  if (conn->phase == UPGRADING && upgraded(conn)) greet(conn);
  if (conn->phase == UPGRADING) return;
  while (next_frame(conn, &offset, &frame)) {
    if (is_control(conn, &frame) || conn->phase == WELCOMED) continue;
    if (!protocol->welcomes(&frame)) {
      unexpected(&frame);
      continue;
    }
    conn->phase = WELCOMED;
    welcomed++;
    keep(&delays, now_ns() - conn->sent_ns);
    come();
  }
  consume(conn, offset);
  if (conn->phase == WELCOMED) shrink(conn);
}

static void hear_all(void) {
  static struct epoll_event events[EVENTS_MAX];
  int count = wait_events(events, WAIT_NS);
  for (int i = 0; i < count; i++) {
    if (events[i].data.ptr) hear(events[i].data.ptr);
    else options.connections = 0; /* standard input was closed */
  }
}

void run_crowd(void) {
  if (!protocol->greeting) die("%s has no greeting", protocol->name);
  begin_counting();
  for (int i = 0; i < AT_ONCE; i++) come();
  while (welcomed < options.connections) hear_all();
  report(&delays, welcomed, "%s", "");
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, STDIN_FILENO, &event)) die("standard input is no pipe");
  while (options.connections) hear_all();
}
