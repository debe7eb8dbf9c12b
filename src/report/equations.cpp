#include <fmt/format.h>

#include <algorithm>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/contacts.hpp"
#include "report/document.hpp"
#include "report/rows.hpp"
#include "report/written_equations.hpp"

// Equations on a page. What is written is put together in a graph of its own: the equations given are only read.

namespace dalembert {
namespace {

/// Constraints that follow from others and have no velocity of their own in Hamel's frame.
std::vector<std::string> left_out(const Equations& equations) {
  std::vector<std::string> names;
  if (!equations.quasi || !equations.recovery) return names;
  for (const ConstraintRow& row : equations.recovery->rows)
    if (!row.is_unit && std::ranges::find(equations.quasi->reactions, row.name, &ReactionFormula::name) ==
                            equations.quasi->reactions.end())
      names.push_back(row.name);
  return names;
}

/// Constraints that read 0 = 0 are taken off the lists: they hold by themselves, which is said in words.
std::vector<std::string> take_empty(WrittenEquations& written) {
  std::vector<std::string> names;
  for (const WrittenEquation& each : written.constraints)
    if (each.left == "0" && each.right == "0") names.push_back(each.name);
  for (auto* list : {&written.constraints, &written.drifts})
    std::erase_if(*list, [&](const auto& each) { return std::ranges::find(names, each.name) != names.end(); });
  return names;
}

std::string explain_empty(const std::vector<std::string>& names) {
  const bool one = names.size() == 1;
  return fmt::format("{} {} by {}, whatever the coordinates are, and {} no equation", join_first(names),
                     one ? "holds" : "hold", one ? "itself" : "themselves", one ? "has" : "have");
}

std::vector<std::string> remarks_of(const Equations& equations, const WrittenEquations& written,
                                    const std::vector<std::string>& empty) {
  std::vector<std::string> remarks;
  if (!empty.empty()) remarks.push_back(explain_empty(empty));
  if (const std::vector<std::string> names = left_out(equations); !names.empty() && !written.reactions.empty())
    remarks.push_back(
        fmt::format("the constraints depend on each other: these are the reactions where {} {} none; "
                    "`dalembert reactions` gives those of least norm",
                    fmt::join(names, ", "), names.size() == 1 ? "has" : "have"));
  if (written.omitted_reactions > 0)
    remarks.push_back(fmt::format("{} reactions have no short formula; `dalembert reactions` gives their values",
                                  written.omitted_reactions));
  else if (written.unsimplified > 0)
    remarks.push_back(fmt::format(
        "{} formulas were too large to simplify within the work allowed and stand as they are", written.unsimplified));
  return remarks;
}

/// What the names of a listing's parts mean, by how they begin; in the order of the listing.
constexpr std::pair<std::string_view, std::string_view> meanings[] = {
    {"xi(", "xi(w, q): the rate of coordinate q in motion with velocity w = 1, the other free velocities zero"},
    {"rate(", "rate(x): derivative of x by time"},
    {"i_", "i_B, j_B, k_B: B's axes, in the axes of B's parent"},
    {"omega_", "omega_B: angular velocity of B, in B's own axes"},
    {"alpha_", "alpha_B: angular acceleration of B, in B's own axes"},
    {"v_", "v_B: velocity of B's origin, in B's own axes"},
    {"u_", "u_B: velocity of B's origin, in the axes of B's parent"},
    {"a_", "a_B: acceleration of B's origin less that of gravity, in B's own axes"},
    {"b_", "b_B: acceleration of B's origin less that of gravity, in the axes of B's parent"},
    {"L_", "L_B: angular momentum of body B about its centre"},
    {"f_", "f_B: mass times acceleration of body or point B, less the forces on it, in its frame's axes"},
    {"F_", "F_B: mass times acceleration, less the forces, of all that B carries, in B's own axes"},
    {"G_", "G_B: mass times acceleration, less the forces, of all that B carries, in the axes of B's parent"},
    {"N_",
     "N_B: moment of mass times acceleration, less the forces, about B's origin, gyroscopic moments included and "
     "couples taken off, in B's own axes"},
    {"Q_", "Q_q: mass times acceleration, less the forces, of all that moves with coordinate q"},
    {"r_", "r_B_P: from B's origin to P, in B's own axes"},
    {"d_", "d_B_P: from B's origin to P, in world axes"},
    {"R_", "R_P, R_B_P: reaction at P (on body B), in the axes of its frame"},
    {"axis(", "axis(B, x): direction of B's axis, in world axes"},
    {"position(", "position(P): in world axes"},
    {"velocity(", "velocity(P): in world axes"},
};

std::vector<std::string> explain_names(const WrittenEquations& written) {
  std::vector<std::string> lines;
  for (const auto& [prefix, meaning] : meanings)
    for (const NamedPart& part : written.parts)
      if (part.name.starts_with(prefix) ||
          (part.value[0].op() == Op::symbol && part.value[0].name().starts_with(prefix))) {
        lines.emplace_back(meaning);
        break;
      }
  return lines;
}

struct Page {
  std::string text;

  /// One line an equation, under its name.
  void section(const std::string& title, const std::vector<WrittenEquation>& list) {
    if (list.empty()) return;
    text += fmt::format("\n{}\n", title);
    for (const WrittenEquation& each : list) {
      text += fmt::format("  {}:{}\n", each.name, each.range.empty() ? "" : fmt::format("  ({})", each.range));
      text += wrap_text(fmt::format("    {} = {}", each.left, each.right)) + "\n";
    }
  }
  /// One line an equation, without a name.
  void table(const std::string& title, const std::vector<WrittenEquation>& list) {
    if (list.empty()) return;
    text += fmt::format("\n{}\n", title);
    for (const WrittenEquation& each : list) {
      std::string range = each.range.empty() ? "" : fmt::format("  ({})", each.range);
      text += wrap_text(fmt::format("  {} = {}{}", each.left, each.right, range)) + "\n";
    }
  }
  void listing(const WrittenEquations& written) {
    if (written.parts.empty()) return;
    const std::vector<std::string> names = explain_names(written);
    if (!names.empty()) text += "\nnames\n";
    for (const std::string& line : names) text += fmt::format("  {}\n", line);
    constexpr std::pair<NamedPart::Kind, const char*> titles[] = {
        {NamedPart::Kind::kinematics, "kinematics, each in terms of what comes before"},
        {NamedPart::Kind::load, "forces and moments"},
        {NamedPart::Kind::equation, "further parts"}};
    const NamedPart* before = nullptr;
    for (std::size_t i = 0; i < written.parts.size(); ++i) {
      const NamedPart& part = written.parts[i];
      if (before == nullptr || before->kind != part.kind)
        for (const auto& [kind, title] : titles)
          if (kind == part.kind) text += fmt::format("\n{}\n", title);
      text += wrap_text(fmt::format("  {} = {}", written.listed[i].left, written.listed[i].right)) + "\n";
      before = &part;
    }
  }
  void notes(const std::vector<std::string>& remarks) {
    for (const std::string& remark : remarks) text += fmt::format("\nnote: {}\n", remark);
  }
};

}  // namespace

std::string write_text(const Equations& of, const EquationStyle& style) {
  const Equations equations = fork(of);
  Writing writing{.style = Scribe::Style::text, .expand = style.expand};
  WrittenEquations written = write_equations(equations, writing);
  const std::vector<std::string> empty = take_empty(written);
  Page page{fmt::format("Equations of motion by {}\n", equations.by)};
  page.listing(written);
  page.table("frame of quasi-velocities", written.frame);
  page.table("rates in terms of them", written.kinematics);
  page.section("motion, one equation a velocity (reaction(c): multiplier of constraint c)", written.motion);
  page.section("constraints", written.constraints);
  page.section("constraints differentiated to accelerations", written.drifts);
  page.text += wrap_lines(contacts_text(written.contacts));
  page.table("reactions, each from the equation of a velocity that its constraint forbids", written.reactions);
  page.notes(remarks_of(equations, written, empty));
  return page.text;
}

namespace {

/// "k = 2..9" beside the equation of a family.
std::string latex_range(const std::string& range) {
  const std::size_t dots = range.find("..");
  if (dots == std::string::npos) return {};
  return fmt::format(", \\quad {}, \\dots, {}", range.substr(0, dots), range.substr(dots + 2));
}

/// Lines of one `align`, the sides as text has them. Where all of them fit they stand around their signs of equality;
/// else only those with a narrow left side do, and the others take the width of the page: on one line, broken into
/// several, or the right side below the left.
class AlignedLines {
 public:
  void add(const WrittenEquation& each) {
    lines_.push_back(&each);
    left_ = std::max(left_, latex_width(each.left));
    right_ = std::max(right_, latex_width(each.right));
  }
  std::vector<std::string> write() const {
    std::vector<std::string> texts;
    for (const WrittenEquation* each : lines_)
      texts.push_back(plain_brackets("  " + line(*each, latex_range(each->range))));
    return texts;
  }

 private:
  std::string line(const WrittenEquation& each, const std::string& range) const {
    constexpr double line_width = 80, page_width = 60, narrow = 20;
    const double left = latex_width(each.left), right = latex_width(each.right);
    if (left_ + right_ <= line_width || left <= narrow)
      return fmt::format("{} &= {}{}", each.left, wrap_latex(each.right), range);
    if (left + right <= page_width || right <= narrow)
      return fmt::format("& {}{}", wrap_latex(each.left + " = " + each.right), range);
    return fmt::format("& \\begin{{aligned}}[t] & {} \\\\\n    & = {}{} \\end{{aligned}}", wrap_latex(each.left),
                       wrap_latex(each.right), range);
  }

  std::vector<const WrittenEquation*> lines_;
  double left_ = 0, right_ = 0;
};

}  // namespace

std::string write_latex(const Equations& of, const EquationStyle& style) {
  return with_distinct_names(
      [&] {
        const Equations equations = fork(of);
        Writing writing{.style = Scribe::Style::latex, .expand = style.expand};
        WrittenEquations written = write_equations(equations, writing);
        const std::vector<std::string> empty = take_empty(written);
        std::string text;
        for (const std::string& remark : remarks_of(equations, written, empty)) text += fmt::format("% {}\n", remark);
        for (const std::string& line : explain_names(written)) text += fmt::format("% {}\n", line);
        AlignedLines aligned;
        for (const auto* list : {&written.listed, &written.frame, &written.kinematics, &written.motion,
                                 &written.constraints, &written.reactions})
          for (const WrittenEquation& each : *list)
            if (each.left != "0" || each.right != "0") aligned.add(each);
        std::vector<std::string> lines = aligned.write();
        for (std::string& line : contacts_latex(written.contacts)) lines.push_back(std::move(line));
        return text + fmt::format("\\begin{{align}}\n{}\n\\end{{align}}\n", fmt::join(lines, " \\\\\n"));
      },
      symbol_names(*of.model));
}

namespace {

/// M, bias, A, drift, N, n0 as one list of expressions, so that a listing's parts are theirs too; and back as JSON.
class Matrices {
 public:
  explicit Matrices(const Equations& equations) : size_(equations.velocities.size()) {
    mass_ = add(equations.mass);
    bias_ = add(equations.bias);
    std::vector<std::vector<Entry>> rows;
    std::vector<Expr> drifts;
    for (const ConstraintRow& row : equations.rows) {
      rows.push_back(row.jacobian);
      drifts.push_back(row.drift);
    }
    jacobian_ = add(rows);
    drift_ = add(drifts);
    std::vector<Replacement> rest;
    for (const Expr& velocity : equations.velocities) rest.push_back({velocity, equations.graph->constant(0)});
    rates_ = add(sparse_jacobian(equations.rates, equations.velocities));
    offset_ = add(substitute(equations.rates, rest));
  }

  const std::vector<Expr>& all() const { return all_; }

  void write(const std::vector<Expr>& shown, Scribe& scribe, Json& document) const {
    document["mass_matrix"] = matrix(shown, scribe, mass_, true);
    document["bias"] = vector(shown, scribe, bias_);
    document["jacobian"] = matrix(shown, scribe, jacobian_, false);
    document["drift"] = vector(shown, scribe, drift_);
    document["kinematics"] = {{"N", matrix(shown, scribe, rates_, false)}, {"n0", vector(shown, scribe, offset_)}};
  }

 private:
  using Places = std::vector<std::pair<std::size_t, std::size_t>>;  // column, place in the list
  std::vector<Places> add(const std::vector<std::vector<Entry>>& rows) {
    std::vector<Places> places;
    for (const auto& row : rows) {
      places.emplace_back();
      for (const Entry& entry : row) {
        places.back().emplace_back(entry.column, all_.size());
        all_.push_back(entry.value);
      }
    }
    return places;
  }
  Places add(const std::vector<Expr>& list) {
    Places places;
    for (const Expr& each : list) {
      places.emplace_back(0, all_.size());
      all_.push_back(each);
    }
    return places;
  }
  /// By rows; of many velocities, by the entries that are not zero.
  Json matrix(const std::vector<Expr>& shown, Scribe& scribe, const std::vector<Places>& rows, bool symmetric) const {
    if (size_ > most_columns_by_rows) return sparse_matrix(shown, scribe, rows, symmetric);
    std::vector<std::vector<std::string>> entries(rows.size(), std::vector<std::string>(size_, "0"));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto& [column, place] : rows[i]) {
        entries[i][column] = scribe(shown[place]);
        if (symmetric) entries[column][i] = entries[i][column];
      }
    return entries;
  }
  Json sparse_matrix(const std::vector<Expr>& shown, Scribe& scribe, const std::vector<Places>& rows,
                     bool symmetric) const {
    Json entries = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto& [column, place] : rows[i]) {
        const std::string formula = scribe(shown[place]);
        entries.push_back({i, column, formula});
        if (symmetric && column != i) entries.push_back({column, i, formula});
      }
    return {{"size", {rows.size(), size_}}, {"entries", std::move(entries)}};
  }
  static Json vector(const std::vector<Expr>& shown, Scribe& scribe, const Places& places) {
    Json list = Json::array();
    for (const auto& entry : places) list.push_back(scribe(shown[entry.second]));
    return list;
  }

  std::size_t size_;
  std::vector<Expr> all_;
  std::vector<Places> mass_, jacobian_, rates_;
  Places bias_, drift_, offset_;
};

}  // namespace

std::string write_json(const Equations& of, const EquationStyle& style) {
  const Equations equations = fork(of);
  const Matrices matrices(equations);
  Writing writing{.expand = style.expand, .by_families = false, .also = matrices.all()};
  const WrittenEquations written = write_equations(equations, writing);
  Json list = Json::array();
  for (const auto* part : {&written.motion, &written.constraints})
    for (const WrittenEquation& each : *part)
      list.push_back({{"name", each.name}, {"formula", each.left + " = " + each.right}});
  Json document = {{"by", equations.by}, {"equations", list}};
  if (!written.parts.empty()) {
    document["parts"] = Json::array();
    for (std::size_t i = 0; i < written.parts.size(); ++i) {
      Json part = {{"name", written.parts[i].name}, {"formula", written.listed[i].right}};
      if (!written.parts[i].axes.empty()) part["axes"] = written.parts[i].axes;
      document["parts"].push_back(part);
    }
  }
  constexpr Scribe::Allowance when_short{3e7, 1e8}, when_listed{2e6, 3e7};
  Scribe scribe(Scribe::Style::text, written.parts.empty() ? when_short : when_listed);
  matrices.write(writing.also, scribe, document);
  if (!written.contacts.empty()) document["contacts"] = contacts_json(written.contacts);
  document["unsimplified"] = written.unsimplified + scribe.unsimplified();
  if (equations.quasi) {
    document["frame"] = Json::array();
    for (const FrameVelocity& velocity : equations.quasi->frame)
      document["frame"].push_back(
          {{"name", velocity.name}, {"formula", scribe(velocity.formula)}, {"vanishes", velocity.vanishes}});
    document["reactions"] = Json::array();
    for (const WrittenEquation& reaction : written.reactions)
      document["reactions"].push_back({{"name", reaction.name}, {"formula", reaction.right}});
    document["left_out"] = left_out(equations);
  }
  return write_document(document);
}

}  // namespace dalembert
