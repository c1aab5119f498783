/* A load generator for table-game servers: one thread, epoll, loopback only.
 *
 * One program loads every server, so that what it costs itself is the same for all. It is in C
 * because it must not be the limit: its report says how busy it was.
 *
 *   main.c       options, and which mode runs
 *   samples.c    time, chance, delays and the report
 *   socket.c     connections and their buffers
 *   websocket.c  frames, and the handshake that begins them
 *   board.c      Connect Four, as far as a player has to know it
 *   game.c       mode `game`: moves, in a closed loop or at a pace
 *   crowd.c      mode `crowd`: people come, as fast as they can, and stay
 *   fanout.c     mode `fanout`: one message to everyone
 *   echo.c       mode `echo`: the same message back
 *   native.c, plain.c, colyseus.c, boardgame_io.c   the languages of the servers
 */
#ifndef LOAD_H
#define LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MESSAGE_MAX 4096
#define EVENTS_MAX 1024
#define SECOND_NS 1000000000ULL

typedef struct {
  int port, connections, tables_per_pair, broadcasts, message_bytes;
  double seconds, warm_seconds, moves_per_second;
  bool long_games;
  const char *protocol_name;
  const char *paths_file; /* one address for each connection, where seats are reserved before */
} Options;

typedef struct {
  int fd, room, seat;
  const char *path;
  char *buffer;
  int length, capacity;
  uint64_t sent_ns;
  int phase; /* of a handshake in mode `crowd` */
} Conn;

typedef struct {
  int op, length;
  char *text;
} Frame;

enum { TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };

/* A game under way. `turn` is the seat that moves; who has seat 0 is `swapped`'s to say. */
typedef struct {
  uint64_t stones[2];
  int heights[7];
  int turn, moves, expected, heard, table, swapped, seated;
  long state_id;
  uint64_t sent_ns;
} Room;

enum { GOES_ON = 0, DRAWN = 3 }; /* a `winner`; 1 and 2 are the seats' */

/* What a server's language has to say. A member that is NULL is not needed, or not supported. */
typedef struct {
  const char *name;
  void (*path)(const Conn *, char *out, size_t size);
  int (*greeting)(const Conn *, char *out, size_t size); /* what a comer says, in mode `crowd` */
  bool (*welcomes)(const Frame *);                       /* whether this answers it */
  void (*enter)(Conn *);          /* after the handshake, blocking, before a game */
  void (*seat)(int room);         /* seats both players of a room, blocking */
  void (*watch)(Conn *, int table);
  void (*move)(Conn *, Room *, int column);
  void (*hear)(Conn *, const Frame *);
  void (*again)(int room); /* asks for a rematch; NULL: the next move begins a game */
  bool (*is_news)(const Frame *); /* whether this is what mode `fanout` counts */
} Protocol;

extern const Protocol native, plain, colyseus, boardgame_io;

extern Options options;
extern const Protocol *protocol;
extern Conn *conns;
extern Room *rooms;
extern int epoll_fd, room_count;
extern long errors, mismatches;

/* samples.c */
typedef struct {
  uint32_t *ns;
  size_t count, capacity;
} Samples;
uint64_t now_ns(void);
uint64_t chance(void);
double cpu_seconds(void);
void keep(Samples *, uint64_t ns);
double percentile_us(Samples *, double share);
void begin_counting(void);
void report(Samples *, long total, const char *format, ...);
void die(const char *format, ...);

/* socket.c */
void dial(Conn *, bool blocking);
void set_blocking(const Conn *, bool blocking);
void send_all(const Conn *, const char *bytes, int count);
int receive(Conn *); /* bytes that came; 0 if none are there */
void consume(Conn *, int count);
void shrink(Conn *);
int wait_events(void *events, uint64_t limit_ns);
void drain(double quiet_seconds, double seconds_max);

/* websocket.c */
void ask_upgrade(Conn *);
bool upgraded(Conn *);
bool next_frame(Conn *, int *offset, Frame *);
void send_frame(const Conn *, int op, const char *payload, int count);
void say(const Conn *, const char *format, ...);
bool begins(const Frame *, const char *prefix);
bool is_control(const Conn *, const Frame *);
void wait_for(Conn *, bool (*is)(const Frame *), const char *prefix, char *copy, size_t size);
void enter_all(void);

/* board.c */
int next_column(Room *);

/* game.c */
void moved(Room *, int winner);
void seated(Room *);
Conn *player(int room, int seat);
void unexpected(const Frame *);

void run_game(void);
void run_crowd(void);
void run_fanout(void);
void run_echo(void);

#endif
