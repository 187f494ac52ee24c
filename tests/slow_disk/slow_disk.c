/* A slow disk: opening a file or folder below SLOW_FOLDER, asking for its size, and reading it for the first time take
   SLOW_MILLISECONDS each, while the file SLOW_SWITCH exists. Preloaded into the program. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define MOST_FILES 4096

/* Whether the file of this number is slow and was not read. */
static volatile char unread[MOST_FILES];

/* The function behind ours. */
#define BEHIND(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_slow(int folder, const char *path) {
  const char *slow = getenv("SLOW_FOLDER");
  const char *on = getenv("SLOW_SWITCH");
  if (path == NULL || slow == NULL || on == NULL || syscall(SYS_access, on, F_OK) != 0) return 0;
  char full[8192];
  if (path[0] == '/' || folder == AT_FDCWD) {
    snprintf(full, sizeof full, "%s", path);
  } else {
    char link[64], place[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, place, sizeof place - 1);
    if (length < 0) return 0;
    place[length] = 0;
    snprintf(full, sizeof full, "%s/%s", place, path);
  }
  return strncmp(full, slow, strlen(slow)) == 0;
}

static void delay(void) {
  const char *text = getenv("SLOW_MILLISECONDS");
  long milliseconds = text == NULL ? 0 : atol(text);
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static int opened(int file, int slow) {
  if (file >= 0 && file < MOST_FILES) unread[file] = (char)slow;
  return file;
}

#define OPEN(name)                                                                      \
  int name(const char *path, int flags, ...) {                                          \
    va_list rest;                                                                       \
    va_start(rest, flags);                                                              \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;             \
    va_end(rest);                                                                       \
    int slow = is_slow(AT_FDCWD, path);                                                 \
    if (slow) delay();                                                                  \
    return opened(BEHIND(name)(path, flags, mode), slow);                               \
  }
OPEN(open)
OPEN(open64)

#define OPEN_AT(name)                                                                   \
  int name(int folder, const char *path, int flags, ...) {                              \
    va_list rest;                                                                       \
    va_start(rest, flags);                                                              \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;             \
    va_end(rest);                                                                       \
    int slow = is_slow(folder, path);                                                   \
    if (slow) delay();                                                                  \
    return opened(BEHIND(name)(folder, path, flags, mode), slow);                       \
  }
OPEN_AT(openat)
OPEN_AT(openat64)

DIR *opendir(const char *path) {
  if (is_slow(AT_FDCWD, path)) delay();
  return BEHIND(opendir)(path);
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict found) {
  if (path[0] != 0 && is_slow(folder, path)) delay();
  return BEHIND(statx)(folder, path, flags, mask, found);
}

ssize_t read(int file, void *buffer, size_t size) {
  if (file >= 0 && file < MOST_FILES && unread[file]) {
    unread[file] = 0;
    delay();
  }
  return BEHIND(read)(file, buffer, size);
}

int close(int file) {
  if (file >= 0 && file < MOST_FILES) unread[file] = 0;
  return BEHIND(close)(file);
}
