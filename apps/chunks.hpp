#pragma once
// The folder of a sweep's chunks: one file each, there whole or not at all.

#include <dalembert/report/sweep.hpp>
#include <fstream>

class ChunkFolder {
 public:
  /// Of so many chunks; `stamp` tells the study from others.
  ChunkFolder(std::string folder, std::string stamp, std::size_t runs, std::size_t chunks);

  std::size_t count() const { return chunks_; }
  dalembert::SweepRange range(std::size_t chunk) const;
  /// Throws InputError where the file there is another study's.
  bool has(std::size_t chunk) const;
  void write(std::size_t chunk, const dalembert::SweepResult& rows) const;
  /// Adds its rows; InputError where it is not there or not whole.
  void read(std::size_t chunk, dalembert::SweepResult& to) const;
  /// Makes the folder; InputError where that cannot be.
  void make() const;
  /// Removes the chunks, what broken-off runs left, and the folder where nothing else is in it.
  void remove() const;

 private:
  /// Nothing is open where the chunk is not there; InputError for a device, a pipe or a folder.
  std::ifstream open(std::size_t chunk) const;
  std::string path(std::size_t chunk) const;
  std::string stamp(std::size_t chunk) const;

  std::string folder_, stamp_;
  std::size_t runs_, chunks_;
};
