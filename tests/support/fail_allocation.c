/* Preloaded into the command: from main on, the allocation numbered FAIL_ALLOCATION (from 1) and, where
   FAIL_ALLOCATIONS_AFTER is set, all after it find no memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

static long left = -1; /* none fails before main */
static int all_after;
static int (*real_main)(int, char**, char**);

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static int fails(void) {
  if (left < 0) return 0;
  if (left > 1) {
    --left;
    return 0;
  }
  if (!all_after) left = -1;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) { return fails() ? NULL : __libc_realloc(memory, size); }
void* aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void* memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (fails()) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

static int main_with_failures(int count, char** values, char** environment) {
  const char* number = getenv("FAIL_ALLOCATION");
  all_after = getenv("FAIL_ALLOCATIONS_AFTER") != NULL;
  left = number == NULL ? -1 : atol(number);
  int status = real_main(count, values, environment);
  left = -1;
  return status;
}

int __libc_start_main(int (*main)(int, char**, char**), int count, char** values, void (*first)(void), void (*last)(void),
                      void (*loader)(void), void* stack) {
  int (*real)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  *(void**)&real = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return real(main_with_failures, count, values, first, last, loader, stack);
}
