#pragma once
// The expressions inside a value made of plain structs. A struct takes part through a function `fields` that names all
// its members in a structured binding: a member added later does not compile until it is named there too.

#include <concepts>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/expr.hpp>
#include <memory>
#include <ranges>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace dalembert {

/// T is Of, or const Of.
template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

/// What holds no expression, whatever its value; other types may join.
template <class T>
inline constexpr bool holds_no_expr = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <>
inline constexpr bool holds_no_expr<std::string> = true;
template <>
inline constexpr bool holds_no_expr<Place> = true;

template <class T, class U>
auto fields(std::pair<T, U>& x) {
  return std::tie(x.first, x.second);
}
template <class T, class U>
auto fields(const std::pair<T, U>& x) {
  return std::tie(x.first, x.second);
}
auto fields(Is<Replacement> auto& x) {
  auto& [symbol, by] = x;
  return std::tie(symbol, by);
}

/// Calls visit(Expr&) for each expression in `value` that is not empty, in the order of members, and
/// visit(std::shared_ptr<Graph>&) for each owner of a graph if `visit` takes that. What is shared and const is copied
/// before it is visited, so that nobody else sees a change; reading a const value copies nothing.
template <class T, class Visit>
void for_each_expr(T& value, Visit&& visit) {
  if constexpr (Is<T, Expr>) {
    if (value) visit(value);
  } else if constexpr (Is<T, std::shared_ptr<Graph>>) {
    if constexpr (std::invocable<Visit&, T&>) visit(value);
  } else if constexpr (holds_no_expr<std::remove_const_t<T>>) {
  } else if constexpr (std::ranges::range<T>) {
    for (auto& each : value) for_each_expr(each, visit);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) for_each_expr(*value, visit);
  } else if constexpr (requires { value.use_count(); }) {
    if (!value) return;
    if constexpr (std::is_const_v<T>) {
      for_each_expr(*value, visit);
    } else {
      auto own = std::make_shared<std::remove_const_t<typename T::element_type>>(*value);
      for_each_expr(*own, visit);
      value = std::move(own);
    }
  } else {
    std::apply([&](auto&... parts) { (for_each_expr(parts, visit), ...); }, fields(value));
  }
}

/// Takes every expression in `value`, and every owner of their graph, to a copy of that graph.
template <class T>
void rebind_all(T& value, const std::shared_ptr<Graph>& copy) {
  struct {
    const std::shared_ptr<Graph>& copy;
    void operator()(Expr& expression) const { expression = rebind(expression, *copy); }
    void operator()(std::shared_ptr<Graph>& owner) const { owner = copy; }
  } visit{copy};
  for_each_expr(value, visit);
}

}  // namespace dalembert
