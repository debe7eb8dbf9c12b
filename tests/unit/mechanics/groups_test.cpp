#include <gtest/gtest.h>

#include <dalembert/mechanics/groups.hpp>
#include <random>

using namespace dalembert;

namespace {

using Rational = std::vector<std::vector<mpq_class>>;

/// Structure constants by the brackets [X_i, X_j] = number X_k, indices from 1.
class Brackets {
 public:
  explicit Brackets(std::size_t size) : c_(size, Rational(size, std::vector<mpq_class>(size, 0))) {}
  Brackets& set(std::size_t i, std::size_t j, std::size_t k, const mpq_class& value) {
    c_[i - 1][j - 1][k - 1] = value;
    c_[j - 1][i - 1][k - 1] = -value;
    return *this;
  }
  std::size_t size() const { return c_.size(); }
  StructureConstants in(Graph& graph) const {
    StructureConstants result(size(), std::vector<std::vector<Expr>>(size(), std::vector<Expr>(size())));
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < size(); ++j)
        for (std::size_t k = 0; k < size(); ++k) result[i][j][k] = graph.constant(c_[i][j][k]);
    return result;
  }
  /// In the basis Y = P X.
  Brackets changed(const Rational& p) const {
    Rational inverse = inverted(p);
    Brackets result(size());
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < size(); ++j)
        for (std::size_t a = 0; a < size(); ++a)
          for (std::size_t b = 0; b < size(); ++b)
            for (std::size_t k = 0; k < size(); ++k)
              for (std::size_t l = 0; l < size(); ++l)
                result.c_[i][j][l] += p[i][a] * p[j][b] * c_[a][b][k] * inverse[k][l];
    return result;
  }

 private:
  static Rational inverted(Rational m) {
    const std::size_t n = m.size();
    Rational right(n, std::vector<mpq_class>(n, 0));
    for (std::size_t i = 0; i < n; ++i) right[i][i] = 1;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      while (m[pivot][k] == 0) ++pivot;
      std::swap(m[k], m[pivot]);
      std::swap(right[k], right[pivot]);
      const mpq_class scale = m[k][k];
      for (std::size_t j = 0; j < n; ++j) m[k][j] /= scale, right[k][j] /= scale;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == k) continue;
        const mpq_class factor = m[i][k];
        for (std::size_t j = 0; j < n; ++j) m[i][j] -= factor * m[k][j], right[i][j] -= factor * right[k][j];
      }
    }
    return right;
  }
  std::vector<Rational> c_;
};

Brackets so3() { return Brackets(3).set(1, 2, 3, 1).set(2, 3, 1, 1).set(3, 1, 2, 1); }

struct Known {
  const char* name;
  const char* kind;
  bool compact;
  Brackets brackets;
};

/// Translations first: [P_i, P_j] = 0, [M_i, P_j] = e_ijk P_k, [M_i, M_j] = e_ijk M_k.
Brackets se3() {
  Brackets b(6);
  b.set(4, 5, 6, 1).set(5, 6, 4, 1).set(6, 4, 5, 1);
  b.set(4, 2, 3, 1).set(4, 3, 2, -1).set(5, 3, 1, 1).set(5, 1, 3, -1).set(6, 1, 2, 1).set(6, 2, 1, -1);
  return b;
}

std::vector<Known> known_groups() {
  return {
      {"R^3", "abelian", false, Brackets(3)},
      {"Heisenberg", "nilpotent", false, Brackets(3).set(1, 2, 3, 1)},
      {"Heisenberg(5)", "nilpotent", false, Brackets(5).set(1, 2, 5, 1).set(3, 4, 5, 2)},
      {"aff(1)", "solvable", false, Brackets(2).set(1, 2, 2, 1)},
      {"se(2)", "solvable", false, Brackets(3).set(1, 3, 2, -1).set(2, 3, 1, 1)},
      {"se(1,1)", "solvable", false, Brackets(3).set(1, 3, 2, 1).set(2, 3, 1, 1)},
      {"so(3)", "semisimple", true, so3()},
      {"sl(2,R)", "semisimple", false, Brackets(3).set(1, 2, 2, 2).set(1, 3, 3, -2).set(2, 3, 1, 1)},
      {"se(3)", "mixed", false, se3()},
      {"so(3) + R^3", "reductive", false, Brackets(6).set(1, 2, 3, 1).set(2, 3, 1, 1).set(3, 1, 2, 1)},
      {"so(3) + so(3)", "semisimple", true,
       Brackets(6).set(1, 2, 3, 1).set(2, 3, 1, 1).set(3, 1, 2, 1).set(4, 5, 6, 1).set(5, 6, 4, 1).set(6, 4, 5, 1)},
      {"so(3) + sl(2,R)", "semisimple", false,
       Brackets(6).set(1, 2, 3, 1).set(2, 3, 1, 1).set(3, 1, 2, 1).set(4, 5, 5, 2).set(4, 6, 6, -2).set(5, 6, 4, 1)},
      {"Heisenberg + R^2", "nilpotent", false, Brackets(5).set(2, 4, 5, 1)},
      {"so(3) + se(2)", "mixed", false,
       Brackets(6).set(1, 2, 3, 1).set(2, 3, 1, 1).set(3, 1, 2, 1).set(4, 6, 5, -1).set(5, 6, 4, 1)},
  };
}

TEST(Groups, UsualOnesAreKnownByNameAndKind) {
  for (const Known& known : known_groups()) {
    Graph graph;
    std::optional<Group> group = classify_group(known.brackets.in(graph));
    ASSERT_TRUE(group) << known.name;
    EXPECT_EQ(group->name, known.name);
    EXPECT_EQ(group->kind, known.kind) << known.name;
    EXPECT_EQ(group->is_compact, known.compact) << known.name;
    EXPECT_TRUE(group->satisfies_jacobi) << known.name;
  }
}

TEST(Groups, TheBasisDoesNotMatter) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> entry(-3, 3);
  for (const Known& known : known_groups()) {
    const std::size_t n = known.brackets.size();
    // A unit lower times a unit upper triangle: invertible, whole, far from sparse.
    Rational lower(n, std::vector<mpq_class>(n, 0)), upper = lower;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (j <= i) lower[i][j] = i == j ? 1 : entry(random);
        if (j >= i) upper[i][j] = i == j ? 1 : entry(random);
      }
    Rational mixed(n, std::vector<mpq_class>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) mixed[i][j] += lower[i][k] * upper[k][j];
    Graph graph;
    std::optional<Group> group = classify_group(known.brackets.changed(mixed).in(graph));
    ASSERT_TRUE(group) << known.name;
    EXPECT_EQ(group->name, known.name);
    EXPECT_EQ(group->kind, known.kind) << known.name;
  }
}

TEST(Groups, SeriesAndKillingForm) {
  Graph graph;
  std::optional<Group> plane = classify_group(Brackets(3).set(1, 3, 2, -1).set(2, 3, 1, 1).in(graph));
  EXPECT_EQ(plane->derived, (std::vector<std::size_t>{3, 2, 0}));
  EXPECT_EQ(plane->lower_central, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(plane->centre, 0u);
  std::optional<Group> rotations = classify_group(so3().in(graph));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(rotations->killing[i][j], graph.constant(i == j ? -2 : 0));
  EXPECT_EQ(rotations->signature, (std::array<std::size_t, 2>{0, 3}));
}

TEST(Groups, NumbersMayBeIrrational) {
  Graph graph;
  Expr root = sqrt(graph.constant(2));
  StructureConstants c = Brackets(3).in(graph);
  auto set = [&](std::size_t i, std::size_t j, std::size_t k, Expr value) {
    c[i][j][k] = value;
    c[j][i][k] = -value;
  };
  set(0, 1, 2, root);
  set(1, 2, 0, root);
  set(2, 0, 1, 3 - 2 * root);
  EXPECT_EQ(classify_group(c)->name, "so(3)");
  set(2, 0, 1, root - 2);  // negative
  EXPECT_EQ(classify_group(c)->name, "sl(2,R)");
  set(2, 0, 1, pow(root, 2) - 2);  // zero
  EXPECT_EQ(classify_group(c)->name, "se(2)");
}

TEST(Groups, ConstantsThatAreNotOfAnAlgebraAreNoticed) {
  Graph graph;
  std::optional<Group> group = classify_group(Brackets(3).set(1, 2, 1, 1).set(2, 3, 1, 1).set(1, 3, 3, 1).in(graph));
  ASSERT_TRUE(group);
  EXPECT_FALSE(group->satisfies_jacobi);
}

}  // namespace
