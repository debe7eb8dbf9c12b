#include <dalembert/base/failure.hpp>
#include <dalembert/base/printable.hpp>

namespace dalembert {

std::string to_text(const Complaint& complaint) {
  std::string text = complaint.file;
  if (complaint.place.line != 0) {
    if (!text.empty()) text += ':';
    text += std::to_string(complaint.place.line);
    if (complaint.place.column != 0) text += ':' + std::to_string(complaint.place.column);
  }
  if (!text.empty()) text += ": ";
  if (!complaint.key.empty()) text += complaint.key + ": ";
  text += complaint.problem;
  if (!complaint.remedy.empty()) text += "; " + complaint.remedy;
  return printable(text);
}

OutputError::OutputError(Complaint complaint)
    : std::runtime_error(to_text(complaint)), complaint_(std::move(complaint)) {}

InputError::InputError(Complaint complaint)
    : std::runtime_error(to_text(complaint)), complaint_(std::move(complaint)) {}

}  // namespace dalembert
