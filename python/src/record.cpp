#include "record.hpp"

#include <map>

namespace dalembert::python {
namespace {

struct FieldNote {
  std::string name, annotation;
};
/// By class, in the order bound.
std::map<std::string, std::vector<FieldNote>>& notes() {
  static std::map<std::string, std::vector<FieldNote>> all;
  return all;
}
std::map<std::type_index, std::string>& names() {
  static std::map<std::type_index, std::string> all;
  return all;
}

}  // namespace

void name_class(std::type_index type, const std::string& name) { names()[type] = name; }
const std::string& class_name(std::type_index type) { return names().at(type); }

void add_property(py::handle type, const char* name, const std::string& annotation, Getter getter) {
  const py::cpp_function get([getter = std::move(getter)](py::object self) { return getter(self); },
                             py::is_method(type));
  const py::handle property(reinterpret_cast<PyObject*>(&PyProperty_Type));
  type.attr(name) = property(get, py::none(), py::none(), annotation);
  notes()[type.attr("__name__").cast<std::string>()].push_back({name, annotation});
}

py::dict field_annotations() {
  py::dict all;
  for (const auto& [type, fields] : notes()) {
    py::list list;
    for (const FieldNote& field : fields) list.append(py::make_tuple(field.name, field.annotation));
    all[py::str(type)] = list;
  }
  return all;
}

std::string describe(py::object self) {
  constexpr std::size_t longest = 60;  // characters of a field
  const auto name = py::type::handle_of(self).attr("__name__").cast<std::string>();
  std::string text = name + "(";
  for (const FieldNote& field : notes()[name]) {
    std::string value = py::repr(self.attr(field.name.c_str()));
    if (value.size() > longest || value.find('\n') != std::string::npos) value = "...";
    text += (text.back() == '(' ? "" : ", ") + field.name + "=" + value;
  }
  return text + ")";
}

std::string name_of(Status status) { return std::string(status_name(status)); }

}  // namespace dalembert::python
