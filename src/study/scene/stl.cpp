#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "study/scene/parts.hpp"

// STL, as text (solid, facet normal, outer loop, vertex, ...) or binary (80 bytes that say nothing, a count, 50 bytes a
// triangle). Normals are left out: the corners' order says them.

namespace dalembert {
namespace {

// A page holds every corner: more would make it slow to open.
constexpr std::size_t mesh_triangles = 50'000;
constexpr std::uintmax_t mesh_file_size = 32'000'000;  // bytes
constexpr std::size_t header = 84, record = 50;

class StlReader {
 public:
  StlReader(const Model& model, const Shape& shape) : model_(model), shape_(shape) {}

  SceneMesh read() {
    std::error_code error;
    if (!std::filesystem::is_regular_file(shape_.file, error))
      refuse("is not a file that can be read", "write a path from the model file's folder");
    if (std::filesystem::file_size(shape_.file, error) > mesh_file_size || error)
      refuse(fmt::format("has more than {} bytes (limit `mesh_file_size`)", mesh_file_size), "use a coarser mesh");
    std::ifstream stream(shape_.file, std::ios::binary);
    std::stringstream bytes;
    bytes << stream.rdbuf();
    if (!stream.is_open()) refuse("cannot be read", "look at its permissions");
    bytes_ = bytes.str();
    // A text may begin like a binary file and the other way round; only the length is sure.
    const std::optional<std::size_t> count = binary_count();
    SceneMesh mesh = count ? read_binary(*count) : read_text();
    if (mesh.empty()) refuse("has no triangles", "expected an STL file, text or binary");
    return mesh;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& remedy) const {
    throw InputError({model_.file, shape_.place, fmt::format("shapes.{}.file", shape_.name),
                      fmt::format("{} {}", shape_.file, problem), remedy});
  }
  void check_count(std::size_t count) const {
    if (count > mesh_triangles)
      refuse(fmt::format("has more than {} triangles (limit `mesh_triangles`)", mesh_triangles), "use a coarser mesh");
  }

  std::uint32_t word(std::size_t at) const {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value |= std::uint32_t{static_cast<unsigned char>(bytes_[at + k])} << (8 * k);
    return value;
  }
  std::optional<std::size_t> binary_count() const {
    if (bytes_.size() < header) return {};
    const std::size_t count = word(header - 4);
    if (bytes_.size() != header + record * count) return {};
    return count;
  }
  SceneMesh read_binary(std::size_t count) const {
    check_count(count);
    SceneMesh mesh;
    mesh.reserve(3 * count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        MeshCorner corner;
        for (std::size_t c = 0; c < 3; ++c)
          corner[c] = std::bit_cast<float>(word(header + record * i + 12 + 12 * k + 4 * c));
        add(mesh, corner);
      }
    return mesh;
  }

  std::string_view next_word() {
    constexpr std::string_view space = " \t\r\n";
    const std::size_t from = std::min(bytes_.find_first_not_of(space, at_), bytes_.size());
    at_ = std::min(bytes_.find_first_of(space, from), bytes_.size());
    return std::string_view(bytes_).substr(from, at_ - from);
  }
  /// Every "vertex x y z"; three in each loop, and nothing but STL's words around them.
  SceneMesh read_text() {
    if (next_word() != "solid")
      refuse("is not an STL file", "it begins with `solid`, or has 84 bytes and 50 for each of its triangles");
    at_ = std::min(bytes_.find('\n', at_), bytes_.size());  // a name may follow
    SceneMesh mesh;
    for (std::string_view word = next_word(); word != "endsolid"; word = next_word()) {
      if (word != "facet") refuse_word(word, "facet");
      expect("normal");
      read_corner();
      expect("outer");
      expect("loop");
      for (int k = 0; k < 3; ++k) {
        expect("vertex");
        add(mesh, read_corner());
      }
      expect("endloop");
      expect("endfacet");
      check_count(mesh.size() / 3);
    }
    return mesh;
  }
  void expect(std::string_view expected) {
    if (const std::string_view word = next_word(); word != expected) refuse_word(word, expected);
  }
  [[noreturn]] void refuse_word(std::string_view word, std::string_view expected) const {
    const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    refuse(fmt::format("has {} at line {}", word.empty() ? "its end" : fmt::format("'{:.20}'", word), line),
           fmt::format("expected `{}`", expected));
  }
  MeshCorner read_corner() {
    MeshCorner corner{};
    for (float& part : corner) {
      const std::string_view word = next_word();
      const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), part);
      if (error != std::errc() || end != digits.data() + digits.size()) refuse_word(word, "a number");
    }
    return corner;
  }
  void add(SceneMesh& mesh, const MeshCorner& corner) const {
    for (float part : corner)
      if (!std::isfinite(part)) refuse("has a corner that is not finite", "expected numbers");
    mesh.push_back(corner);
  }

  const Model& model_;
  const Shape& shape_;
  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace

SceneMesh read_stl(const Model& model, const Shape& shape) { return StlReader(model, shape).read(); }

}  // namespace dalembert
