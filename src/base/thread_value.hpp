#pragma once
// What a thread has and gives back when it ends. A thread_local object with a destructor takes memory where the thread
// first comes by it, and glibc ends the program where there is none; here that is an exception.

#include <pthread.h>

#include <new>

namespace dalembert {

/// One for the program: what the calling thread has set, handed to `end` at that thread's end (the main thread's goes
/// with the program).
class ThreadValue {
 public:
  explicit ThreadValue(void (*end)(void*)) {
    if (::pthread_key_create(&key_, end) != 0) throw std::bad_alloc();
  }
  void* get() const { return ::pthread_getspecific(key_); }
  void set(void* value) const {
    if (::pthread_setspecific(key_, value) != 0) throw std::bad_alloc();
  }

 private:
  pthread_key_t key_{};
};

}  // namespace dalembert
