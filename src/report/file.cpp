#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <dalembert/report/report.hpp>
#include <filesystem>

namespace dalembert {
namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  std::string remedy = "choose a place that can be written to";
  if (error == ENOENT) remedy = "its folder does not exist: create it first, or choose another";
  if (error == EACCES || error == EPERM || error == EROFS) remedy = "there is no permission to write there";
  if (error == ENOSPC || error == EDQUOT) remedy = "make room, or choose another place; nothing was left there";
  if (error == EISDIR) remedy = "it is a folder: add a file's name";
  throw InputError({path, {}, "", fmt::format("cannot be written ({})", std::strerror(error)), remedy});
}

/// 0, or the error.
int write_all(int descriptor, std::string_view contents) {
  while (!contents.empty()) {
    ssize_t written = ::write(descriptor, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void write_directly(const std::string& path, std::string_view contents) {
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) refuse(path, errno);
  int error = write_all(descriptor, contents);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) refuse(path, error);
}

}  // namespace

void write_file(const std::string& path, std::string_view contents) {
  if (path.empty()) throw InputError({"", {}, "", "the name of the file to write is empty", "give one, as motion.csv"});
  struct stat existing {};
  bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) refuse(path, EISDIR);
  if (exists && !S_ISREG(existing.st_mode)) return write_directly(path, contents);
  if (exists && ::access(path.c_str(), W_OK) != 0) refuse(path, errno);

  // A link stays a link: the file that it leads to is replaced.
  std::error_code ignored;
  std::string target = exists ? std::filesystem::canonical(path, ignored).string() : path;
  if (target.empty()) target = path;
  std::string temporary = fmt::format("{}.{}.part", target, ::getpid());
  int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(path, errno);
  int error = write_all(descriptor, contents);
  if (error == 0 && exists && ::fchmod(descriptor, existing.st_mode & 0777) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    refuse(path, error);
  }
}

FileKind file_kind(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") return FileKind::csv;
  if (extension == ".json") return FileKind::json;
  if (extension == ".h5" || extension == ".hdf5") return FileKind::hdf5;
  if (extension == ".svg") return FileKind::svg;
  const std::string known = "expected .csv, .json, .h5 or .svg";
  if (extension == ".html" || extension == ".htm")
    throw InputError({path, {}, "", "pages (.html) are not available yet", known});
  if (extension.empty()) throw InputError({path, {}, "", "the kind of file is not known without an extension", known});
  throw InputError({path, {}, "", fmt::format("the extension {} is not known", extension), known});
}

}  // namespace dalembert
