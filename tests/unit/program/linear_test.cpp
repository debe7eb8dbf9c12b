#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/linear.hpp>
#include <dalembert/program/program.hpp>
#include <random>

#include "support/larger.hpp"
#include "unit/program/agreement.hpp"

using namespace dalembert;

namespace {

struct System {
  std::vector<std::vector<Expr>> matrix;
  std::vector<std::vector<double>> numbers;
  std::vector<Expr> inputs, right_side;
  std::vector<double> values;
};

/// A diagonally dominant symmetric matrix of symbols, of the given density.
System make_system(Graph& g, std::mt19937_64& random, std::size_t size, double density) {
  std::uniform_real_distribution<double> number(-1, 1), chance(0, 1);
  System system;
  system.matrix.assign(size, std::vector<Expr>(size, g.constant(0)));
  system.numbers.assign(size, std::vector<double>(size, 0));
  auto make = [&](double value) {
    system.inputs.push_back(g.symbol(fmt::format("s{}", system.inputs.size())));
    system.values.push_back(value);
    return system.inputs.back();
  };
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      if (i != j && chance(random) > density) continue;
      double value = i == j ? static_cast<double>(size) + 1 : number(random);
      system.matrix[i][j] = system.matrix[j][i] = make(value);
      system.numbers[i][j] = system.numbers[j][i] = value;
    }
  for (std::size_t i = 0; i < size; ++i) system.right_side.push_back(make(number(random)));
  return system;
}

/// Largest residual of A x = b; A is well conditioned, so it is a few roundings of numbers of order one a row.
double residual(const System& system, const std::vector<double>& solution) {
  std::size_t size = solution.size();
  double worst = 0;
  for (std::size_t i = 0; i < size; ++i) {
    double sum = -system.values[system.values.size() - size + i];
    for (std::size_t j = 0; j < size; ++j) sum += system.numbers[i][j] * solution[j];
    worst = testing_support::larger(worst, sum);
  }
  return worst;
}

TEST(Linear, UnrolledFactorsSolveTheSystem) {
  std::mt19937_64 random(5);
  for (std::size_t size : {1u, 2u, 3u, 10u, 40u})
    for (double density : {0.1, 1.0}) {
      Graph g;
      System system = make_system(g, random, size, density);
      SymmetricRows rows = make_symmetric_rows(system.matrix);
      for (auto order : {std::vector<std::uint32_t>{}, minimum_degree_order(rows)}) {
        Function function =
            compile(make_program(system.inputs, {}, solve_ldlt(factor_ldlt(rows, order), system.right_side)));
        Scratch scratch = function.make_scratch();
        std::vector<double> solution(size);
        function.evaluate(scratch, system.values, solution);
        EXPECT_LT(residual(system, solution), 4.0 * static_cast<double>(size) * 2.3e-16 * 4) << size << " " << density;
      }
    }
}

/// b A^-1 b = z D^-1 z with L z = P b: the half of the solve against the whole.
TEST(Linear, TheLowerHalfGivesTheQuadraticForm) {
  std::mt19937_64 random(8);
  for (std::size_t size : {1u, 4u, 15u}) {
    Graph g;
    System system = make_system(g, random, size, 0.5);
    SymmetricRows rows = make_symmetric_rows(system.matrix);
    for (auto order : {std::vector<std::uint32_t>{}, minimum_degree_order(rows)}) {
      LdltFactor factor = factor_ldlt(rows, order);
      std::vector<Expr> half = solve_lower(factor, system.right_side), whole = solve_ldlt(factor, system.right_side);
      std::vector<Expr> by_half, by_whole;
      for (std::size_t i = 0; i < size; ++i) {
        by_half.push_back(half[i] * half[i] * factor.reciprocal[i]);
        by_whole.push_back(system.right_side[i] * whole[i]);
      }
      Function function = compile(make_program(system.inputs, {}, std::vector{g.sum(by_half), g.sum(by_whole)}));
      Scratch scratch = function.make_scratch();
      std::vector<double> values(2);
      function.evaluate(scratch, system.values, values);
      // A has its rows' sums of order size, b is of order one: few roundings a row of numbers below one.
      EXPECT_NEAR(values[0], values[1], 16 * static_cast<double>(size) * 2.3e-16) << size;
    }
  }
}

/// Constants are exact, so the residuals of both equations are zero as they stand.
TEST(Linear, ASaddlePointSolvesBothItsEquationsExactly) {
  std::mt19937_64 random(11);
  std::uniform_int_distribution<long> number(-4, 4);
  for (auto [size, rows] : {std::pair<std::uint32_t, std::size_t>{1, 0}, {3, 1}, {6, 3}}) {
    Graph g;
    std::vector<std::vector<Expr>> m(size, std::vector<Expr>(size)), a(rows, std::vector<Expr>(size));
    for (std::uint32_t i = 0; i < size; ++i)
      for (std::uint32_t j = 0; j <= i; ++j) m[i][j] = m[j][i] = g.constant(i == j ? 30 : number(random));
    std::vector<std::vector<Entry>> sparse(rows);
    std::vector<Expr> b, c;
    for (std::uint32_t i = 0; i < size; ++i) b.push_back(g.constant(number(random)));
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::uint32_t i = 0; i < size; ++i) a[r][i] = g.constant(i == r ? 7 : i % 2 == 0 ? number(random) : 0);
      for (std::uint32_t i = 0; i < size; ++i)
        if (!a[r][i].is_zero()) sparse[r].push_back({i, a[r][i]});
      c.push_back(g.constant(number(random)));
    }
    const SaddleSolution found = solve_saddle(make_symmetric_rows(m), b, sparse, c);
    ASSERT_EQ(found.x.size(), size);
    ASSERT_EQ(found.y.size(), rows);
    for (std::size_t i = 0; i < size; ++i) {
      Expr left = b[i];
      for (std::size_t j = 0; j < size; ++j) left = left + m[i][j] * found.x[j];
      for (std::size_t r = 0; r < rows; ++r) left = left - a[r][i] * found.y[r];
      EXPECT_TRUE(left.is_zero()) << size << ", equation " << i;
    }
    for (std::size_t r = 0; r < rows; ++r) {
      Expr left = c[r];
      for (std::size_t i = 0; i < size; ++i) left = left + a[r][i] * found.x[i];
      EXPECT_TRUE(left.is_zero()) << size << ", row " << r;
    }
  }
}

TEST(Linear, WhatCannotBeSolvedIsRefused) {
  Graph g;
  Expr a = g.symbol("a"), zero = g.constant(0);
  EXPECT_THROW(factor_ldlt(SymmetricRows(2)), InputError);
  EXPECT_THROW(factor_ldlt(make_symmetric_rows({{a, zero}, {zero, zero}})), InputError);
  EXPECT_THROW(factor_ldlt(make_symmetric_rows({{zero, a}, {a, a}})), InputError);
  EXPECT_THROW(factor_ldlt(make_symmetric_rows({{a, zero}, {zero, a}}), {0, 0}), InputError);
  EXPECT_THROW(factor_ldlt(make_symmetric_rows({{a, zero}, {zero, a}}), {1}), InputError);
  LdltFactor factor = factor_ldlt(make_symmetric_rows({{a}}));
  EXPECT_THROW(solve_ldlt(factor, {}), InputError);
  EXPECT_THROW(solve_lower(factor, std::vector{a, a}), InputError);
  EXPECT_THROW(solve_upper(factor, std::vector{a, a}), InputError);
}

TEST(Linear, EntriesOfTheFactorMultiplyByOneReciprocal) {
  std::mt19937_64 random(6);
  Graph g;
  System system = make_system(g, random, 6, 1);
  Program program =
      make_program(system.inputs, {}, solve_ldlt(factor_ldlt(make_symmetric_rows(system.matrix)), system.right_side));
  EXPECT_EQ(std::ranges::count(program.body.code, Opcode::div, &Instruction::op), 6);
  // n(n-1)/2 scalings, n(n^2-1)/6 fused updates, n(n-1) fused substitutions, n scalings, n reciprocals
  EXPECT_EQ(program.instruction_count(), 15u + 35u + 30u + 6u + 6u);
  EXPECT_TRUE(g.flatten);
}

TEST(Linear, AnArrowIsFactoredWithoutFillInTheRightOrder) {
  Graph g;
  std::size_t size = 20;
  std::vector<std::vector<Expr>> matrix(size, std::vector<Expr>(size, g.constant(0)));
  for (std::size_t i = 0; i < size; ++i) {
    matrix[i][i] = g.symbol(fmt::format("d{}", i));
    if (i != 0) matrix[i][0] = matrix[0][i] = g.symbol(fmt::format("a{}", i));
  }
  SymmetricRows rows = make_symmetric_rows(matrix);
  auto fill = [&](std::vector<std::uint32_t> order) {
    std::size_t entries = 0;
    for (const auto& row : factor_ldlt(rows, std::move(order)).lower) entries += row.size();
    return entries;
  };
  EXPECT_EQ(fill({}), size * (size - 1) / 2);
  EXPECT_EQ(fill(minimum_degree_order(rows)), size - 1);
}

TEST(Linear, NothingIsNoSystem) {
  EXPECT_TRUE(factor_ldlt({}).diagonal.empty());
  EXPECT_TRUE(solve_ldlt({}, {}).empty());
}

}  // namespace
