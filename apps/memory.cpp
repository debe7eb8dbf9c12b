#include "memory.hpp"

#include <flint/flint.h>
#include <gmp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>

#include "command.hpp"
#include "output.hpp"

namespace {

[[noreturn]] void end_program() {
  say_raw("dalembert: error: there is not enough memory; use a smaller model or fewer rows, or raise --limit-memory\n");
  ::_exit(static_cast<int>(ExitStatus::cannot_go_on));
}

// GMP's and FLINT's own functions but for the end: an exception would leave their numbers half made, and freeing those
// breaks the heap. No file is open where formulas are computed with.
void* checked(void* memory) {
  if (memory == nullptr) end_program();
  return memory;
}

/// What libraries do in functions that promise not to throw (a JSON value needs memory to be destroyed) ends here.
/// Where such a function is part of another the exception has not been caught, and only its number is known: nothing
/// but memory makes one there.
void end_without_memory() {
  if (!std::current_exception() && std::uncaught_exceptions() > 0) end_program();
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    end_program();
  } catch (...) {
  }
  std::abort();
}

}  // namespace

/// Formulas are walked by functions that call themselves: as deep as they may stand inside each other takes about
/// 1 MB.
void make_room_on_the_stack() {
  constexpr rlim_t enough = 4 << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= enough) return;
  limit.rlim_cur = std::min(limit.rlim_max, enough);
  if (limit.rlim_cur == enough && ::setrlimit(RLIMIT_STACK, &limit) == 0) return;
  say_raw("dalembert: error: the stack is too small; allow at least 4 MB, as ulimit -s 4096 does\n");
  ::_exit(static_cast<int>(ExitStatus::cannot_go_on));
}

void end_where_memory_ends() {
  std::set_terminate(end_without_memory);
  mp_set_memory_functions(
      [](std::size_t size) { return checked(std::malloc(size)); },
      [](void* memory, std::size_t, std::size_t size) { return checked(std::realloc(memory, size)); },
      [](void* memory, std::size_t) { std::free(memory); });
  __flint_set_memory_functions([](std::size_t size) { return checked(std::malloc(size)); },
                               [](std::size_t count, std::size_t size) { return checked(std::calloc(count, size)); },
                               [](void* memory, std::size_t size) { return checked(std::realloc(memory, size)); },
                               [](void* memory) { std::free(memory); });
}
