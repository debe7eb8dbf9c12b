#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <dalembert/report/report.hpp>
#include <filesystem>
#include <utility>

#include "report/hdf5_library.hpp"

namespace dalembert {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& problem, const std::string& remedy) {
  throw InputError({path, {}, "", problem, remedy});
}

/// Nothing has been written yet: another place is the user's to choose.
[[noreturn]] void refuse(const std::string& path, int error) {
  std::string remedy = "choose a place that can be written to";
  if (error == ENOENT) remedy = "its folder does not exist: create it first, or choose another";
  if (error == EACCES || error == EPERM || error == EROFS) remedy = "there is no permission to write there";
  if (error == ENOSPC || error == EDQUOT) remedy = "make room, or choose another place";
  if (error == EISDIR) remedy = "it is a folder: add a file's name";
  if (error == ENAMETOOLONG) remedy = "choose a shorter name";
  refuse(path, fmt::format("cannot be written ({})", std::strerror(error)), remedy);
}

/// Writing began and could not be ended.
[[noreturn]] void fail(const std::string& path, int error, const std::string& left) {
  std::string problem = fmt::format("could not be written to the end ({})", std::strerror(error));
  throw OutputError({path, {}, "", problem, "make room or choose another place; " + left});
}

/// A file that is open, closed when it goes.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

  /// Writes all of it, also where it goes in parts. 0, or the error.
  int write(std::string_view contents) const {
    while (!contents.empty()) {
      ssize_t written = ::write(descriptor_, contents.data(), contents.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      contents.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }
  /// A file system may tell only here that the disk is full.
  int close() { return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno; }

 private:
  int descriptor_;
};

/// Where the contents go, links followed.
struct Target {
  std::string path;
  bool exists = false, is_regular = true;
  mode_t mode = 0;
};

/// A link that somebody else laid (in a folder for all) would let them choose which of our files is overwritten.
void check_link(const std::string& path) {
  struct stat link {
  }, file{};
  if (::lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return;
  if (link.st_uid != ::geteuid() && link.st_uid != 0)
    refuse(path, "it is a link that another user made", "remove it, or choose another name");
  if (::stat(path.c_str(), &file) != 0 && errno == ENOENT)
    refuse(path, "it is a link to a file that does not exist", "remove the link, or choose another name");
}

Target find_target(const std::string& path) {
  if (path.empty()) refuse("", "the name of the file to write is empty", "give one, as motion.csv");
  check_link(path);
  struct stat existing {};
  if (::stat(path.c_str(), &existing) != 0) {
    if (errno != ENOENT) refuse(path, errno);
    return {path};
  }
  if (S_ISDIR(existing.st_mode)) refuse(path, EISDIR);
  if (::access(path.c_str(), W_OK) != 0) refuse(path, errno);
  std::error_code error;
  std::string real = std::filesystem::canonical(path, error).string();
  return {error ? path : real, true, S_ISREG(existing.st_mode), existing.st_mode & 0777};
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number)
    number = static_cast<std::uint64_t>(::getpid()) << 32 | static_cast<std::uint64_t>(::clock());
  return number;
}

/// A new file beside the target, removed again unless it takes the target's place.
class Temporary {
 public:
  Temporary(const std::string& path, const Target& target) : target_(target), file_(open(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  /// 0, or the error.
  int fill(std::string_view contents) {
    int error = file_.write(contents);
    if (error == 0 && target_.exists && ::fchmod(file_.descriptor(), target_.mode) != 0) error = errno;
    if (error == 0 && ::fsync(file_.descriptor()) != 0) error = errno;
    if (int closing = file_.close(); error == 0) error = closing;
    if (error == 0 && ::rename(name_.c_str(), target_.path.c_str()) != 0) error = errno;
    if (error == 0) name_.clear();
    return error;
  }

 private:
  /// O_EXCL follows no link and takes nothing that is there already.
  OpenFile open(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(target_.path).parent_path();
    constexpr int attempts = 100;
    for (int i = 0; i < attempts; ++i) {
      std::string name = folder / fmt::format(".dalembert-{:016x}.part", random_number());
      int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (descriptor < 0 && errno == EEXIST) continue;
      if (descriptor < 0) refuse(path, errno);
      name_ = std::move(name);
      return OpenFile(descriptor);
    }
    refuse(path, EEXIST);
  }

  const Target& target_;
  std::string name_;
  OpenFile file_;
};

void write_directly(const std::string& path, std::string_view contents) {
  OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.descriptor() < 0) refuse(path, errno);
  int error = file.write(contents);
  if (int closing = file.close(); error == 0) error = closing;
  if (error != 0) fail(path, error, "what came through is not whole");
}

}  // namespace

void write_file(const std::string& path, std::string_view contents) {
  const Target target = find_target(path);
  if (!target.is_regular) return write_directly(path, contents);
  if (int error = Temporary(path, target).fill(contents); error != 0)
    fail(path, error, target.exists ? "the file is as it was before" : "nothing was left there");
}

void try_file(const std::string& path) {
  if (file_kind(path) == FileKind::hdf5) hdf5_library();
  const Target target = find_target(path);
  if (target.is_regular) Temporary(path, target);
}

FileKind file_kind(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") return FileKind::csv;
  if (extension == ".json") return FileKind::json;
  if (extension == ".h5" || extension == ".hdf5") return FileKind::hdf5;
  if (extension == ".svg") return FileKind::svg;
  if (extension == ".png") return FileKind::png;
  if (extension == ".html" || extension == ".htm") return FileKind::html;
  const std::string known = "expected .csv, .json, .h5, .svg, .png or .html";
  if (extension.empty()) throw InputError({path, {}, "", "the kind of file is not known without an extension", known});
  throw InputError({path, {}, "", fmt::format("the extension {} is not known", extension), known});
}

}  // namespace dalembert
