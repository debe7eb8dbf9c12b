#pragma once
// What stands beside the scene, formulas term by term, each with where its value is.

#include <dalembert/report/page.hpp>

#include "report/document.hpp"

namespace dalembert {

/// [{ title, text, words, table: { head, rows }, lines: [{ section, name, left, right, remark }] }], where a side is
/// [{ latex, negative, value, vector }]. `value` is the place among the outputs of a program that is written to
/// `script`: (t, q, u, u', lambda) of the first tab's equations -> values of the terms; `vector` has the three of a
/// vector. Left out where a term has no number; what a tab has not is left out too.
Json describe_tabs(const std::vector<PageTab>& tabs, std::string& script);

}  // namespace dalembert
