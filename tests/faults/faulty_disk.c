/* A disk that fails on command. Preloaded into a hall (LD_PRELOAD), it stands between the hall and
 * the files of one folder: it logs every change and every sync, and does what `struct control` says.
 * disk.py is the other side: it gives the commands, and works out from the log what a power cut
 * leaves. A change is logged before it is made, a sync after it has returned, so that a process that
 * is killed in between was told nothing that the log does not know.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FILES_MAX 65536
#define EXPORT __attribute__((visibility("default")))

/* As `Control` in disk.py has it. */
struct control {
    int64_t points;        /* changes and syncs so far */
    int64_t signal_at;     /* the point at which `signal` strikes the process */
    int64_t signal;
    int64_t signal_when;   /* BEFORE, HALF_WAY or AFTER the change */
    int64_t struck;        /* whether it has */
    int64_t write_failures; /* so many writes fail from now on, with `write_errno` */
    int64_t write_errno;
    int64_t sync_failures; /* so many syncs fail, and what they should have kept is lost: */
    int64_t sync_reverts;  /* at once, for whoever reads it, or else at the next power cut */
    int64_t sync_delay_ms;
    int64_t clock_ms;      /* how far the machine's clock is wrong */
};
enum { BEFORE, HALF_WAY, AFTER };
enum { WRITE = 1, TRUNCATE, SYNC, SYNC_FAILED, CREATE, LINK, UNLINK, SYNC_FOLDER, OPEN };

/* What stands before each entry of the log; `length` bytes follow it. */
struct entry {
    int64_t kind, inode, place, length;
};

/* What a change has overwritten, the newest first: for a sync that fails and reverts. */
struct undo {
    struct undo *older;
    ino_t inode;
    off_t logged_at, size, offset;
    size_t length;
    char bytes[];
};

static struct control *control;
static const char *folder;
static size_t folder_length;
static int log_file = -1;
static off_t log_length;
static struct undo *undos;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int tracked; ino_t inode; } files[FILES_MAX];
static const int THE_FOLDER = 2;

static int (*real_openat)(int, const char *, int, ...);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_close)(int);
static int (*real_unlink)(const char *);
static int (*real_link)(const char *, const char *);
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void find_the_real_ones(void) {
    real_openat = dlsym(RTLD_NEXT, "openat");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_close = dlsym(RTLD_NEXT, "close");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_link = dlsym(RTLD_NEXT, "link");
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

static void fail_loudly(const char *what) {
    real_write(2, what, strlen(what));
    abort();
}

/* Whether there are commands. Looked up late, since a forked hall has its environment late. */
static int commanded(void) {
    if (control) return 1;
    const char *control_path = getenv("FAULTY_DISK_CONTROL");
    const char *log_path = getenv("FAULTY_DISK_LOG");
    const char *path = getenv("FAULTY_DISK_FOLDER");
    if (!control_path || !log_path || !path) return 0;
    pthread_mutex_lock(&lock);
    if (!control) {
        folder = strdup(path);
        folder_length = strlen(folder);
        log_file = real_openat(AT_FDCWD, log_path, O_WRONLY | O_APPEND | O_CLOEXEC);
        int file = real_openat(AT_FDCWD, control_path, O_RDWR | O_CLOEXEC);
        if (log_file < 0 || file < 0) fail_loudly("faulty disk: it has no control or no log\n");
        log_length = lseek(log_file, 0, SEEK_END);
        void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped == MAP_FAILED) fail_loudly("faulty disk: its control cannot be read\n");
        real_close(file);
        control = mapped;
    }
    pthread_mutex_unlock(&lock);
    return 1;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && !strcmp(text + length - end_length, end);
}

/* The name of a file in the folder, or NULL for one that does not matter: another's, a lock, or
 * SQLite's index of its log, which is mapped and made anew after a crash. */
static const char *name_of(const char *path) {
    if (!commanded() || strncmp(path, folder, folder_length)) return NULL;
    if (path[folder_length] != '/') return NULL;
    if (ends_with(path, "-shm") || ends_with(path, "in-use")) return NULL;
    return path + folder_length + 1;
}

static int is_tracked(int fd) {
    return fd >= 0 && fd < FILES_MAX && files[fd].tracked;
}

/* With the lock. */
static void note(int64_t kind, ino_t inode, int64_t place, const void *bytes, size_t length) {
    struct entry entry = {kind, inode, place, length};
    struct iovec parts[] = {{&entry, sizeof entry}, {(void *)bytes, length}};
    if (writev(log_file, parts, 2) != (ssize_t)(sizeof entry + length))
        fail_loudly("faulty disk: its own log cannot be written\n");
    log_length += sizeof entry + length;
}

static void strike(void) {
    control->struck = 1;
    /* At this thread: one that stops the process would let it run on for a moment otherwise. */
    raise(control->signal);
}

static int64_t begin_point(void) {
    int64_t point = __atomic_add_fetch(&control->points, 1, __ATOMIC_SEQ_CST);
    if (point == control->signal_at && control->signal_when == BEFORE) strike();
    return point;
}

static void end_point(int64_t point) {
    if (point == control->signal_at && !control->struck) strike();
}

/* Takes one of a number of failures, if there is any left. */
static int taken(int64_t *left) {
    int64_t now = *left;
    while (now > 0)
        if (__atomic_compare_exchange_n(left, &now, now - 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return 1;
    return 0;
}

/* With the lock, before the change is logged. */
static void remember(int fd, off_t offset, size_t length) {
    struct stat now;
    fstat(fd, &now);
    struct undo *undo = malloc(sizeof *undo + length);
    ssize_t there = pread(fd, undo->bytes, length, offset);
    undo->length = there > 0 ? there : 0;
    undo->inode = files[fd].inode;
    undo->logged_at = log_length;
    undo->offset = offset;
    undo->size = now.st_size;
    undo->older = undos;
    undos = undo;
}

/* With the lock. Forgets the changes that a sync has kept, or takes them back. */
static void settle(int fd, off_t upto, int revert) {
    for (struct undo **place = &undos; *place;) {
        struct undo *undo = *place;
        if (undo->inode != files[fd].inode || undo->logged_at >= upto) {
            place = &undo->older;
            continue;
        }
        if (revert) {
            real_pwrite(fd, undo->bytes, undo->length, undo->offset);
            real_ftruncate(fd, undo->size);
        }
        *place = undo->older;
        free(undo);
    }
}

static ssize_t change(int fd, const void *bytes, size_t length, off_t offset) {
    static __thread int was_short;
    int64_t point = begin_point();
    if (control->write_failures > 0 && control->write_errno == ENOSPC && length > 1 && !was_short) {
        was_short = 1; /* A disk that fills up takes a part of it. */
        length /= 2;
    } else if (taken(&control->write_failures)) {
        was_short = 0;
        errno = control->write_errno;
        return -1;
    }
    if (point == control->signal_at && control->signal_when == HALF_WAY && length > 1) length /= 2;
    pthread_mutex_lock(&lock);
    remember(fd, offset, length);
    note(WRITE, files[fd].inode, offset, bytes, length);
    ssize_t written = real_pwrite(fd, bytes, length, offset);
    pthread_mutex_unlock(&lock);
    end_point(point);
    return written;
}

EXPORT ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    return is_tracked(fd) ? change(fd, bytes, length, offset)
                          : real_pwrite(fd, bytes, length, offset);
}

EXPORT ssize_t write(int fd, const void *bytes, size_t length) {
    if (!is_tracked(fd)) return real_write(fd, bytes, length);
    ssize_t written = change(fd, bytes, length, lseek(fd, 0, SEEK_CUR));
    if (written > 0) lseek(fd, written, SEEK_CUR);
    return written;
}

EXPORT int ftruncate(int fd, off_t size) {
    if (!is_tracked(fd)) return real_ftruncate(fd, size);
    int64_t point = begin_point();
    pthread_mutex_lock(&lock);
    struct stat now;
    fstat(fd, &now);
    remember(fd, size, now.st_size > size ? now.st_size - size : 0);
    note(TRUNCATE, files[fd].inode, size, NULL, 0);
    int answer = real_ftruncate(fd, size);
    pthread_mutex_unlock(&lock);
    end_point(point);
    return answer;
}

EXPORT int fsync(int fd) {
    if (!is_tracked(fd)) return real_fsync(fd);
    int64_t point = begin_point();
    pthread_mutex_lock(&lock);
    off_t upto = log_length; /* What others change meanwhile is not in it. */
    pthread_mutex_unlock(&lock);
    if (control->sync_delay_ms) usleep(control->sync_delay_ms * 1000);
    int failed = taken(&control->sync_failures);
    pthread_mutex_lock(&lock);
    if (files[fd].tracked == THE_FOLDER) {
        if (!failed) note(SYNC_FOLDER, 0, upto, NULL, 0);
    } else {
        settle(fd, upto, failed && control->sync_reverts);
        note(failed ? SYNC_FAILED : SYNC, files[fd].inode, upto, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    end_point(point);
    if (failed) errno = EIO;
    return failed ? -1 : 0;
}

EXPORT int fdatasync(int fd) {
    return fsync(fd);
}

static int opened(int where, const char *path, int flags, mode_t mode) {
    const char *name = name_of(path);
    int is_new = name && (flags & O_CREAT) && access(path, F_OK);
    int fd = real_openat(where, path, flags, mode);
    if (fd < 0 || fd >= FILES_MAX) return fd;
    int is_folder = !name && commanded() && !strcmp(path, folder);
    files[fd].tracked = name ? 1 : is_folder ? THE_FOLDER : 0;
    if (!name) return fd;
    struct stat now;
    fstat(fd, &now);
    files[fd].inode = now.st_ino;
    pthread_mutex_lock(&lock);
    /* One that is there may be another's: SQLite makes its log for whoever only reads, too. */
    note(is_new ? CREATE : OPEN, now.st_ino, 0, name, strlen(name));
    if (flags & O_TRUNC) note(TRUNCATE, now.st_ino, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return fd;
}

EXPORT int openat(int where, const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return opened(where, path, flags, mode);
}

EXPORT int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return opened(AT_FDCWD, path, flags, mode);
}

EXPORT int close(int fd) {
    if (is_tracked(fd)) files[fd].tracked = 0;
    return real_close(fd);
}

EXPORT int unlink(const char *path) {
    const char *name = name_of(path);
    if (!name || access(path, F_OK)) return real_unlink(path);
    int64_t point = begin_point();
    pthread_mutex_lock(&lock);
    note(UNLINK, 0, 0, name, strlen(name));
    int answer = real_unlink(path);
    pthread_mutex_unlock(&lock);
    end_point(point);
    return answer;
}

EXPORT int link(const char *from, const char *path) {
    const char *name = name_of(path);
    int answer = real_link(from, path);
    struct stat now;
    if (name && !answer && !stat(path, &now)) {
        pthread_mutex_lock(&lock);
        note(LINK, now.st_ino, 0, name, strlen(name));
        pthread_mutex_unlock(&lock);
    }
    return answer;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time) {
    int answer = real_clock_gettime(clock, time);
    if (!answer && clock == CLOCK_REALTIME && commanded()) time->tv_sec += control->clock_ms / 1000;
    return answer;
}

/* The same calls, as programs name them that were built for large files. */
EXPORT int open64(const char *, int, ...) __attribute__((alias("open")));
EXPORT int openat64(int, const char *, int, ...) __attribute__((alias("openat")));
EXPORT ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));
EXPORT int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));
