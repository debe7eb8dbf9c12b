#pragma once
// A formula as one side of an equation: a sum of terms that can be read one by one.

#include <dalembert/expr/display.hpp>
#include <dalembert/expr/work.hpp>
#include <span>

namespace dalembert {

/// -(a + b) as -a - b.
Shown open_brackets(Shown shown);

/// (2*a + b)/2 as a + b/2, and c*(2*a + b)/2 as c*(a + b/2): numbers below a sum inside it, where they divide some of
/// its terms and nothing gets longer.
Shown divide_numbers(Shown shown);

/// More than twice as much to read as the expression that it was made from has as it stands.
bool has_swollen(const Shown& shown, Expr from);

/// The same formula with no minus before brackets, no denominator over a sum of which it divides some term, and rates
/// that have the same factor together, as d*(x' - y'). Terms are made again in the graph given, within the work.
Shown lay_out_terms(Shown shown, Graph& graph, Work& work);

/// Terms that read one of the names `first`, in this order, before the others.
void order_terms(Shown& shown, std::span<const std::string> first);

}  // namespace dalembert
