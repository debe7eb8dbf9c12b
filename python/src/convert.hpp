#pragma once
// Values of the engine as Python objects.

#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <complex>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/groups.hpp>
#include <dalembert/study/geometry.hpp>
#include <dalembert/study/linearize.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dalembert::python {

namespace py = pybind11;

/// The expression of a formula as reports write it, in a graph of its own; None for an empty text.
py::object read_formula(const std::string& text);

/// A read-only array of what lies in memory that `owner` keeps.
template <class T>
py::object view(const T* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, py::handle owner) {
  py::array array(py::dtype::of<T>(), std::move(shape), std::move(strides), data, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}
template <class T>
py::object view(const T* data, std::size_t size, py::handle owner) {
  return view(data, {static_cast<py::ssize_t>(size)}, {sizeof(T)}, owner);
}

template <class T>
concept Number = std::same_as<T, double> || std::same_as<T, std::complex<double>>;

// How the enumerations are called in JSON.
std::string name_of(Status status);
std::string name_of(ConstraintKind kind);
std::string name_of(Verdict verdict);
std::string name_of(EulerKind kind);
std::string name_of(ExceptionalCase::Kind kind);

template <class T>
py::object to_python(const T& value, py::handle owner);

/// Rows of equal length as one array; else a list of them.
template <Number T>
py::object to_matrix(const std::vector<std::vector<T>>& rows, py::handle owner) {
  const std::size_t columns = rows.empty() ? 0 : rows[0].size();
  for (const auto& row : rows)
    if (row.size() != columns) {
      py::list list;
      for (const auto& each : rows) list.append(view(each.data(), each.size(), owner));
      return list;
    }
  py::array_t<T> array({rows.size(), columns});
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].begin(), rows[i].end(), array.mutable_data(i, 0));
  return array;
}

template <class T>
struct ToPython {
  static py::object make(const T& value, py::handle owner) {
    if constexpr (std::is_enum_v<T>)
      return py::cast(name_of(value));
    else
      return py::cast(&value, py::return_value_policy::reference_internal, owner);
  }
};
template <class T>
requires std::is_arithmetic_v<T> || std::same_as<T, std::string> || std::same_as<T, std::complex<double>>
struct ToPython<T> {
  static py::object make(const T& value, py::handle) { return py::cast(value); }
};
template <Number T>
struct ToPython<std::vector<T>> {
  static py::object make(const std::vector<T>& values, py::handle owner) {
    return view(values.data(), values.size(), owner);
  }
};
template <std::size_t size>
struct ToPython<std::array<double, size>> {
  static py::object make(const std::array<double, size>& values, py::handle owner) {
    return view(values.data(), size, owner);
  }
};
template <Number T>
struct ToPython<std::vector<std::vector<T>>> {
  static py::object make(const std::vector<std::vector<T>>& rows, py::handle owner) { return to_matrix(rows, owner); }
};
template <>
struct ToPython<NumberMatrix> {
  static py::object make(const NumberMatrix& m, py::handle owner) {
    const auto rows = static_cast<py::ssize_t>(m.rows), columns = static_cast<py::ssize_t>(m.columns);
    constexpr py::ssize_t width = sizeof(double);
    return view(m.values.data(), {rows, columns}, {columns * width, width}, owner);
  }
};
template <>
struct ToPython<NamedNumbers> {
  static py::object make(const NamedNumbers& numbers, py::handle) {
    py::dict dict;
    for (const auto& [name, value] : numbers) dict[py::str(name)] = value;
    return dict;
  }
};
template <class T>
struct ToPython<std::optional<T>> {
  static py::object make(const std::optional<T>& value, py::handle owner) {
    return value ? to_python(*value, owner) : py::none();
  }
};
template <class List>
py::object to_list(const List& values, py::handle owner) {
  py::list list;
  for (const auto& value : values) list.append(to_python(value, owner));
  return list;
}
template <class T>
struct ToPython<std::vector<T>> {
  static py::object make(const std::vector<T>& values, py::handle owner) { return to_list(values, owner); }
};
template <class T, std::size_t size>
struct ToPython<std::array<T, size>> {
  static py::object make(const std::array<T, size>& values, py::handle owner) { return to_list(values, owner); }
};
/// One square matrix a time: an array of three indices.
template <>
struct ToPython<std::vector<std::vector<std::vector<double>>>> {
  static py::object make(const std::vector<std::vector<std::vector<double>>>& values, py::handle owner) {
    return py::module_::import("numpy").attr("array")(to_list(values, owner));
  }
};

template <class T>
py::object to_python(const T& value, py::handle owner) {
  return ToPython<T>::make(value, owner);
}

}  // namespace dalembert::python
