#include "memory.hpp"

#include <gmp.h>

#include <cstdlib>
#include <new>

namespace {

// GMP's own functions but for the end: it holds nothing that an exception on its way through would leave half done, and
// the only way from there is out of the program.
void* checked(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void throw_where_memory_ends() {
  mp_set_memory_functions(
      [](std::size_t size) { return checked(std::malloc(size)); },
      [](void* memory, std::size_t, std::size_t size) { return checked(std::realloc(memory, size)); },
      [](void* memory, std::size_t) { std::free(memory); });
}
