#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "program/native.hpp"

namespace dalembert {

void fill_masks(double* block) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    block[Masks::sign_bit + lane] = -0.0;
    block[Masks::magnitude + lane] = std::bit_cast<double>(~std::uint64_t{0} >> 1);
    block[Masks::one + lane] = 1;
  }
}

ExecutableMemory::ExecutableMemory(std::span<const std::uint8_t> code) {
  auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t mapped = (code.size() + page - 1) / page * page;
  void* memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  std::memcpy(memory, code.data(), code.size());
  if (mprotect(memory, mapped, PROT_READ | PROT_EXEC) != 0) {
    munmap(memory, mapped);
    return;
  }
  memory_ = memory;
  size_ = code.size();
  mapped_ = mapped;
}

ExecutableMemory::~ExecutableMemory() {
  if (memory_ != nullptr) munmap(memory_, mapped_);
}

ExecutableMemory::ExecutableMemory(ExecutableMemory&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

ExecutableMemory& ExecutableMemory::operator=(ExecutableMemory&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

}  // namespace dalembert
