#include "report/contacts.hpp"

#include <fmt/format.h>

namespace dalembert {
namespace {

/// A sum times something.
std::string in_brackets(const std::string& formula) {
  return formula.find(' ') == std::string::npos ? formula : "(" + formula + ")";
}

}  // namespace

std::vector<WrittenContact> write_contacts(const Equations& equations, Scribe& scribe) {
  std::vector<WrittenContact> written;
  for (const ConstraintRow& contact : equations.contacts) {
    std::vector<Expr> terms{contact.drift};
    for (const Entry& entry : contact.jacobian) terms.push_back(entry.value * equations.accelerations[entry.column]);
    const bool rebounds = contact.restitution && !contact.restitution.is_zero();
    written.push_back({contact.name, scribe(contact.position), scribe(equations.graph->sum(terms)),
                       scribe.name(reaction_symbol(contact.name)), rebounds ? scribe(contact.restitution) : "",
                       contact.relation == Relation::less_equal});
  }
  return written;
}

std::string contacts_text(const std::vector<WrittenContact>& contacts) {
  if (contacts.empty()) return {};
  std::string text = "\ncontacts: open without a reaction, or closed with one that pushes\n";
  for (const WrittenContact& contact : contacts) {
    const char* side = contact.is_upper ? "<=" : ">=";
    text += fmt::format("  {}:\n    {} {} 0, {} {} 0, {}*{} = 0\n", contact.name, contact.gap, side, contact.reaction,
                        side, contact.reaction, in_brackets(contact.gap));
    text += fmt::format("    while closed: {} {} 0, {}*{} = 0\n", contact.acceleration, side, contact.reaction,
                        in_brackets(contact.acceleration));
    if (!contact.restitution.empty())
      text += fmt::format("    at an impact it rebounds with {} of its speed\n", contact.restitution);
  }
  return text;
}

std::vector<std::string> contacts_latex(const std::vector<WrittenContact>& contacts) {
  constexpr double widest_repeated = 25;
  std::vector<std::string> lines;
  for (const WrittenContact& contact : contacts) {
    const char* side = contact.is_upper ? "\\le" : "\\ge";
    if (latex_width(contact.gap) > widest_repeated) {  // the sign of complementarity instead of a product
      lines.push_back(
          fmt::format("  {} &{} 0 \\quad \\perp \\quad {} {} 0", contact.gap, side, contact.reaction, side));
      continue;
    }
    lines.push_back(fmt::format("  {} &{} 0, \\quad {} {} 0, \\quad {} \\left( {} \\right) = 0", contact.gap, side,
                                contact.reaction, side, contact.reaction, contact.gap));
  }
  return lines;
}

Json contacts_json(const std::vector<WrittenContact>& contacts) {
  auto list = Json::array();
  for (const WrittenContact& contact : contacts) {
    const std::string side = contact.is_upper ? " <= 0" : " >= 0";
    list.push_back({{"name", contact.name},
                    {"gap", contact.gap + side},
                    {"reaction", contact.reaction + side},
                    {"complementarity", contact.reaction + "*" + in_brackets(contact.gap) + " = 0"},
                    {"while_closed", contact.acceleration + side},
                    {"restitution", contact.restitution.empty() ? "0" : contact.restitution}});
  }
  return list;
}

std::vector<Expr> contact_terms(const Equations& equations) {
  std::vector<Expr> terms;
  const std::size_t size = equations.velocities.size();
  for (const ConstraintRow& contact : equations.contacts) {
    const std::size_t first = terms.size();
    terms.push_back(contact.position);
    terms.resize(first + 1 + size, equations.graph->constant(0));
    for (const Entry& entry : contact.jacobian) terms[first + 1 + entry.column] = entry.value;
    terms.push_back(contact.drift);
    if (contact.relation != Relation::less_equal) continue;
    for (std::size_t i = first; i < terms.size(); ++i) terms[i] = -terms[i];
  }
  return terms;
}

}  // namespace dalembert
