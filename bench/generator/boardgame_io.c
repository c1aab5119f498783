/* boardgame.io: its actions in Socket.IO's events, in Engine.IO's packets, in WebSocket frames. */
#define _GNU_SOURCE
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPACE "/connect-four,"

static void path(const Conn *conn, char *out, size_t size) {
  (void)conn;
  snprintf(out, size, "/socket.io/?EIO=4&transport=websocket");
}

/* A match is made by the first who asks for its state. */
static void enter(Conn *conn) {
  wait_for(conn, NULL, "0", NULL, 0);
  say(conn, "40" SPACE);
  wait_for(conn, NULL, "40" SPACE, NULL, 0);
  say(conn, "42" SPACE "[\"sync\",\"m%d\",\"%d\",null,2]", conn->room, conn->seat);
  wait_for(conn, NULL, "42" SPACE "[\"sync\"", NULL, 0);
}

static void move(Conn *conn, Room *room, int column) {
  say(conn,
      "42" SPACE "[\"update\",{\"type\":\"MAKE_MOVE\",\"payload\":{\"type\":\"drop\",\"args\":[%d],"
      "\"playerID\":\"%d\",\"credentials\":null}},%ld,\"m%d\",\"%d\"]",
      column, conn->seat, room->state_id, conn->room, conn->seat);
}

static int number_in(const Frame *frame, const char *key) {
  const char *found = memmem(frame->text, frame->length, key, strlen(key));
  return found ? atoi(found + strlen(key)) : -1;
}

static void hear(Conn *conn, const Frame *frame) {
  Room *room = &rooms[conn->room];
  if (frame->length == 1 && frame->text[0] == '2') {
    say(conn, "3"); /* Engine.IO's own ping */
  } else if (begins(frame, "42" SPACE "[\"update\"")) {
    /* Whoever moves next has to name the state that it has seen. */
    if (conn->seat == room->turn) room->state_id = number_in(frame, "_stateID\":");
    moved(room, number_in(frame, "\"winner\":"));
  } else if (!begins(frame, "42" SPACE "[\"matchData\"")) {
    unexpected(frame);
  }
}

const Protocol boardgame_io = {.name = "boardgame.io", .path = path, .enter = enter,
                               .move = move, .hear = hear};
