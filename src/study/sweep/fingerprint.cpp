#include <fmt/format.h>

#include <dalembert/study/sweep.hpp>

namespace dalembert {
namespace {

/// FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo).
class Hash {
 public:
  /// The length first, so that no two lists of texts run into each other.
  void add(std::string_view text) {
    for (const char c : fmt::format("{}:", text.size())) take(c);
    for (const char c : text) take(c);
  }
  void add(const std::vector<Text>& texts) {
    add(fmt::format("{}", texts.size()));
    for (const Text& text : texts) add(text.text);
  }
  std::string digits() const { return fmt::format("{:016x}", state_); }

 private:
  void take(char c) { state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3; }
  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace

std::string make_fingerprint(const Description& model, const Sweep& sweep) {
  Hash hash;
  hash.add(write_toml(model));
  hash.add(fmt::format("{} {} {} {}", static_cast<int>(sweep.kind), sweep.count, sweep.seed, sweep.axes.size()));
  for (const SweepAxis& axis : sweep.axes) {
    hash.add(axis.name.text);
    for (const double value : axis.values) hash.add(fmt::format("{:a}", value));
  }
  for (const SweepKeep& keep : sweep.keep) hash.add(std::vector<Text>{keep.name, keep.formula});
  if (sweep.section) {
    hash.add(sweep.section->events);
    hash.add(std::vector<Text>{sweep.section->when, sweep.section->direction, sweep.section->every});
    hash.add(fmt::format("{}", sweep.section->skip));
    hash.add(sweep.section->columns);
  }
  hash.add(sweep.motion);
  hash.add(std::vector<Text>{sweep.until, sweep.every, sweep.tolerance});
  for (const Override& override : sweep.set) hash.add(std::vector<Text>{override.name, override.value});
  return hash.digits();
}

}  // namespace dalembert
