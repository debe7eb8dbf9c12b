#pragma once
// The results of a sweep as CSV, JSON, HDF5 and pictures, and the files of its chunks.

#include <dalembert/study/sweep.hpp>

namespace dalembert {

/// A line a row: numbers as write_number gives them, then texts.
std::string write_csv(const SweepTable& table);
/// {"runs": {"columns", "rows", "status", "message"}, "section": ...}
std::string write_json(const SweepResult& result);
/// A group a table: datasets `columns` (names), `rows` (numbers), and one a text, as `status`; the same result gives
/// the same bytes.
std::string write_hdf5(const SweepResult& result, const std::string& name = {});
/// How many runs ended how, and the first message of each kind; for people.
std::string write_summary(const SweepResult& result);

/// What to draw; names are columns, those of the section where it has them. Where they are not given: a section is
/// drawn over the number that varies (bifurcation diagram) or, of one run, in its first two columns (Poincare section);
/// what is kept over one number that varies as dots, over two as colour (heat map).
struct SweepPlot {
  std::string title, x = {}, y = {}, colour = {};
};
std::string write_svg(const SweepResult& result, const SweepPlot& plot);

/// The file of a chunk: complete or not there. `stamp` says of which study, and which part of it.
std::string write_chunk(const SweepResult& result, const std::string& stamp);
/// Adds its rows. InputError where the text is no chunk, is cut off, or has another stamp.
void read_chunk(std::string_view text, const std::string& file, const std::string& stamp, SweepResult& to);
/// Whether a chunk's text begins as one with this stamp does.
bool is_chunk(std::string_view text, const std::string& stamp);

}  // namespace dalembert
