#pragma once
// What people and other programs read: tables, CSV, JSON, HDF5, plots, equations in text, LaTeX and C.
// Writers give the whole document as a string; write_file puts it in place in one move.

#include <dalembert/base/failure.hpp>
#include <dalembert/study/action.hpp>
#include <dalembert/study/check.hpp>
#include <dalembert/study/compare.hpp>
#include <dalembert/study/frame.hpp>
#include <dalembert/study/hodograph.hpp>
#include <dalembert/study/reactions.hpp>
#include <dalembert/study/values.hpp>
#include <dalembert/study/verify.hpp>
#include <optional>

namespace dalembert {

// --- tables of text

/// Columns that a terminal shows at once, for UTF-8 text: combining marks take none, East Asian wide characters two.
std::size_t display_width(std::string_view text);

/// Rows of cells, aligned when written. The first row may be a heading with a rule under it.
class TextTable {
 public:
  enum class Align : std::uint8_t { left, right };

  TextTable() = default;
  explicit TextTable(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  /// Columns are aligned left unless told otherwise here.
  TextTable& align(std::vector<Align> columns);
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  /// One line a row, two spaces between columns, `indent` spaces first, no spaces at the end of a line.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<Align> columns_;
};

/// A number for people: so many significant digits, no trailing zeros.
std::string format_number(double value, int digits = 6);
/// A number for programs: the shortest text that reads back as the same double; empty where it is not finite.
std::string write_number(double value);

// --- files

/// Writes a file so that it is there whole or not at all: into a temporary file of its own beside it, flushed to the
/// disk, then renamed. A link stays a link, and the file that it leads to is replaced; links of other users are
/// refused. What exists and is no regular file (a pipe, /dev/stdout) is written to directly. Throws InputError where
/// the place cannot be written to, OutputError where writing began and failed (a full disk).
void write_file(const std::string& path, std::string_view contents);
/// Throws what write_file would, as far as that can be known before there is anything to write; also where a library
/// that the kind of file needs is missing. Leaves nothing behind.
void try_file(const std::string& path);

// --- what went wrong

/// And with which exit status the command ends (docs/reference/limits.md).
struct Failure {
  int status = 2;
  Complaint complaint;
};
/// An exception that is none of ours is a fault of dalembert's, and is said to be.
Failure describe_failure(const std::exception& error);
/// The document that a command with --json writes instead of its result.
std::string write_json(const Failure& failure);

// --- motions

/// "t,q,q',..." and a line a row; numbers as write_number gives them, so an absent value is an empty field; names with
/// commas, quotes or line ends are quoted as in RFC 4180. Lines end in "\n".
std::string write_csv(const Trajectory& trajectory);

/// The document of `simulate --json` (docs/reference/commands.md).
std::string write_json(const Trajectory& trajectory);

/// A file's bytes in HDF5: dataset `columns` (names, UTF-8), dataset `rows` (rows x columns of doubles, NaN where a
/// value is absent), group `events` (datasets `name`, `kind`, `t`, `state`), and the attributes `name`, `status`,
/// `message`, `steps`, `evaluations`, `seconds` of the file itself. In Python:
///   pandas.DataFrame(f["rows"][()], columns=f["columns"].asstr()[()])
std::string write_hdf5(const Trajectory& trajectory, const std::string& name = {});

struct PlotOptions {
  std::string title;
  std::vector<std::string> columns;  ///< to plot over t; empty: all but t
};
/// Curves over time, one self-contained SVG. Columns share a panel unless their scales differ by much.
std::string write_svg(const Trajectory& trajectory, const PlotOptions& options);

/// The trajectory with t and these columns only, in this order. An unknown name is an InputError with the nearest one.
Trajectory select_columns(const Trajectory& trajectory, const std::vector<std::string>& names);

/// How a run went, for people: status, message, notes, steps, what should be constant and how well it is, events.
std::string write_summary(const Trajectory& trajectory);

/// Kinds of files that simulate writes, by extension.
enum class FileKind : std::uint8_t { csv, json, hdf5, svg, png, html };
/// Throws InputError for an extension that is none of them.
FileKind file_kind(const std::string& path);

/// The last row of a motion written as CSV, by column.
struct CsvRow {
  std::string file;
  std::size_t line = 0;
  std::vector<std::string> columns;
  std::vector<std::optional<double>> values;

  /// The value of a column; where there is none an InputError names the file, the line and the nearest column.
  double value(const std::string& column) const;
};
CsvRow read_csv_last_row(const std::string& path);

// --- agreements

/// The document of `verify --json`.
std::string write_json(const Verification& verification);
/// A table of the largest disagreements.
std::string write_text(const Verification& verification);

// --- what other commands found, for people and as the documents of docs/reference/commands.md

std::string write_text(const CheckReport& report);
std::string write_json(const CheckReport& report);
std::string write_latex(const CheckReport& report);
std::string write_text(const ActionReport& report);
std::string write_json(const ActionReport& report);
std::string write_text(const FrameReport& report);
std::string write_json(const FrameReport& report);
std::string write_latex(const FrameReport& report);
std::string write_text(const ReactionsReport& report);
std::string write_json(const ReactionsReport& report);
std::string write_latex(const ReactionsReport& report);
/// The curve, one row a time: t, arc, components.
std::string write_csv(const Hodograph& hodograph);
/// `transports`: with the matrices of parallel transport.
std::string write_json(const Hodograph& hodograph, bool transports);
/// How it went, for people.
std::string write_summary(const Hodograph& hodograph);
std::string write_text(const Comparison& comparison);
std::string write_json(const Comparison& comparison);
std::string write_text(const GaussReport& report);
std::string write_json(const GaussReport& report);
std::string write_latex(const GaussReport& report);

struct EquationStyle {
  bool expand = false;  ///< everything written out, whatever its size
};

/// Equations in textbook form; reactions are named reaction(c), in LaTeX lambda with the constraint's name. What is not
/// short is a listing: named parts first (mechanics/listing.hpp), then equations in these names.
std::string write_text(const Equations& equations, const EquationStyle& style = {});
std::string write_latex(const Equations& equations, const EquationStyle& style = {});
std::string write_json(const Equations& equations, const EquationStyle& style = {});
/// With Z itself; the equations are its stationarity conditions.
std::string write_text(const LeastConstraint& gauss, const EquationStyle& style = {});
std::string write_latex(const LeastConstraint& gauss, const EquationStyle& style = {});
std::string write_json(const LeastConstraint& gauss, const EquationStyle& style = {});
/// With the values of Spain's geometry at the state.
std::string write_text(const ProjectionReport& report, const EquationStyle& style = {});
std::string write_latex(const ProjectionReport& report, const EquationStyle& style = {});
std::string write_json(const ProjectionReport& report, const EquationStyle& style = {});
/// The JSON document of equations with a field `values`: their parts, accelerations and multipliers at a state.
std::string add_values(const std::string& document, const EquationValues& values);
/// The same as tables; matrices of up to twelve columns are shown.
std::string write_text(const Equations& equations, const EquationValues& values);
/// C functions: the terms M, bias, A, drift; and u', lambda, where solve_unrolled has them.
std::string write_c(const Equations& equations);

}  // namespace dalembert
