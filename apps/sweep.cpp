#include <fmt/format.h>

#include <dalembert/report/report.hpp>
#include <dalembert/report/sweep.hpp>
#include <filesystem>
#include <set>

#include "chunks.hpp"
#include "model_options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "share.hpp"
#include "stop.hpp"

using namespace dalembert;

namespace {

constexpr std::size_t handy_chunks = 256;    // a file takes about a millisecond to be written to disk
constexpr std::size_t handy_runs = 100'000;  // of one chunk, whose rows are kept until it is complete

struct SweepArguments {
  std::string study, folder, chunk;
  std::vector<std::string> outputs;
  std::string x, y, colour;
  std::size_t threads = 0;
  bool merge = false, clean = false, json = false, quiet = false;
};

std::string folder_of(const SweepArguments& options) {
  if (!options.folder.empty()) return options.folder;
  return std::filesystem::path(options.study).stem().string() + ".chunks";
}

/// "a.csv" -> "a.section.csv".
std::string beside(const std::string& output, const std::string& table) {
  std::filesystem::path path = output;
  const std::string extension = path.extension();
  return path.replace_extension("." + table + extension).string();
}

/// The files of one output: a CSV file has one table.
std::vector<std::string> files_of(const std::string& output, const SweepResult& tables) {
  std::vector<std::string> files = {output};
  for (const SweepTable& table : tables.tables)
    if (file_kind(output) == FileKind::csv && table.name != "runs") files.push_back(beside(output, table.name));
  return files;
}

/// Before the work is done.
void try_outputs(const SweepArguments& options, const SweepResult& tables, bool is_part) {
  std::set<std::string> files;
  for (const std::string& output : options.outputs) {
    const std::string written = "a sweep is written as .csv, .json, .h5 or .svg";
    try_output(output, false, {FileKind::csv, FileKind::json, FileKind::hdf5, FileKind::svg}, written);
    for (const std::string& file : files_of(output, tables)) {
      if (file != output) try_file(file);
      if (!files.insert(std::filesystem::path(file).lexically_normal()).second)
        throw InputError({file, {}, "-o", "it would be written twice", "give each file a name of its own"});
    }
  }
  if (!is_part && (options.json || options.outputs.empty())) try_standard_output();
}

/// The chunks of this process: neighbours, so that shares are as even as chunks are.
std::vector<std::size_t> own_chunks(const ChunkFolder& chunks, const Share& share) {
  if (share.count > chunks.count())
    throw InputError({"",
                      {},
                      "--chunk",
                      fmt::format("{} processes share {} chunks", share.count, chunks.count()),
                      "give [run] chunks of the study a larger number, or start fewer processes"});
  std::vector<std::size_t> own;
  for (std::size_t k = share.index * chunks.count() / share.count; k < (share.index + 1) * chunks.count() / share.count;
       ++k)
    own.push_back(k);
  return own;
}

/// Makes what is missing of these chunks; false where it was stopped.
bool make_chunks(const SweepArguments& options, const SweepPlan& plan, const ChunkFolder& chunks,
                 const std::vector<std::size_t>& own) {
  std::vector<std::size_t> missing;
  std::vector<SweepRange> ranges;
  std::size_t runs = 0;
  for (const std::size_t chunk : own) {
    if (chunks.has(chunk)) continue;
    missing.push_back(chunk);
    ranges.push_back(chunks.range(chunk));
    runs += ranges.back().last - ranges.back().first;
  }
  if (missing.empty()) return true;
  chunks.make();
  ProgressBar bar;
  const auto progress = [&](std::size_t done) {
    if (bar.is_early()) return;
    const double part = static_cast<double>(done) / static_cast<double>(runs);
    bar.show(part, fmt::format("{} of {} runs, {}", done, runs, bar.time_left(part)));
  };
  std::size_t written = 0;
  const auto deliver = [&](std::size_t k, const SweepResult& rows) {
    chunks.write(missing[k], rows);
    ++written;
  };
  run_sweep(plan, ranges, deliver, {options.threads, progress, catch_stops()});
  return written == missing.size();
}

bool is_complete(const ChunkFolder& chunks) {
  for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk)
    if (!chunks.has(chunk)) return false;
  return true;
}

void write_output(const SweepArguments& options, const std::string& output, const SweepResult& result,
                  const std::string& name) {
  switch (file_kind(output)) {
    case FileKind::json: return write_file(output, write_json(result));
    case FileKind::hdf5: return write_file(output, write_hdf5(result, name));
    case FileKind::svg: return write_file(output, write_svg(result, {name, options.x, options.y, options.colour}));
    default: {
      const std::vector<std::string> files = files_of(output, result);
      for (std::size_t k = 0; k < files.size(); ++k) write_file(files[k], write_csv(result.tables[k]));
    }
  }
}

/// `is_part`: this process is one of several, and standard output is no place for the whole.
void merge(const SweepArguments& options, const SweepPlan& plan, const ChunkFolder& chunks, bool is_part) {
  SweepResult result = plan.make_empty();
  for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk) chunks.read(chunk, result);
  for (const std::string& output : options.outputs) write_output(options, output, result, plan.model_name());
  if (options.json && !is_part)
    put(write_json(result));
  else if (options.outputs.empty() && !is_part)
    put(write_csv(result["runs"]));
  if (!options.quiet) say(write_summary(result));
  if (options.clean) chunks.remove();
}

ExitStatus run(const SweepArguments& options) {
  std::optional<Share> share;
  if (!options.merge) share = options.chunk.empty() ? find_share() : parse_share(options.chunk);
  const bool is_part = share && share->count > 1;
  const Study study = read_study(options.study);
  const Description description = read_description(find_model(study.model));
  const SweepPlan plan(description, study.sweep);
  try_outputs(options, plan.make_empty(), is_part);
  const std::size_t wanted =
      study.chunks == 0 ? std::max(handy_chunks, (plan.run_count() + handy_runs - 1) / handy_runs) : study.chunks;
  const std::string stamp = fmt::format("{} {}", DALEMBERT_VERSION, make_fingerprint(description, study.sweep));
  const ChunkFolder chunks(folder_of(options), stamp, plan.run_count(), std::min(wanted, plan.run_count()));
  if (!options.merge && !make_chunks(options, plan, chunks, own_chunks(chunks, share.value_or(Share{})))) {
    say(fmt::format("stopped; the chunks that are complete stay in {}, and the same command goes on from there\n",
                    folder_of(options)));
    return ExitStatus::cannot_go_on;
  }
  if (!is_part || (!options.outputs.empty() && is_complete(chunks)))
    merge(options, plan, chunks, is_part);
  else if (!options.quiet)
    say(fmt::format("part {} of {} is complete in {}; --merge makes one result of all\n", share->index + 1,
                    share->count, folder_of(options)));
  return ExitStatus::fine;
}

}  // namespace

void add_sweep(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<SweepArguments>();
  CLI::App* command =
      app.add_subcommand("sweep", "Many motions of a model: a study file says what varies and what is kept");
  command->add_option("STUDY", options->study, "Study file (docs/howto/sweep.md)")->required();
  command
      ->add_option("-o,--output", options->outputs, "File to write: .csv, .json, .h5 or .svg (a picture); may repeat")
      ->type_name("FILE");
  command->add_option("--folder", options->folder, "Where chunks are kept until all are there; STUDY.chunks by itself")
      ->type_name("FOLDER");
  command
      ->add_option("--chunk", options->chunk,
                   "Only the K-th of N equal parts; mpirun, srun and Slurm arrays say it themselves")
      ->type_name("K/N");
  command->add_flag("--merge", options->merge, "Run nothing; make one result of the chunks that others have made");
  command->add_flag("--clean", options->clean, "Remove the chunks when the result is written");
  add_count_option(*command, "--threads", options->threads, "How many; 0: as many as the machine has", 0, 1024);
  command->add_option("--x", options->x, "Column of the picture's level axis")->type_name("NAME");
  command->add_option("--y", options->y, "Column of its upright axis")->type_name("NAME");
  command->add_option("--colour", options->colour, "Column to show as colour: a heat map")->type_name("NAME");
  command->add_flag("--quiet", options->quiet, "No summary on standard error");
  add_json_option(*command, options->json);
  command->footer("Example: dalembert sweep docs/examples/chaos.toml -o chaos.h5 -o chaos.svg");
  command->callback([options, &status] { status = run(*options); });
}
