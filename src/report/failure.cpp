#include <dalembert/base/work_limit.hpp>
#include <dalembert/report/report.hpp>
#include <new>
#include <system_error>

#include "report/document.hpp"

namespace dalembert {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json count_or_null(std::size_t count) { return count == 0 ? Json() : Json(count); }

/// Memory also ends in calls of the system (a path made canonical), which have an error of their own for it.
bool tells_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  return system != nullptr && system->code() == std::errc::not_enough_memory;
}

}  // namespace

Failure describe_failure(const std::exception& error) {
  constexpr int wrong_input = 2, cannot_go_on = 3, fault = 4;
  if (const auto* input = dynamic_cast<const InputError*>(&error)) return {wrong_input, input->complaint()};
  if (const auto* output = dynamic_cast<const OutputError*>(&error)) return {cannot_go_on, output->complaint()};
  if (dynamic_cast<const LimitError*>(&error) != nullptr)
    return {cannot_go_on, {"", {}, "--limit-work", error.what(), "allow more, or use a smaller model"}};
  if (dynamic_cast<const ComputationError*>(&error) != nullptr)
    return {cannot_go_on, {"", {}, "", std::string("the computation could not go on: ") + error.what(), ""}};
  if (tells_of_memory(error))
    return {cannot_go_on,
            {"", {}, "", "there is not enough memory", "use a smaller model or fewer rows, or raise --limit-memory"}};
  return {fault,
          {"",
           {},
           "",
           std::string("a fault of dalembert itself, not of the input (") + error.what() + ")",
           "please report it with this message, the command and the model"}};
}

std::string write_json(const Failure& failure) {
  const Complaint& complaint = failure.complaint;
  return write_document({{"error",
                          {{"status", failure.status},
                           {"file", text_or_null(complaint.file)},
                           {"line", count_or_null(complaint.place.line)},
                           {"column", count_or_null(complaint.place.column)},
                           {"key", text_or_null(complaint.key)},
                           {"problem", complaint.problem},
                           {"remedy", text_or_null(complaint.remedy)}}}});
}

}  // namespace dalembert
