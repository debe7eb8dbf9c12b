#pragma once
// The lines of a listing while it is made.

#include <dalembert/mechanics/listing.hpp>
#include <unordered_map>
#include <unordered_set>

#include "mechanics/listing/share.hpp"
#include "mechanics/listing/vec.hpp"

namespace dalembert {

class PartList {
 public:
  explicit PartList(const Model& model);

  /// A vector under a name, to be used in place of it; where its components are as short as a name, itself.
  Vec name_vector(NamedPart::Kind kind, const std::string& name, const std::string& axes, const Vec& value);
  /// A scalar under a name that has a meaning already: a coordinate of the model, say.
  void define(NamedPart::Kind kind, const std::string& name, Expr value);
  /// A name for an expression wherever it occurs, if it is not short.
  void give(Expr expression, const std::string& name) { given_.emplace(expression.id(), name); }
  /// Symbols that are numbers: put in wherever they are read.
  void know(std::vector<Replacement> numbers) { numbers_ = std::move(numbers); }
  /// "omega_link2", or with more underscores where that is taken.
  std::string free_name(const std::string& prefix, const std::string& of) const;

  /// The lines that `results` need, in order, each in its shorter notation; what they share gets names of its own, and
  /// the results are changed to read them.
  std::vector<NamedPart> finish(std::vector<Expr>& results);

 private:
  struct Line {
    NamedPart::Kind kind;
    std::string name, axes;
    Vec value;
    std::array<std::string, 3> components;  // names of the symbols; empty where the value itself is used
    std::array<bool, 3> needed{};
    bool in_vectors = false;  // shown in vector notation
    bool is_scalar = false;
  };
  void need(const Expr& expression);
  void need(const Shown& shown);
  static bool is_whole(const Line& line);
  static void choose_notation(Line& line);
  std::vector<NamedPart> write_out(const Line& line) const;

  const Model& model_;
  std::unordered_set<std::string> taken_;
  std::vector<Line> lines_;
  GivenNames given_;
  std::vector<Replacement> numbers_;
  std::unordered_map<std::string, std::pair<std::size_t, int>> by_symbol_;  // line, component; -1: all of them
};

}  // namespace dalembert
