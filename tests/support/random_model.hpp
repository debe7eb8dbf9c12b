#pragma once
// Seeded models that are right as texts and whatever they happen to be as mechanics: singular, indefinite,
// contradictory, without inertia, with jumps, with numbers far from one.

#include <random>
#include <string>
#include <vector>

namespace dalembert::testing_support {

class ModelMaker {
 public:
  explicit ModelMaker(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::string make() {
    coordinates_ = {"x", "y", "z", "a"};
    coordinates_.resize(1 + below(4));
    std::string text = "[parameters]\nm = " + number() + "\nk = " + number() + "\n[inputs]\nu = 0\n[coordinates]\n";
    for (const std::string& name : coordinates_) {
      const bool guess = below(6) == 0;
      text += name + (guess ? " = { guess = " : " = { value = ") + number() +
              (guess ? ", rate_guess = " : ", rate = ") + number() + " }\n";
    }
    text += below(4) == 0 ? points() : energy();
    text += constraints();
    if (below(2) == 0) text += "[forces]\n" + coordinate() + " = \"u + " + formula(2) + "\"\n";
    if (below(4) == 0) text += "[events]\nhere = { when = \"" + formula(2) + "\", stop = true }\n";
    if (below(4) == 0) text += "[outputs]\nout = \"" + formula(2) + "\"\n";
    text += studies();
    return text + "[simulate]\nuntil = 1\nevery = 0.25\n";
  }

 private:
  std::string number() {
    static const std::vector<std::string> odd = {"0", "1", "-1", "1e-12", "1e12", "1e-320", "1e300", "0.5", "2"};
    if (below(3) == 0) return odd[below(odd.size())];
    return std::to_string(std::uniform_real_distribution<double>(-2, 2)(random_));
  }
  const std::string& coordinate() { return coordinates_[below(coordinates_.size())]; }

  std::string atom() {
    switch (below(6)) {
      case 0: return "t";
      case 1: return "k";
      case 2: return number();
      case 3: return coordinate() + "'";
      default: return coordinate();
    }
  }
  std::string formula(std::size_t depth) {
    if (depth == 0) return atom();
    static const std::vector<std::string> functions = {"sin",  "cos", "exp", "sqrt", "abs",
                                                       "sign", "log", "tan", "asin"};
    static const std::vector<std::string> operators = {" + ", " - ", "*", "/"};
    switch (below(5)) {
      case 0: return functions[below(functions.size())] + "(" + formula(depth - 1) + ")";
      case 1: return "(" + formula(depth - 1) + ")^" + std::to_string(below(5));
      case 2: return atom();
      default: return "(" + formula(depth - 1) + operators[below(4)] + formula(depth - 1) + ")";
    }
  }

  std::string energy() {
    std::string kinetic;
    for (const std::string& name : coordinates_) {
      if (below(8) == 0) continue;  // no inertia
      const std::string factor = below(3) == 0 ? "(" + formula(1) + ")" : below(2) == 0 ? "m" : "1";
      kinetic += (kinetic.empty() ? "" : " + ") + factor + "*" + name + "'^2/2";
    }
    if (below(4) == 0) kinetic += (kinetic.empty() ? "" : " + ") + coordinate() + "'*" + coordinate() + "'/3";
    return "[energy]\nkinetic = \"" + (kinetic.empty() ? "0" : kinetic) + "\"\npotential = \"" + formula(3) + "\"\n";
  }

  std::string points() {
    std::string points;
    for (std::size_t i = 0; i <= below(2); ++i)
      points += "[points.p" + std::to_string(i) + "]\nposition = [\"" + formula(1) + "\", \"" + coordinate() +
                "\", \"" + formula(1) + "\"]\nmass = " + (below(6) == 0 ? "0" : "\"m^2\"") + "\n";
    return points + "[energy]\npotential = \"" + formula(2) + "\"\n";
  }

  std::string constraints() {
    std::string text = "[constraints]\n";
    static const std::vector<std::string> relations = {" = ", " = ", " = ", " >= "};
    for (std::size_t i = below(4); i > 0; --i) {
      const std::string left =
          below(2) == 0 ? coordinate() + "' - (" + formula(1) + ")*" + coordinate() + "'" : formula(2);
      text +=
          "c" + std::to_string(i) + " = \"" + left + relations[below(4)] + (below(3) == 0 ? number() : "0") + "\"\n";
    }
    return text;
  }

  std::string studies() {
    std::string text;
    if (below(3) == 0)
      text += "[inverse]\nfollow = { \"" + coordinate() + "\" = \"" + (below(2) == 0 ? "sin(t)" : "t^2/2") +
              "\" }\nby = [\"u\"]\n";
    if (below(3) == 0)
      text +=
          "[periodic]\nsection = \"" + coordinate() + "' = 0\"\nfree = [\"" + coordinate() + "\", \"T\"]\nperiod = 2\n";
    if (below(6) == 0) text += "[steady]\nconstant = [\"" + coordinate() + (below(2) == 0 ? "'" : "") + "\"]\n";
    return text;
  }

  std::mt19937_64 random_;
  std::vector<std::string> coordinates_;
};

}  // namespace dalembert::testing_support
