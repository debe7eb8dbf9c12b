// Accelerations at one state, as a motion asks for them: microseconds and instructions by the number of bodies.

#include <benchmark/benchmark.h>

#include "models.hpp"
#include "prepared.hpp"

using namespace dalembert;

namespace {

void measure(benchmark::State& state, const Model& model) {
  bench::Prepared prepared(model);
  for (auto _ : state) {
    prepared.ask();
    benchmark::DoNotOptimize(prepared.dy.data());
    benchmark::ClobberMemory();
  }
  state.counters["instructions"] = static_cast<double>(prepared.derivative->instruction_count());
}

using Family = std::string (*)(int);

void add(const std::string& name, Family family, std::initializer_list<int> sizes) {
  for (int size : sizes)
    benchmark::RegisterBenchmark((name + "/" + std::to_string(size)).c_str(), [=](benchmark::State& state) {
      measure(state, make_model(parse_description(family(size))));
    })->Unit(benchmark::kMicrosecond);
}

void add_bundled(const std::string& name, const Overrides& overrides = {}) {
  std::string shown = name;
  for (const Override& each : overrides) shown += "/" + each.value;
  benchmark::RegisterBenchmark(shown.c_str(), [=](benchmark::State& state) {
    measure(state, load_model("models:" + name, overrides));
  })->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  add("relative_angles", bench::chain_in_relative_angles, {1, 10, 50, 100, 200});
  add("absolute_angles", bench::chain_in_absolute_angles, {10, 100, 200});
  add("points", bench::chain_of_points, {10, 100});
  add("spatial_arm", bench::spatial_arm, {7, 20});
  add("masses", bench::chain_of_masses, {100, 1000});
  for (const char* count : {"1", "10", "40", "400"}) add_bundled("iftomm_A02_fourbar", {{"N", count}});
  for (const char* name : {"chaplygin_sleigh_offset", "rolling_disk_tilted", "whipple_bicycle"}) add_bundled(name);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
