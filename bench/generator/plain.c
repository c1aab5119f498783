/* Plain JSON over WebSocket: the bare sketch and Node's `ws`. The address says who sits where. */
#define _GNU_SOURCE
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void path(const Conn *conn, char *out, size_t size) {
  snprintf(out, size, "/room/%d/%d", conn->room, conn->seat);
}

static int write_move(char *out, size_t size, int column) {
  static long request;
  return snprintf(out, size,
                  "{\"action\":\"move\",\"requestId\":\"r-%ld\",\"payload\":{\"column\":%d}}",
                  request++, column);
}

/* There is no hello: who comes moves, or is told that it cannot. Both are one answer. */
static int greeting(const Conn *conn, char *out, size_t size) {
  (void)conn;
  return write_move(out, size, 3);
}

static bool welcomes(const Frame *frame) { return begins(frame, "{\"type\":"); }

static void move(Conn *conn, Room *room, int column) {
  (void)room;
  char text[MESSAGE_MAX];
  send_frame(conn, TEXT, text, write_move(text, sizeof text, column));
}

static void hear(Conn *conn, const Frame *frame) {
  static const char key[] = "\"winner\":";
  const char *found = memmem(frame->text, frame->length, key, strlen(key));
  if (!begins(frame, "{\"type\":\"state\"") || !found) unexpected(frame);
  else moved(&rooms[conn->room], atoi(found + strlen(key)));
}

const Protocol plain = {.name = "plain", .path = path, .greeting = greeting,
                        .welcomes = welcomes, .move = move, .hear = hear};
