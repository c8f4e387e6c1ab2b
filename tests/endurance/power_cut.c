/* A disk that forgets what it was not asked to keep; loaded before libc, for files below CUT_ROOT.

   Every fsync copies the file to CUT_SHADOW/<inode>, and of a folder the names in it: that is what a
   disk has after a power cut. Nothing is really synced, so that thousands of cuts take seconds.
   `cut_at(n)` kills the process at the n-th change; a write is torn in the middle. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long changes, last = -1;

void cut_at(long number) { changes = 0; last = number; }
long cut_changes(void) { return changes; }

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static int below_root(const char *path) {
    const char *root = getenv("CUT_ROOT");
    return root && !strncmp(path, root, strlen(root));
}

static int watched(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    return below_root(path);
}

static int due(void) { return ++changes == last; }
static void die(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

static void keep_inode(const char *path) {
    /* A link, so that no later file gets the number of one that a disk may still have. */
    struct stat s;
    char kept[4096];
    if (stat(path, &s)) return;
    snprintf(kept, sizeof kept, "%s/kept-%lu", getenv("CUT_SHADOW"), (unsigned long)s.st_ino);
    link(path, kept);
}

static void keep(int fd) {
    static ssize_t (*real_write)(int, const void *, size_t);
    if (!real_write) real_write = next("write");
    struct stat s;
    char link[64], part[4096], done[4096], buffer[65536];
    if (fstat(fd, &s)) return;
    const char *kind = S_ISDIR(s.st_mode) ? ".names" : "";
    snprintf(done, sizeof done, "%s/%lu%s", getenv("CUT_SHADOW"), (unsigned long)s.st_ino, kind);
    snprintf(part, sizeof part, "%s.part", done);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int out = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (S_ISDIR(s.st_mode)) {
        DIR *folder = opendir(link);
        struct dirent *entry;
        while (folder && (entry = readdir(folder))) {
            int n = snprintf(buffer, sizeof buffer, "%lu %s\n", (unsigned long)entry->d_ino,
                             entry->d_name);
            real_write(out, buffer, n);
        }
        if (folder) closedir(folder);
    } else {
        int in = open(link, O_RDONLY);
        ssize_t n;
        while ((n = read(in, buffer, sizeof buffer)) > 0) real_write(out, buffer, n);
        close(in);
    }
    close(out);
    static int (*real_rename)(const char *, const char *);
    if (!real_rename) real_rename = next("rename");
    real_rename(part, done);
}

static int sync_it(int fd) {
    if (!watched(fd)) return 0;
    if (due()) die();
    keep(fd);
    return 0;
}

int fsync(int fd) { return sync_it(fd); }
int fdatasync(int fd) { return sync_it(fd); }

#define PWRITE(name, offset_t)                                                                   \
    ssize_t name(int fd, const void *data, size_t size, offset_t place) {                        \
        static ssize_t (*real)(int, const void *, size_t, offset_t);                             \
        if (!real) real = next(#name);                                                           \
        if (watched(fd) && due()) { real(fd, data, size / 2, place); die(); }                    \
        return real(fd, data, size, place);                                                      \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = next("write");
    if (watched(fd) && due()) { real(fd, data, size / 2); die(); }
    return real(fd, data, size);
}

#define TRUNCATE(name, offset_t)                                                                 \
    int name(int fd, offset_t size) {                                                            \
        static int (*real)(int, offset_t);                                                       \
        if (!real) real = next(#name);                                                           \
        if (watched(fd) && due()) die();                                                         \
        return real(fd, size);                                                                   \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real) real = next("rename");
    if (below_root(to)) { if (due()) die(); keep_inode(to); }
    return real(from, to);
}

int renameat(int from_place, const char *from, int to_place, const char *to) {
    static int (*real)(int, const char *, int, const char *);
    if (!real) real = next("renameat");
    if (watched(to_place)) {
        char link[64], folder[4096], path[8192];
        snprintf(link, sizeof link, "/proc/self/fd/%d", to_place);
        ssize_t n = readlink(link, folder, sizeof folder - 1);
        if (due()) die();
        folder[n < 0 ? 0 : n] = 0;
        snprintf(path, sizeof path, "%s/%s", folder, to);
        keep_inode(path);
    }
    return real(from_place, from, to_place, to);
}

int unlink(const char *path) {
    static int (*real)(const char *);
    if (!real) real = next("unlink");
    if (below_root(path)) { if (due()) die(); keep_inode(path); }
    return real(path);
}
