/* RFC 6455, as much of it as a client of a server on the same machine needs. */
#define _GNU_SOURCE
#include "load.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The key is that of the RFC. Nobody checks the server's answer to it: this measures. */
void ask_upgrade(Conn *conn) {
  char path[1024], request[2048];
  protocol->path(conn, path, sizeof path);
  int count = snprintf(request, sizeof request,
                       "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                       "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                       "Sec-WebSocket-Version: 13\r\n\r\n",
                       path, options.port);
  send_all(conn, request, count);
}

/* Whether the whole answer to the handshake is there; it is consumed then. */
bool upgraded(Conn *conn) {
  char *end = memmem(conn->buffer, conn->length, "\r\n\r\n", 4);
  if (!end) return false;
  if (conn->length < 12 || memcmp(conn->buffer + 9, "101", 3))
    die("the handshake was refused: %.*s", conn->length, conn->buffer);
  consume(conn, end + 4 - conn->buffer);
  return true;
}

/* The frame at `offset`, if all of it is there; the offset is the next one's then. */
bool next_frame(Conn *conn, int *offset, Frame *frame) {
  unsigned char *at = (unsigned char *)conn->buffer + *offset;
  int available = conn->length - *offset, head = 2;
  if (available < 2) return false;
  uint64_t length = at[1] & 127;
  if (length == 126) {
    head = 4;
    if (available < head) return false;
    length = at[2] << 8 | at[3];
  } else if (length == 127) {
    head = 10;
    if (available < head) return false;
    length = 0;
    for (int i = 2; i < head; i++) length = length << 8 | at[i];
  }
  if ((uint64_t)available < head + length) return false;
  *frame = (Frame){at[0] & 15, (int)length, (char *)at + head};
  *offset += head + (int)length;
  return true;
}

void send_frame(const Conn *conn, int op, const char *payload, int count) {
  char bytes[MESSAGE_MAX + 8];
  int head = 2;
  if (count > MESSAGE_MAX) die("a message of %d bytes is too long", count);
  bytes[0] = (char)(0x80 | op);
  bytes[1] = (char)(0x80 | (count < 126 ? count : 126));
  if (count >= 126) {
    bytes[2] = (char)(count >> 8);
    bytes[3] = (char)count;
    head = 4;
  }
  uint32_t mask = (uint32_t)chance();
  memcpy(bytes + head, &mask, 4);
  for (int i = 0; i < count; i++) bytes[head + 4 + i] = payload[i] ^ bytes[head + (i & 3)];
  send_all(conn, bytes, head + 4 + count);
}

void say(const Conn *conn, const char *format, ...) {
  char text[MESSAGE_MAX];
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  send_frame(conn, TEXT, text, count);
}

bool begins(const Frame *frame, const char *prefix) {
  size_t count = strlen(prefix);
  return (size_t)frame->length >= count && !memcmp(frame->text, prefix, count);
}

/* Whether this frame is the connection's own business; a ping is answered. */
bool is_control(const Conn *conn, const Frame *frame) {
  if (frame->op == CLOSE) die("the server has closed a connection");
  if (frame->op == PING) send_frame(conn, PONG, frame->text, frame->length);
  return frame->op >= CLOSE;
}

/* Blocks until a frame that `is` it, or has the prefix, has come; copies its text if wanted. */
void wait_for(Conn *conn, bool (*is)(const Frame *), const char *prefix, char *copy, size_t size) {
  for (;;) {
    int offset = 0;
    Frame frame;
    if (!next_frame(conn, &offset, &frame)) {
      receive(conn);
      continue;
    }
    bool found = !is_control(conn, &frame) && (is ? is(&frame) : begins(&frame, prefix));
    if (begins(&frame, "{\"action\":\"error\"")) die("refused: %.*s", frame.length, frame.text);
    if (found && copy) snprintf(copy, size, "%.*s", frame.length, frame.text);
    consume(conn, offset);
    if (found) return;
  }
}

/* Everyone comes in, one after the other: setting up is not what is measured. */
void enter_all(void) {
  for (int i = 0; i < options.connections; i++) {
    Conn *conn = &conns[i];
    dial(conn, true);
    ask_upgrade(conn);
    do receive(conn);
    while (!upgraded(conn));
    if (protocol->enter) protocol->enter(conn);
    set_blocking(conn, false);
  }
}
