#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <dalembert/base/csv.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/report/sweep.hpp>
#include <map>

#include "base/fnv.hpp"
#include "report/document.hpp"

namespace dalembert {
namespace {

constexpr std::string_view chunk_word = "dalembert sweep chunk", end_word = "end";

void write_rows(const SweepTable& table, std::string& out) {
  const std::size_t columns = table.columns.size(), labels = table.labels.size();
  for (std::size_t row = 0; row < table.size(); ++row) {
    for (std::size_t k = 0; k < columns; ++k)
      out += (k == 0 ? "" : ",") + write_number(table.numbers[row * columns + k]);
    for (std::size_t k = 0; k < labels; ++k) out += "," + quote_csv(table.texts[row * labels + k]);
    out += '\n';
  }
}

[[noreturn]] void refuse_chunk(const std::string& file, std::size_t line, const std::string& problem) {
  throw InputError({file, {line, 0}, "", problem, "remove the file: the same command makes it again"});
}

/// The last line, by which a disk that has lost or changed something is found out.
std::string end_line(std::string_view before) {
  Fnv hash;
  hash.add(before);
  return fmt::format("{} {}\n", end_word, hash.digits());
}

/// The lines of a chunk's file, one after the other.
class Lines {
 public:
  Lines(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::string_view next() {
    const std::size_t end = text_.find('\n');
    ++number_;
    if (end == std::string_view::npos) refuse_chunk(file_, number_, "the file ends within a line");
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return line;
  }
  std::size_t number() const { return number_; }
  bool empty() const { return text_.empty(); }

 private:
  std::string_view text_;
  const std::string& file_;
  std::size_t number_ = 0;
};

double parse_number(const std::string& field, const std::string& file, std::size_t line) {
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size())
    refuse_chunk(file, line, fmt::format("'{}' is no number", field.substr(0, 40)));
  return value;
}

void read_row(SweepTable& table, const std::string& file, std::size_t number, std::string_view line) {
  const std::vector<std::string> fields = split_csv(file, number, line);
  if (fields.size() != table.columns.size() + table.labels.size())
    refuse_chunk(file, number, fmt::format("a row of {} values", fields.size()));
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (k < table.columns.size())
      table.numbers.push_back(parse_number(fields[k], file, number));
    else
      table.texts.push_back(fields[k]);
  }
}

/// The text is what write_chunk gave, to the last byte.
void check_end(std::string_view text, const std::string& file) {
  const std::size_t last = text.empty() ? 0 : text.rfind('\n', text.size() - 2) + 1;  // npos + 1 is 0
  if (!text.ends_with('\n') || text.substr(last) != end_line(text.substr(0, last)))
    refuse_chunk(file, 0, "the file is not as it was written");
}

}  // namespace

std::string write_csv(const SweepTable& table) {
  std::string out;
  for (const std::string& name : table.columns) out += (out.empty() ? "" : ",") + quote_csv(name);
  for (const std::string& name : table.labels) out += "," + quote_csv(name);
  out += '\n';
  write_rows(table, out);
  return out;
}

std::string write_json(const SweepResult& result) {
  Json document;
  for (const SweepTable& table : result.tables) {
    Json rows = Json::array();
    const std::size_t columns = table.columns.size(), labels = table.labels.size();
    for (std::size_t row = 0; row < table.size(); ++row) {
      Json numbers = Json::array();
      for (std::size_t k = 0; k < columns; ++k) {
        const double value = table.numbers[row * columns + k];
        numbers.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
      }
      rows.push_back(std::move(numbers));
    }
    Json& entry = document[table.name];
    entry["columns"] = table.columns;
    entry["rows"] = std::move(rows);
    for (std::size_t k = 0; k < labels; ++k) {
      Json texts = Json::array();
      for (std::size_t row = 0; row < table.size(); ++row) texts.push_back(table.texts[row * labels + k]);
      entry[table.labels[k]] = std::move(texts);
    }
  }
  return write_document(document, -1);
}

std::string write_summary(const SweepResult& result) {
  const SweepTable& runs = result["runs"];
  std::map<std::string, std::pair<std::size_t, std::string>> endings;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    auto& [count, message] = endings[runs.texts[2 * k]];
    if (++count == 1) message = runs.texts[2 * k + 1];
  }
  std::string text = fmt::format("{} runs\n", runs.size());
  TextTable table;
  for (const auto& [status, ending] : endings)
    table.add({status, std::to_string(ending.first), ending.second.empty() ? "" : "first: " + ending.second});
  return text + table.text(2);
}

std::string write_chunk(const SweepResult& result, const std::string& stamp) {
  std::string out = fmt::format("{} {}\n", chunk_word, stamp);
  for (const SweepTable& table : result.tables) {
    out += fmt::format("{} {}\n", table.name, table.size());
    write_rows(table, out);
  }
  return out + end_line(out);
}

bool is_chunk(std::string_view text, const std::string& stamp) {
  return text.starts_with(fmt::format("{} {}\n", chunk_word, stamp));
}

void read_chunk(std::string_view text, const std::string& file, const std::string& stamp, SweepResult& to) {
  check_end(text, file);
  Lines lines(text, file);
  if (lines.next() != fmt::format("{} {}", chunk_word, stamp))
    throw InputError({file, {1, 0}, "", "it was made by another study", "remove the folder, or give another --folder"});
  for (SweepTable& table : to.tables) {
    const std::string_view head = lines.next();
    std::size_t count = 0;
    const bool is_named = head.starts_with(table.name + " ");
    const char* end = head.data() + head.size();
    if (!is_named || std::from_chars(head.data() + table.name.size() + 1, end, count).ptr != end)
      refuse_chunk(file, lines.number(), "expected the rows of " + table.name);
    for (std::size_t row = 0; row < count; ++row) {
      const std::string_view line = lines.next();
      read_row(table, file, lines.number(), line);
    }
  }
  lines.next();
  if (!lines.empty()) refuse_chunk(file, lines.number(), "expected the end");
}

}  // namespace dalembert
