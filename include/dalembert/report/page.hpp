#pragma once
// The page of a motion: one HTML file with the scene, plots and texts, which opens without a network.

#include <dalembert/simulate/system.hpp>
#include <dalembert/study/scene.hpp>

namespace dalembert {

/// A formula to be set: name = formula, term by term, with their values at the cursor where the page can compute them.
struct PageLine {
  std::string section;       ///< heading; the symbols below hold within it
  std::string left;          ///< LaTeX
  std::string symbol = {};   ///< what rows and later formulas of the section know it by; may be empty
  std::string formula = {};  ///< as text, vectors as [a, b, c]; empty where none is short enough to read
  std::string remark = {};   ///< in words
};

struct PageTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

/// Something to read beside the scene: words, then a table, then formulas.
struct PageTab {
  std::string title;
  std::string text;                      ///< all of it without formulas set; alone where there is nothing else
  const Equations* equations = nullptr;  ///< these, term by term
  std::string words = {};
  PageTable table = {};
  std::vector<PageLine> lines = {};
};

/// A second motion of the same coordinates, drawn beside the first one: other parameters or another principle.
struct PageBeside {
  std::string title;  ///< how it differs
  Trajectory motion;
  std::vector<double> parameters;  ///< of the model, in its order
};

struct PageOptions {
  std::vector<std::string> plot = {};  ///< columns plotted when the page opens; empty: the first coordinates
  std::vector<PageTab> tabs = {};
  const Equations* live = nullptr;  ///< the page computes the motion by these again where its reader changes numbers
  double tolerance = 1e-10;         ///< of that
  std::string not_live = {};        ///< why it does not
  std::optional<PageBeside> beside = {};
  std::optional<std::size_t> served = {};  ///< an engine is behind the page, and this is the how-manieth it serves
  /// Of a longer motion, rows at equal steps are kept, and all extremes where there is room for those of every column.
  std::size_t most_rows = 20'000;
  std::size_t most_numbers = 500'000;  ///< rows times columns: fewer rows of a motion with many columns
  std::size_t most_doubles = 1000;     ///< columns: of more, numbers have the seven digits of a float
};

/// Names of the model are data in it, never markup or code; the page may run no script but its own, and load nothing.
std::string write_page(const Scene& scene, const Trajectory& motion, const PageOptions& options = {});

/// With everything there is to say of the system: its tabs, and live where it can be; options' own of these are passed
/// over.
std::string write_page(const System& system, const Trajectory& motion, PageOptions options = {});
/// Time between rows that moves smoothly: `every` divided by a whole number, so that its own rows are among them.
double page_interval(double until, double every);

/// What a page that is served asks for: another motion of its model, as JSON.
std::string write_page_motion(const Trajectory& motion, std::span<const double> parameters,
                              const PageOptions& options = {});
/// What is shown in the place of a page: plain text, loaded again every two seconds.
std::string write_waiting_page(const std::string& title, const std::string& text);

/// Why a page cannot compute this motion again: it has what only the engine does (contacts, crossings, choices, events
/// that stop it). Empty where it can.
std::string why_not_live(const System& system, const Trajectory& motion);

/// The rows that a page keeps of a motion: all of them, or every so many with the first and the last, and the extremes
/// of each column where these take no more than half of the room.
std::vector<std::size_t> thin_rows(const Trajectory& motion, std::size_t most);

}  // namespace dalembert
