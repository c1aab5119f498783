/* Time, chance, the delays that were seen, and the report of a run. */
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static uint64_t began_ns;
static double began_cpu;

uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * SECOND_NS + time.tv_nsec;
}

/* Xorshift with a fixed seed: every run plays the same games. */
uint64_t chance(void) {
  static uint64_t state = 88172645463325252ULL;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

double cpu_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_utime.tv_sec + used.ru_stime.tv_sec +
         (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

void keep(Samples *samples, uint64_t ns) {
  if (samples->count == samples->capacity) {
    samples->capacity = samples->capacity ? samples->capacity * 2 : 1 << 16;
    samples->ns = realloc(samples->ns, samples->capacity * sizeof *samples->ns);
    if (!samples->ns) die("no memory for samples");
  }
  samples->ns[samples->count++] = ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

static int compare(const void *one, const void *other) {
  uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
  return a < b ? -1 : a > b;
}

double percentile_us(Samples *samples, double share) {
  if (!samples->count) return 0;
  qsort(samples->ns, samples->count, sizeof *samples->ns, compare);
  return samples->ns[(size_t)((samples->count - 1) * share)] / 1e3;
}

/* The line tells the runner to look at the server's processor time: what was before is warm-up. */
void begin_counting(void) {
  printf("begin\n");
  fflush(stdout);
  began_ns = now_ns();
  began_cpu = cpu_seconds();
}

/* One line of JSON. The format adds members, each with a comma before it. */
void report(Samples *samples, long total, const char *format, ...) {
  double seconds = (now_ns() - began_ns) / 1e9, busy = (cpu_seconds() - began_cpu) / seconds;
  printf("{\"seconds\":%.4f,\"total\":%ld,\"rate\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,"
         "\"max_us\":%.1f,\"busy\":%.3f,\"errors\":%ld,\"mismatches\":%ld",
         seconds, total, total / seconds, percentile_us(samples, 0.5), percentile_us(samples, 0.99),
         percentile_us(samples, 1), busy, errors, mismatches);
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  printf("}\n");
  fflush(stdout);
}

void die(const char *format, ...) {
  int number = errno;
  fprintf(stderr, "generator: ");
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, number ? " (%s)\n" : "\n", strerror(number));
  exit(2);
}
