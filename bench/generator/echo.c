/* Mode `echo`: each connection sends the same message again when it has come back. */
#include "load.h"

#include <string.h>
#include <sys/epoll.h>

#define WAIT_NS 100000000ULL

void run_echo(void) {
  static struct epoll_event events[EVENTS_MAX];
  static char message[MESSAGE_MAX];
  Samples delays = {0};
  long total = 0;
  memset(message, 'x', options.message_bytes);
  enter_all();
  for (int i = 0; i < options.connections; i++) {
    conns[i].sent_ns = now_ns();
    send_frame(&conns[i], TEXT, message, options.message_bytes);
  }
  bool counting = false;
  uint64_t warm = now_ns() + (uint64_t)(options.warm_seconds * 1e9), end = UINT64_MAX;
  for (uint64_t now = 0; now < end; now = now_ns()) {
    if (!counting && now >= warm) {
      counting = true;
      begin_counting();
      end = now_ns() + (uint64_t)(options.seconds * 1e9);
    }
    int count = wait_events(events, WAIT_NS);
    for (int i = 0; i < count; i++) {
      Conn *conn = events[i].data.ptr;
      int offset = 0;
      Frame frame;
      receive(conn);
      while (next_frame(conn, &offset, &frame)) {
        if (is_control(conn, &frame)) continue;
        if (frame.length != options.message_bytes) errors++;
        uint64_t came = now_ns();
        if (counting) {
          total++;
          keep(&delays, came - conn->sent_ns);
        }
        conn->sent_ns = came;
        send_frame(conn, TEXT, message, options.message_bytes);
      }
      consume(conn, offset);
    }
  }
  report(&delays, total, "%s", "");
}
