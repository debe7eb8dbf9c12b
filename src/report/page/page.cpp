#include <fmt/format.h>

#include <algorithm>
#include <dalembert/base/printable.hpp>
#include <dalembert/program/javascript.hpp>
#include <dalembert/report/page.hpp>
#include <dalembert/report/report.hpp>

#include "report/dense_terms.hpp"
#include "report/document.hpp"
#include "report/page/assets.hpp"
#include "report/page/html.hpp"
#include "report/page/live.hpp"
#include "report/page/tabs.hpp"

namespace dalembert {
namespace {

// --- formulas of the scene as one program, and where its outputs are

class SceneOutputs {
 public:
  explicit SceneOutputs(const Scene& scene) : scene_(scene) {}

  template <class List>
  std::size_t add(const List& formulas) {
    const std::size_t offset = outputs_.size();
    outputs_.insert(outputs_.end(), formulas.begin(), formulas.end());
    return offset;
  }
  std::string javascript() const {
    return write_javascript(make_program(scene_inputs(*scene_.model), parameter_symbols(*scene_.model), outputs_));
  }

 private:
  const Scene& scene_;
  std::vector<Expr> outputs_;
};

Json describe_places(const Scene& scene, SceneOutputs& outputs) {
  Json places = Json::array();
  for (const ScenePlace& place : scene.places) {
    Json one{{"name", place.name}, {"at", outputs.add(place.position)}};
    if (place.rotation) {
      one["turn"] = outputs.add((*place.rotation)[0]);
      outputs.add((*place.rotation)[1]);
      outputs.add((*place.rotation)[2]);
    }
    places.push_back(std::move(one));
  }
  return places;
}

Json describe_shapes(const Scene& scene, SceneOutputs& outputs) {
  Json shapes = Json::array();
  for (const SceneShape& shape : scene.shapes) {
    Json one{{"kind", shape_name(shape.kind)}, {"name", shape.name}, {"at", shape.at}};
    if (shape.to) one["to"] = *shape.to;
    if (!shape.size.empty()) one["size"] = outputs.add(shape.size);
    if (shape.axis != 2) one["axis"] = shape.axis;
    if (shape.colour) one["colour"] = *shape.colour;
    if (shape.mesh) one["mesh"] = *shape.mesh;
    shapes.push_back(std::move(one));
  }
  return shapes;
}

/// Corners as little-endian floats, nine a triangle.
Json describe_meshes(const Scene& scene) {
  Json meshes = Json::array();
  for (const SceneMesh& mesh : scene.meshes) {
    std::vector<float> numbers;
    for (const MeshCorner& corner : mesh) numbers.insert(numbers.end(), corner.begin(), corner.end());
    meshes.push_back(to_base64(std::span<const float>(numbers)));
  }
  return meshes;
}

Json describe_arrows(const Scene& scene, const Trajectory& motion, SceneOutputs& outputs) {
  Json arrows = Json::array();
  for (const SceneArrow& arrow : scene.arrows) {
    Json parts = Json::array();
    for (const SceneArrow::Part& part : arrow.parts) {
      const auto found = std::ranges::find(motion.columns, part.column);
      if (found != motion.columns.end())
        parts.push_back({{"column", found - motion.columns.begin()}, {"factor", outputs.add(part.factor)}});
    }
    if (!parts.empty())
      arrows.push_back({{"name", arrow.name}, {"at", arrow.at}, {"couple", arrow.is_couple}, {"parts", parts}});
  }
  return arrows;
}

Json describe_scene(const Scene& scene, const Trajectory& motion, SceneOutputs& outputs) {
  Json result;
  result["places"] = describe_places(scene, outputs);
  result["shapes"] = describe_shapes(scene, outputs);
  result["arrows"] = describe_arrows(scene, motion, outputs);
  result["meshes"] = describe_meshes(scene);
  result["traced"] = scene.traced;
  result["normal"] = scene.plane_normal ? Json(*scene.plane_normal) : Json();
  result["up"] = scene.up;
  result["remark"] = scene.remark;
  result["inputs"] = scene_columns(*scene.model, motion);
  return result;
}

// --- the motion

Json describe_events(const Trajectory& motion) {
  Json events = Json::array();
  for (const EventRecord& event : motion.events) {
    Json one{{"name", event.name}, {"kind", event.kind}, {"t", event.t}, {"state", to_base64(event.state)}};
    if (event.impact) one["impulse"] = event.impact->impulse;
    events.push_back(std::move(one));
  }
  return events;
}

Json describe_motion(const Trajectory& motion, const PageOptions& options) {
  const std::size_t width = std::max<std::size_t>(1, motion.columns.size());
  const std::size_t most = std::max<std::size_t>(2, std::min(options.most_rows, options.most_numbers / width));
  const std::vector<std::size_t> kept = thin_rows(motion, most);
  const bool is_wide = motion.columns.size() > options.most_doubles;
  Json data = Json::array();
  for (std::size_t column = 0; column < motion.columns.size(); ++column) {
    const std::span<const double> values = motion.rows.column(column);
    std::vector<double> picked;
    picked.reserve(kept.size());
    for (std::size_t row : kept) picked.push_back(values[row]);
    data.push_back(is_wide ? to_base64(std::vector<float>(picked.begin(), picked.end())) : to_base64(picked));
  }
  Json result{{"columns", motion.columns}, {"rows", kept.size()}, {"computed", motion.rows.size()}};
  result["data"] = std::move(data);
  if (is_wide) result["single"] = true;
  result["status"] = status_name(motion.status);
  result["message"] = motion.message;
  result["summary"] = write_summary(motion);
  result["events"] = describe_events(motion);
  result["plot"] = options.plot;
  return result;
}

/// Columns that values of terms are read from, -1 for what there is none of (the multiplier of a unit quaternion);
/// nothing where there are no accelerations.
Json find_term_inputs(const PageOptions& options, const Trajectory& motion) {
  for (const PageTab& tab : options.tabs) {
    if (tab.equations == nullptr) continue;
    const auto find = [&](const Expr& symbol) {
      const auto found = std::ranges::find(motion.columns, symbol.name());
      return found == motion.columns.end() ? -1 : found - motion.columns.begin();
    };
    if (std::ranges::any_of(tab.equations->accelerations, [&](const Expr& each) { return find(each) < 0; })) return {};
    Json inputs = Json::array();
    for (const Expr& symbol : row_symbols(*tab.equations)) inputs.push_back(find(symbol));
    return inputs;
  }
  return {};
}

Json describe_beside(const Scene& scene, const PageBeside& beside, const PageOptions& options) {
  return {{"title", beside.title},
          {"parameters", beside.parameters},
          {"inputs", scene_columns(*scene.model, beside.motion)},
          {"motion", describe_motion(beside.motion, options)}};
}

Json describe_parameters(const Model& model) {
  const std::vector<double> values = parameter_values(model);
  Json parameters = Json::array();
  for (std::size_t i = 0; i < values.size(); ++i)
    parameters.push_back(
        {{"name", model.parameters[i].name},
         {"value", values[i]},
         {"fixed", model.parameters[i].shapes || !free_symbols({&model.parameters[i].value, 1}).empty()}});
  return parameters;
}

// --- HTML

/// Inside a script element nothing but "<" can end it or begin a comment.
std::string embed_json(const Json& document) {
  std::string text = write_document(document, -1), safe;
  safe.reserve(text.size());
  for (char letter : text) letter == '<' ? safe += "\\u003c" : safe += letter;
  return safe;
}

constexpr std::string_view frame_of_page = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {0} {1}; style-src {2}; font-src data:; img-src data: blob:;{8} base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{3}</title>
<style>{4}</style>
</head>
<body>
<noscript>This page draws a motion with JavaScript, which is switched off here.</noscript>
<script type="application/json" id="data">{5}</script>
<script>{6}</script>
<script>{7}</script>
</body>
</html>
)";

}  // namespace

std::string write_page(const Scene& scene, const Trajectory& motion, const PageOptions& options) {
  const Model& model = *scene.model;
  SceneOutputs outputs(scene);
  Json document{{"name", printable(model.name)}, {"about", printable(model.about)}};
  document["parameters"] = describe_parameters(model);
  document["motion"] = describe_motion(motion, options);
  document["scene"] = describe_scene(scene, motion, outputs);
  std::string live = "null", term_values = "null";
  document["tabs"] = describe_tabs(options.tabs, term_values);
  if (options.beside) document["beside"] = describe_beside(scene, *options.beside, options);
  if (options.served) document["served"] = *options.served;
  document["live"] = {{"reason", options.not_live}};
  if (options.live != nullptr) document["live"] = describe_live(*options.live, options.tolerance, live);
  const Json term_inputs = options.live == nullptr ? find_term_inputs(options, motion) : Json();
  if (!term_inputs.is_null()) document["termInputs"] = term_inputs;
  const bool has_values = options.live != nullptr || !term_inputs.is_null();
  const std::string programs = fmt::format("globalThis.dalembertPrograms = {{ scene: {}, live: {}, terms: {} }};\n",
                                           outputs.javascript(), live, has_values ? term_values : "null");
  return fmt::format(frame_of_page, hash_source(programs), hash_source(viewer_script()), hash_source(viewer_style()),
                     escape_html(model.name), viewer_style(), embed_json(document), programs, viewer_script(),
                     options.served ? " connect-src 'self';" : "");
}

std::string write_page_motion(const Trajectory& motion, std::span<const double> parameters,
                              const PageOptions& options) {
  return write_document(Json{{"parameters", std::vector<double>(parameters.begin(), parameters.end())},
                             {"motion", describe_motion(motion, options)}},
                        -1);
}

std::string write_waiting_page(const std::string& title, const std::string& text) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n"
      "<meta http-equiv=\"refresh\" content=\"2\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{0}</title>\n</head>\n<body>\n<h1>{0}</h1>\n<pre>{1}</pre>\n</body>\n</html>\n",
      escape_html(title), escape_html(text));
}

}  // namespace dalembert
