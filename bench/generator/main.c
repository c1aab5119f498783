/* Reads the options, makes rooms and connections, and runs a mode. load.h says what is where. */
#define _GNU_SOURCE
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

Options options = {.connections = 200, .tables_per_pair = 1, .broadcasts = 50,
                   .message_bytes = 64, .seconds = 5, .warm_seconds = 1};
const Protocol *protocol;
Conn *conns;
Room *rooms;
int epoll_fd, room_count;
long errors, mismatches;

static const struct {
  const char *name;
  void (*run)(void);
} modes[] = {{"game", run_game}, {"crowd", run_crowd}, {"fanout", run_fanout}, {"echo", run_echo}};

static const Protocol *const protocols[] = {&native, &plain, &colyseus, &boardgame_io};

static void usage(void) {
  fprintf(stderr,
          "usage: load game|crowd|fanout|echo -k native|plain|colyseus|boardgame.io -p PORT\n"
          "  -c connections   -t seconds   -w seconds of warming up\n"
          "  -r moves a second, in place of as many as can be   -L games of 144 moves (native)\n"
          "  -x tables that each pair plays at (native)   -b broadcasts   -m bytes of a message\n"
          "  -U file with an address for each connection (colyseus)\n");
  exit(2);
}

static void read_options(int count, char **words) {
  int letter;
  while ((letter = getopt(count, words, "k:p:c:t:w:r:Lx:b:m:U:")) != -1) {
    switch (letter) {
      case 'k': options.protocol_name = optarg; break;
      case 'p': options.port = atoi(optarg); break;
      case 'c': options.connections = atoi(optarg); break;
      case 't': options.seconds = atof(optarg); break;
      case 'w': options.warm_seconds = atof(optarg); break;
      case 'r': options.moves_per_second = atof(optarg); break;
      case 'L': options.long_games = true; break;
      case 'x': options.tables_per_pair = atoi(optarg); break;
      case 'b': options.broadcasts = atoi(optarg); break;
      case 'm': options.message_bytes = atoi(optarg); break;
      case 'U': options.paths_file = optarg; break;
      default: usage();
    }
  }
  for (size_t i = 0; options.protocol_name && i < sizeof protocols / sizeof *protocols; i++)
    if (!strcmp(protocols[i]->name, options.protocol_name)) protocol = protocols[i];
  bool fits = options.connections > 0 && options.tables_per_pair > 0 &&
              options.message_bytes > 0 && options.message_bytes <= MESSAGE_MAX;
  if (!protocol || !options.port || !fits) usage();
}

static void read_paths(void) {
  FILE *file = fopen(options.paths_file, "r");
  char line[1024];
  if (!file) die("cannot read %s", options.paths_file);
  for (int i = 0; i < options.connections; i++) {
    if (!fgets(line, sizeof line, file)) die("%s has %d addresses only", options.paths_file, i);
    line[strcspn(line, "\r\n")] = 0;
    conns[i].path = strdup(line);
  }
  fclose(file);
}

int main(int count, char **words) {
  if (count < 2) usage();
  read_options(count - 1, words + 1);
  epoll_fd = epoll_create1(0);
  room_count = (options.connections + 1) / 2 * options.tables_per_pair;
  conns = calloc(options.connections, sizeof *conns);
  rooms = calloc(room_count, sizeof *rooms);
  if (!conns || !rooms) die("no memory");
  for (int i = 0; i < options.connections; i++) {
    conns[i].room = i / 2;
    conns[i].seat = i % 2;
  }
  if (options.paths_file) read_paths();
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    if (strcmp(modes[i].name, words[1])) continue;
    modes[i].run();
    return errors || mismatches ? 1 : 0;
  }
  usage();
}
