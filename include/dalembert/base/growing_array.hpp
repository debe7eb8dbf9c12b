#pragma once
// Memory that grows to hundreds of megabytes without being copied.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace dalembert {

/// A vector of plain data that is only added to. It grows by realloc: the system moves pages of large blocks to another
/// address, where a vector has new ones made, filled from the old and these given back, time after time.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  GrowingArray() = default;
  /// A copy is made to be added to: with room, else the first element would move everything once more.
  GrowingArray(const GrowingArray& other) {
    if (other.size_ == 0) return;
    set_capacity(other.size_ + other.size_ / 2);
    std::memcpy(data_, other.data_, other.size_ * sizeof(T));
    size_ = other.size_;
  }
  GrowingArray& operator=(const GrowingArray&) = delete;
  ~GrowingArray() { std::free(data_); }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

  void push_back(T value) {
    if (size_ == capacity_) set_capacity(2 * size_ + 64);
    data_[size_++] = value;
  }

 private:
  void set_capacity(std::size_t capacity) {
    void* moved = std::realloc(data_, capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace dalembert
