#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dalembert/base/failure.hpp>
#include <dalembert/base/printable.hpp>

using namespace dalembert;

namespace {

/// A pipe or terminal that another program made to refuse what it cannot take at once: waits until it can.
bool is_ready_later(int descriptor, int error) {
  if (error != EAGAIN) return false;
  pollfd waiting{descriptor, POLLOUT, 0};
  return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

/// 0, or the error.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && (errno == EINTR || is_ready_later(descriptor, errno))) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

[[noreturn]] void fail(int error) {
  if (error == EPIPE) {  // `| head` has read enough: end as other commands do, without a word
    ::signal(SIGPIPE, SIG_DFL);
    ::raise(SIGPIPE);
  }
  std::string remedy = error == ENOSPC || error == EDQUOT ? "make room; what came through is not whole"
                                                          : "write to a file with -o, or open it";
  throw OutputError(
      {"standard output", {}, "", fmt::format("cannot be written ({})", std::strerror(error)), std::move(remedy)});
}

}  // namespace

void open_streams() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  // Opened for reading, so that what is written there fails as it would have.
  for (int stream = 0; stream <= 2; ++stream)
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", O_RDONLY);
}

void put(std::string_view document) {
  if (int error = write_all(STDOUT_FILENO, document); error != 0) fail(error);
}

void put_text(std::string_view text) { put(printable_lines(text)); }

void try_standard_output() {
  int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail(EBADF);
}

void say(std::string_view message) { say_raw(printable_lines(message)); }

void say_raw(std::string_view message) { write_all(STDERR_FILENO, message); }

void try_output(const std::string& path, bool json, std::initializer_list<FileKind> kinds, const std::string& written,
                const std::string& remedy) {
  if (json || path.empty()) try_standard_output();
  if (path.empty()) return;
  if (std::ranges::find(kinds, file_kind(path)) == kinds.end()) throw InputError({path, {}, "-o", written, remedy});
  try_file(path);
}
