#pragma once
// A formula as one side of an equation: a sum of terms that can be read one by one.

#include <dalembert/expr/display.hpp>
#include <dalembert/expr/work.hpp>
#include <span>

namespace dalembert {

/// -(a + b) as -a - b.
Shown open_brackets(Shown shown);

/// The same formula with no minus before brackets, no denominator over a sum of which it divides some term, rates that
/// have the same factor together, as d*(x' - y'), and terms that read one of the names `first`, in this order, before
/// the others. Terms are made again in the graph given, within the work.
Shown lay_out_terms(Shown shown, std::span<const std::string> first, Graph& graph, Work& work);

}  // namespace dalembert
