/* Connections to one server on this machine, and what has come over them. */
#define _GNU_SOURCE
#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#define READ_BYTES 4096
#define HANDSHAKE_SECONDS 20

void set_blocking(const Conn *conn, bool blocking) {
  int flags = fcntl(conn->fd, F_GETFL);
  fcntl(conn->fd, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

/* Connecting itself blocks: on loopback it only waits for room in the server's backlog. */
void dial(Conn *conn, bool blocking) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options.port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  conn->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (conn->fd < 0) die("no socket; raise the limit of open files");
  if (connect(conn->fd, (struct sockaddr *)&address, sizeof address)) die("cannot connect");
  int on = 1;
  setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct timeval limit = {HANDSHAKE_SECONDS, 0};
  setsockopt(conn->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  set_blocking(conn, blocking);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = conn};
  if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, conn->fd, &event)) die("epoll");
}

void send_all(const Conn *conn, const char *bytes, int count) {
  while (count > 0) {
    ssize_t sent = send(conn->fd, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent < 0) die("cannot send");
    bytes += sent;
    count -= sent;
  }
}

int receive(Conn *conn) {
  if (conn->capacity - conn->length < READ_BYTES) {
    conn->capacity = conn->length + 2 * READ_BYTES;
    conn->buffer = realloc(conn->buffer, conn->capacity);
    if (!conn->buffer) die("no memory for a connection");
  }
  ssize_t came = recv(conn->fd, conn->buffer + conn->length, conn->capacity - conn->length, 0);
  if (came > 0) {
    conn->length += came;
    return came;
  }
  bool blocks = !(fcntl(conn->fd, F_GETFL) & O_NONBLOCK);
  if (came == 0) die("the server has closed a connection");
  if (errno == EINTR || (errno == EAGAIN && !blocks)) return 0;
  die("nothing came for %d s", HANDSHAKE_SECONDS);
  return 0;
}

void consume(Conn *conn, int count) {
  if (!count) return;
  conn->length -= count;
  memmove(conn->buffer, conn->buffer + count, conn->length);
}

/* For whoever hears nothing more: the buffers of ten thousand would be eighty megabytes. */
void shrink(Conn *conn) {
  if (conn->length) return;
  free(conn->buffer);
  conn->buffer = NULL;
  conn->capacity = 0;
}

/* Waits in nanoseconds: at a pace, a millisecond too late is what is measured. */
int wait_events(void *events, uint64_t limit_ns) {
  struct timespec limit = {limit_ns / SECOND_NS, limit_ns % SECOND_NS};
  int count = epoll_pwait2(epoll_fd, events, EVENTS_MAX, &limit, NULL);
  return count < 0 ? 0 : count;
}

/* Reads and forgets until it has been quiet for a while: greetings and counts of spectators. */
void drain(double quiet_seconds, double seconds_max) {
  static struct epoll_event events[EVENTS_MAX];
  uint64_t end = now_ns() + (uint64_t)(seconds_max * 1e9);
  int count;
  while (now_ns() < end && (count = wait_events(events, (uint64_t)(quiet_seconds * 1e9))) > 0) {
    for (int i = 0; i < count; i++) {
      Conn *conn = events[i].data.ptr;
      int offset = 0;
      Frame frame;
      receive(conn);
      while (next_frame(conn, &offset, &frame)) is_control(conn, &frame);
      consume(conn, offset);
    }
  }
}
