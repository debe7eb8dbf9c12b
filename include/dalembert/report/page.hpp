#pragma once
// The page of a motion: one HTML file with the scene, plots and texts, which opens without a network.

#include <dalembert/simulate/system.hpp>
#include <dalembert/study/scene.hpp>

namespace dalembert {

/// Something to read beside the scene.
struct PageTab {
  std::string title;
  std::string latex;                     ///< may be empty
  std::string text;                      ///< what is shown without LaTeX, or where it cannot be set
  const Equations* equations = nullptr;  ///< these, term by term, with values where the page computes motions
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
  std::size_t most_rows = 20'000;          ///< of a longer motion, rows at equal steps and all extremes are kept
  std::size_t most_numbers = 2'000'000;
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

/// The rows that a page keeps of a motion: all of them, or every so many with the first, the last and the extremes of
/// each column.
std::vector<std::size_t> thin_rows(const Trajectory& motion, std::size_t most);

}  // namespace dalembert
