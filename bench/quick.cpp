// Figures as ratios to hand-written code of the same run, against those recorded in bench/recorded.txt: `make
// bench-quick` fails where one is more than 1.3 times as large. `bench_quick --record` prints what to record.

#include <fstream>
#include <map>

#include "limits/chain.hpp"
#include "prepared.hpp"

using namespace dalembert;
using namespace dalembert::bench;

namespace {

constexpr double most = 1.3;

struct Figure {
  std::string name;
  double ratio;  // our time over the hand-written one
};

Figure measure_chain(int links) {
  Prepared ours(make_chain(links));
  HandWrittenChain hand(static_cast<std::size_t>(links));
  const double* y = ours.y.data();
  std::vector<double> by_hand(static_cast<std::size_t>(links));
  double own = INFINITY, limit = INFINITY;  // the least of several: what the machine can do when it is left alone
  for (int round = 0; round < 3; ++round) {
    own = std::min(own, seconds([&] { ours.ask(); }, 0.3));
    limit = std::min(limit, seconds([&] { hand(y, y + links, by_hand.data()); }, 0.3));
  }
  // Both lose digits to the condition of the mass matrix, which grows with the fourth power of the length.
  const double difference = largest_difference(ours.accelerations(), by_hand),
               allowed = 1e-14 * std::pow(links + 3.0, 4);
  fmt::print("chain of {}: {:.3f} us, by hand {:.3f} us, difference {:.1e}\n", links, 1e6 * own, 1e6 * limit,
             difference);
  if (!(difference < allowed)) {
    fmt::print("  the two are not the same mechanics\n");
    all_within = false;
  }
  return {fmt::format("chain_{}", links), own / limit};
}

std::map<std::string, double> read_recorded(const char* file) {
  std::map<std::string, double> recorded;
  std::ifstream in(file);
  std::string name;
  for (double ratio; in >> name >> ratio;) recorded[name] = ratio;
  return recorded;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "bench_quick FILE: the file of recorded ratios, or --record\n");
    return 2;
  }
  std::vector<Figure> figures;
  for (const int links : {1, 10, 50, 100}) figures.push_back(measure_chain(links));
  if (std::string(arguments[1]) == "--record") {
    for (const Figure& figure : figures) fmt::print("{} {:.3g}\n", figure.name, figure.ratio);
    return all_within ? 0 : 1;
  }
  std::map<std::string, double> recorded = read_recorded(arguments[1]);
  for (const Figure& figure : figures) {
    if (recorded.contains(figure.name)) {
      report(figure.name + ": ratio to the hand-written, against 1.3 x recorded", figure.ratio,
             most * recorded[figure.name], "");
      continue;
    }
    fmt::print("{} is not recorded in {}\n", figure.name, arguments[1]);
    all_within = false;
  }
  return all_within ? 0 : 1;
}
