/* The hall's native door: JSON with an action, a payload and the number of the request. */
#define _GNU_SOURCE
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIEW_MAX 8192

static int *room_of_table, tables_known;

static void path(const Conn *conn, char *out, size_t size) {
  (void)conn;
  snprintf(out, size, "/ws");
}

static int greeting(const Conn *conn, char *out, size_t size) {
  (void)conn;
  return snprintf(out, size, "{\"action\":\"hello\",\"payload\":{}}");
}

static bool welcomes(const Frame *frame) { return begins(frame, "{\"action\":\"hello\""); }

static void enter(Conn *conn) {
  char text[MESSAGE_MAX];
  send_frame(conn, TEXT, text, greeting(conn, text, sizeof text));
  wait_for(conn, welcomes, NULL, NULL, 0);
}

/* A member that is a number, -1 if there is none. */
static int number_in(const char *text, int length, const char *key) {
  const char *found = memmem(text, length, key, strlen(key));
  return found ? atoi(found + strlen(key)) : -1;
}

static void remember(int table, int room) {
  if (table >= tables_known) {
    int known = table * 2 + 64;
    room_of_table = realloc(room_of_table, known * sizeof *room_of_table);
    while (tables_known < known) room_of_table[tables_known++] = -1;
  }
  room_of_table[table] = room;
}

static Room *room_in(const Frame *frame) {
  int table = number_in(frame->text, frame->length, "\"table\":");
  if (table < 0 || table >= tables_known || room_of_table[table] < 0) return NULL;
  return &rooms[room_of_table[table]];
}

static void seat(int number) {
  Room *room = &rooms[number];
  Conn *one = player(number, 0), *other = player(number, 1);
  char text[VIEW_MAX];
  set_blocking(one, true);
  set_blocking(other, true);
  say(one, "{\"action\":\"open_table\",\"payload\":{\"game\":\"connect-four\"%s}}",
      options.long_games ? ",\"options\":{\"columns\":12,\"rows\":12,\"length\":12}" : "");
  wait_for(one, NULL, "{\"action\":\"open_table\"", text, sizeof text);
  room->table = number_in(text, (int)strlen(text), "\"table\":");
  remember(room->table, number);
  say(one, "{\"action\":\"sit\",\"payload\":{\"table\":%d}}", room->table);
  wait_for(one, NULL, "{\"action\":\"sit\"", NULL, 0);
  say(other, "{\"action\":\"sit\",\"payload\":{\"table\":%d}}", room->table);
  wait_for(other, NULL, "{\"action\":\"seated\"", NULL, 0);
  wait_for(other, NULL, "{\"action\":\"table_view\"", NULL, 0);
  wait_for(one, NULL, "{\"action\":\"seated\"", text, sizeof text);
  wait_for(one, NULL, "{\"action\":\"table_view\"", NULL, 0);
  room->swapped = number_in(text, (int)strlen(text), "\"seat\":");
  set_blocking(one, false);
  set_blocking(other, false);
}

static void watch(Conn *conn, int table) {
  set_blocking(conn, true);
  say(conn, "{\"action\":\"watch\",\"payload\":{\"table\":%d}}", table);
  wait_for(conn, NULL, "{\"action\":\"table_view\"", NULL, 0);
  set_blocking(conn, false);
}

/* Each request has a number of its own, as a client's has that may send it again. */
static void move(Conn *conn, Room *room, int column) {
  static long request;
  say(conn,
      "{\"action\":\"act\",\"requestId\":\"r-%ld\",\"payload\":{\"table\":%d,\"command\":"
      "{\"type\":\"drop\",\"column\":%d}}}",
      request++, room->table, column);
}

static void again(int number) {
  for (int seat = 0; seat < 2; seat++)
    say(player(number, seat), "{\"action\":\"rematch\",\"payload\":{\"table\":%d}}",
        rooms[number].table);
}

static bool is_news(const Frame *frame) { return begins(frame, "{\"action\":\"table_events\""); }

/* The seats that have won: [] is a draw. */
static int winner(const Frame *frame) {
  static const char ended[] = "\"round_ended\"", winners[] = "\"winners\":[";
  if (!memmem(frame->text, frame->length, ended, strlen(ended))) return GOES_ON;
  const char *found = memmem(frame->text, frame->length, winners, strlen(winners));
  if (!found) return -1;
  return found[strlen(winners)] == ']' ? DRAWN : found[strlen(winners)] - '0' + 1;
}

static void hear(Conn *conn, const Frame *frame) {
  static const char dropped[] = "\"type\":\"dropped\"";
  if (begins(frame, "{\"action\":\"act\"")) return;
  if (is_news(frame)) {
    Room *room = room_in(frame);
    if (room && memmem(frame->text, frame->length, dropped, strlen(dropped)))
      moved(room, winner(frame));
  } else if (begins(frame, "{\"action\":\"seated\"")) {
    Room *room = room_in(frame);
    if (!room) return;
    if (conn->seat == 0) room->swapped = number_in(frame->text, frame->length, "\"seat\":");
    seated(room);
  } else if (!begins(frame, "{\"action\":\"table_") && !begins(frame, "{\"action\":\"rematch\"")) {
    unexpected(frame);
  }
}

const Protocol native = {.name = "native", .path = path, .greeting = greeting,
                         .welcomes = welcomes, .enter = enter, .seat = seat, .watch = watch,
                         .move = move, .hear = hear, .again = again, .is_news = is_news};
