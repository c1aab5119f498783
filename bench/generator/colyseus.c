/* Colyseus: a byte says what a message is, MessagePack what it has. Seats are reserved before, by
 * its HTTP API (peers/reserve.mjs); each has an address of its own. */
#include "load.h"

#include <stdio.h>
#include <string.h>

enum { JOIN_ROOM = 10, ROOM_DATA = 13, ROOM_STATE = 14, ROOM_STATE_PATCH = 15 };

static void path(const Conn *conn, char *out, size_t size) {
  snprintf(out, size, "%s", conn->path);
}

static bool is_join(const Frame *frame) {
  return frame->op == BINARY && frame->length > 0 && frame->text[0] == JOIN_ROOM;
}

static bool is_state(const Frame *frame) {
  return frame->op == BINARY && frame->length > 0 && frame->text[0] == ROOM_STATE;
}

static void enter(Conn *conn) {
  static const char joined = JOIN_ROOM;
  wait_for(conn, is_join, NULL, NULL, 0);
  send_frame(conn, BINARY, &joined, 1);
  wait_for(conn, is_state, NULL, NULL, 0);
}

/* "move", {"column": n} */
static void move(Conn *conn, Room *room, int column) {
  (void)room;
  char message[] = "\x0d\xa4move\x81\xa6" "column?";
  message[sizeof message - 2] = (char)column;
  send_frame(conn, BINARY, message, sizeof message - 1);
}

/* A patch has what has changed, as binary deltas. It is not read: that one came is enough, and the
 * server would refuse a move that does not fit its own state. */
static void hear(Conn *conn, const Frame *frame) {
  Room *room = &rooms[conn->room];
  if (frame->op == BINARY && frame->length > 0 && frame->text[0] == ROOM_STATE_PATCH)
    moved(room, room->expected);
  else
    unexpected(frame);
}

const Protocol colyseus = {.name = "colyseus", .path = path, .enter = enter, .move = move,
                           .hear = hear};
