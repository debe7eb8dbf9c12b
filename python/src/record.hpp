#pragma once
// A result struct as a Python class of named, read-only fields: declared once, filled from one list of members. What a
// field becomes follows from its type alone: numbers in a row are NumPy arrays that look into the struct and keep it
// alive, lists of structs are lists of their classes, what is absent is None.

#include <dalembert/study/linearize.hpp>
#include <functional>
#include <typeindex>

#include "convert.hpp"

namespace dalembert::python {

using Getter = std::function<py::object(py::handle self)>;

// --- not templates, so that they are compiled once

/// A read-only property; its type is kept for the stubs.
void add_property(py::handle type, const char* name, const std::string& annotation, Getter getter);
/// "Reaction(name='along', value=0.5)": the fields that say something in a line.
std::string describe(py::object self);
/// What stubs are written from: {class: [(field, annotation), ...]}.
py::dict field_annotations();
void name_class(std::type_index type, const std::string& name);
const std::string& class_name(std::type_index type);

// --- what a type is called in the stubs

template <class T>
struct Annotation {
  static std::string name() { return class_name(typeid(T)); }
};
#define DALEMBERT_ANNOTATION(TYPE, NAME)       \
  template <>                                  \
  struct Annotation<TYPE> {                    \
    static std::string name() { return NAME; } \
  };
DALEMBERT_ANNOTATION(bool, "bool")
DALEMBERT_ANNOTATION(double, "float")
DALEMBERT_ANNOTATION(std::size_t, "int")
DALEMBERT_ANNOTATION(std::complex<double>, "complex")
DALEMBERT_ANNOTATION(std::string, "str")
DALEMBERT_ANNOTATION(std::vector<double>, "NDArray[np.float64]")
DALEMBERT_ANNOTATION(std::vector<std::vector<double>>, "NDArray[np.float64]")
DALEMBERT_ANNOTATION(std::vector<std::vector<std::vector<double>>>, "NDArray[np.float64]")
DALEMBERT_ANNOTATION(std::vector<std::complex<double>>, "NDArray[np.complex128]")
DALEMBERT_ANNOTATION(std::vector<std::vector<std::complex<double>>>, "NDArray[np.complex128]")
DALEMBERT_ANNOTATION(NumberMatrix, "NDArray[np.float64]")
DALEMBERT_ANNOTATION(NamedNumbers, "dict[str, float]")
#undef DALEMBERT_ANNOTATION
template <class T>
requires std::is_enum_v<T>
struct Annotation<T> {
  static std::string name() { return "str"; }
};
template <class T>
struct Annotation<std::vector<T>> {
  static std::string name() { return "list[" + Annotation<T>::name() + "]"; }
};
template <std::size_t size>
struct Annotation<std::array<double, size>> {
  static std::string name() { return "NDArray[np.float64]"; }
};
template <class T, std::size_t size>
struct Annotation<std::array<T, size>> {
  static std::string name() { return "list[" + Annotation<T>::name() + "]"; }
};
template <class T>
struct Annotation<std::optional<T>> {
  static std::string name() { return Annotation<T>::name() + " | None"; }
};

/// The class of a struct, declared by declare(): first all of them, then their members, so that signatures know each
/// other's names.
template <class T>
class Record {
 public:
  using Class = py::class_<T, std::shared_ptr<T>>;

  static void declare(py::module_& module, const char* name, const char* doc) {
    Class(module, name, doc).attr("__repr__") = py::cpp_function(describe, py::name("__repr__"), py::is_method(module));
    name_class(typeid(T), name);
  }

  Record() : class_(py::reinterpret_borrow<py::object>(py::type::of<T>())) {}

  template <class V>
  Record& field(const char* name, V T::*member) {
    return property(name, Annotation<V>::name(),
                    [member](const T& self, py::handle owner) { return to_python(self.*member, owner); });
  }
  /// A formula as text, seen as an expression; None where there is none.
  Record& formula(const char* name, std::string T::*member) {
    return property(name, "Expr | None", [member](const T& self, py::handle) { return read_formula(self.*member); });
  }
  /// Several; a component without a formula is None.
  template <class List>
  Record& formulas(const char* name, List T::*member) {
    return property(name, "list[Expr | None]", [member](const T& self, py::handle) {
      py::list list;
      for (const std::string& text : self.*member) list.append(read_formula(text));
      return py::object(std::move(list));
    });
  }
  template <class Get>
  Record& property(const char* name, const std::string& annotation, Get get) {
    add_property(class_, name, annotation,
                 [get](py::handle self) { return py::object(get(self.cast<const T&>(), self)); });
    return *this;
  }
  /// In place of the list of its fields.
  template <class Write>
  Record& shown_as(Write text) {
    for (const char* name : {"__repr__", "__str__"})
      class_.attr(name) = py::cpp_function(text, py::name(name), py::is_method(class_));
    return *this;
  }
  /// What the command prints, and its JSON document.
  Record& reported(std::string (*text)(const T&), std::string (*json)(const T&)) {
    shown_as(text);
    if (json != nullptr) class_.def("to_json", json, "The document of the command with --json.");
    return *this;
  }
  Record& typeset(std::string (*latex)(const T&)) {
    class_.def("latex", latex, "LaTeX, as the command writes it with --as latex.");
    return *this;
  }
  Class& type() { return class_; }

 private:
  Class class_;
};

}  // namespace dalembert::python
