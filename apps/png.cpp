#include "png.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <dalembert/base/error.hpp>

using namespace dalembert;

namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw InputError({"", {}, "--output", problem, "install librsvg2-bin, or write an .svg file"});
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse("a PNG needs rsvg-convert, which cannot be started");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

pid_t start(const Pipe& in, const Pipe& out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  std::string program = "rsvg-convert", format = "--format=png", zoom = "--zoom=2";
  std::array<char*, 4> arguments{program.data(), format.data(), zoom.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) refuse("a PNG needs the program rsvg-convert, which is not installed");
  return child;
}

/// All of it is read by the program before it writes.
void feed(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // its exit status says why
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string read_all(int descriptor) {
  std::string bytes;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string make_png(const std::string& svg) {
  Pipe in, out;
  const pid_t child = start(in, out);
  in.close(0);
  out.close(1);
  feed(in.ends[1], svg);
  in.close(1);
  std::string bytes = read_all(out.ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || bytes.empty())
    refuse("rsvg-convert could not draw the picture as a PNG");
  return bytes;
}
