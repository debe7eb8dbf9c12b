#include "chunks.hpp"

#include <fmt/format.h>

#include <dalembert/report/report.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace dalembert;

ChunkFolder::ChunkFolder(std::string folder, std::string stamp, std::size_t runs, std::size_t chunks)
    : folder_(std::move(folder)), stamp_(std::move(stamp)), runs_(runs), chunks_(chunks) {}

SweepRange ChunkFolder::range(std::size_t chunk) const {
  const auto begin = [this](std::size_t k) { return k * (runs_ / chunks_) + std::min(k, runs_ % chunks_); };
  return {begin(chunk), begin(chunk + 1)};
}

std::string ChunkFolder::path(std::size_t chunk) const {
  return std::filesystem::path(folder_) / fmt::format("chunk-{:06}-of-{:06}.csv", chunk + 1, chunks_);
}

std::string ChunkFolder::stamp(std::size_t chunk) const { return fmt::format("{} {}/{}", stamp_, chunk + 1, chunks_); }

std::ifstream ChunkFolder::open(std::size_t chunk) const {
  std::error_code none;
  if (std::filesystem::exists(path(chunk), none) && !std::filesystem::is_regular_file(path(chunk), none))
    throw InputError({path(chunk), {}, "", "this is no ordinary file", "remove it, or give another --folder"});
  return std::ifstream(path(chunk), std::ios::binary);
}

bool ChunkFolder::has(std::size_t chunk) const {
  std::ifstream in = open(chunk);
  if (!in) return false;
  std::string line;
  std::getline(in, line);
  if (!is_chunk(line + "\n", stamp(chunk)))
    throw InputError({path(chunk),
                      {1, 0},
                      "",
                      "it was made by another study, or by this one before it was changed",
                      "remove the folder, or give another --folder"});
  return true;
}

void ChunkFolder::write(std::size_t chunk, const SweepResult& rows) const {
  write_file(path(chunk), write_chunk(rows, stamp(chunk)));
}

void ChunkFolder::read(std::size_t chunk, SweepResult& to) const {
  std::stringstream text;
  const std::ifstream in = open(chunk);
  if (!in) throw InputError({path(chunk), {}, "", "the chunk is not there", "run the command without --merge"});
  text << in.rdbuf();
  read_chunk(std::move(text).str(), path(chunk), stamp(chunk), to);
}

void ChunkFolder::make() const {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (!std::filesystem::is_directory(folder_, error))
    throw InputError({folder_, {}, "--folder", "the folder cannot be made", "give one that can, with --folder"});
}

void ChunkFolder::remove() const {
  std::error_code error;
  for (std::size_t chunk = 0; chunk < chunks_; ++chunk) std::filesystem::remove(path(chunk), error);
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(".dalembert-") && name.ends_with(".part")) std::filesystem::remove(entry.path(), error);
  }
  std::filesystem::remove(folder_, error);
}
