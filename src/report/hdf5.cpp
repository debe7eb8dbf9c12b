#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report/report.hpp>
#include <dalembert/report/sweep.hpp>
#include <utility>

#include "report/hdf5_library.hpp"

namespace dalembert {
namespace {

const Hdf5Library& h5() { return hdf5_library(); }

/// An identifier of the library, closed when it goes. A failure of the library in memory can only mean that memory
/// ran out (everything passed to it is ours), so it ends in std::bad_alloc.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) throw std::bad_alloc();
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void must(herr_t status) {
  if (status < 0) throw std::bad_alloc();
}

/// UTF-8 text of so many bytes, padded with zeros: what Fortran, MATLAB, Julia and h5py all read.
Handle text_type(std::size_t bytes) {
  Handle type(h5().Tcopy(h5().text), h5().Tclose);
  must(h5().Tset_size(type, std::max<std::size_t>(bytes, 1)));
  must(h5().Tset_strpad(type, H5T_STR_NULLPAD));
  must(h5().Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

Handle space_of(std::initializer_list<std::size_t> sizes) {
  std::vector<hsize_t> extent(sizes.begin(), sizes.end());
  return Handle(h5().Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), h5().Sclose);
}

void write_dataset(hid_t where, const char* name, hid_t stored, hid_t given, const Handle& space, const void* data) {
  Handle creation(h5().Pcreate(h5().dataset_create), h5().Pclose);
  must(h5().Pset_obj_track_times(creation, false));  // the same contents are the same bytes
  Handle set(h5().Dcreate2(where, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT), h5().Dclose);
  if (h5().Sget_simple_extent_npoints(space) > 0) must(h5().Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

void write_texts(hid_t where, const char* name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string padded;
  for (const std::string& text : texts) padded += text + std::string(longest - text.size(), '\0');
  Handle type = text_type(longest);
  write_dataset(where, name, type, type, space_of({texts.size()}), padded.data());
}

/// A matrix by rows; a row that is short (an event's state may be) is filled up with absent values.
template <class Rows>
void write_matrix(hid_t where, const char* name, const Rows& rows, std::size_t width) {
  std::vector<double> flat;
  flat.reserve(rows.size() * width);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < width; ++i)
      flat.push_back(i < row.size() ? row[i] : std::numeric_limits<double>::quiet_NaN());
  write_dataset(where, name, h5().stored_double, h5().own_double, space_of({rows.size(), width}), flat.data());
}

void write_attribute(hid_t where, const char* name, hid_t stored, hid_t given, const void* value) {
  Handle space(h5().Screate(H5S_SCALAR), h5().Sclose);
  Handle attribute(h5().Acreate2(where, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), h5().Aclose);
  must(h5().Awrite(attribute, given, value));
}

/// An attribute holds less than 64 kB; messages are cut there, which only names of thousands of constraints reach.
void write_attribute(hid_t where, const char* name, const std::string& text) {
  std::string value = text.substr(0, 60000);
  value.resize(std::max<std::size_t>(value.size(), 1));
  Handle type = text_type(value.size());
  write_attribute(where, name, type, type, value.data());
}

void write_attribute(hid_t where, const char* name, std::size_t count) {
  auto value = static_cast<unsigned long long>(count);
  write_attribute(where, name, h5().stored_count, h5().own_count, &value);
}

void write_contents(hid_t file, const Trajectory& trajectory, const std::string& name) {
  write_texts(file, "columns", trajectory.columns);
  write_matrix(file, "rows", trajectory.rows, trajectory.columns.size());
  write_attribute(file, "name", name);
  write_attribute(file, "status", std::string(status_name(trajectory.status)));
  write_attribute(file, "message", trajectory.message);
  write_attribute(file, "steps", trajectory.statistics.steps);
  write_attribute(file, "evaluations", trajectory.statistics.evaluations);
  write_attribute(file, "seconds", h5().stored_double, h5().own_double, &trajectory.statistics.seconds);

  Handle group(h5().Gcreate2(file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), h5().Gclose);
  std::vector<std::string> names, kinds;
  std::vector<double> times, impulses, lost;  // of impacts; else absent
  std::vector<std::vector<double>> states;
  for (const EventRecord& event : trajectory.events) {
    names.push_back(event.name);
    kinds.push_back(event.kind);
    times.push_back(event.t);
    impulses.push_back(event.impact ? event.impact->impulse : NAN);
    lost.push_back(event.impact ? event.impact->energy_lost : NAN);
    states.push_back(event.state);
  }
  write_texts(group, "name", names);
  write_texts(group, "kind", kinds);
  write_dataset(group, "t", h5().stored_double, h5().own_double, space_of({times.size()}), times.data());
  write_dataset(group, "impulse", h5().stored_double, h5().own_double, space_of({times.size()}), impulses.data());
  write_dataset(group, "energy_lost", h5().stored_double, h5().own_double, space_of({times.size()}), lost.data());
  write_matrix(group, "state", states, trajectory.columns.size());
}

void write_table(hid_t file, const SweepTable& table) {
  Handle group(h5().Gcreate2(file, table.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), h5().Gclose);
  write_texts(group, "columns", table.columns);
  write_dataset(group, "rows", h5().stored_double, h5().own_double, space_of({table.size(), table.columns.size()}),
                table.numbers.data());
  for (std::size_t k = 0; k < table.labels.size(); ++k) {
    std::vector<std::string> texts;
    for (std::size_t at = k; at < table.texts.size(); at += table.labels.size()) texts.push_back(table.texts[at]);
    write_texts(group, table.labels[k].c_str(), texts);
  }
}

/// A file in memory only: write_file puts it in place.
template <class Fill>
std::string make_image(Fill&& fill) {
  h5().Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to report
  Handle access(h5().Pcreate(h5().file_access), h5().Pclose);
  must(h5().Pset_fapl_core(access, std::size_t{1} << 20, 0));
  Handle file(h5().Fcreate("dalembert.h5", Hdf5Library::replace_file, H5P_DEFAULT, access), h5().Fclose);
  fill(file);
  must(h5().Fflush(file, H5F_SCOPE_LOCAL));
  ssize_t size = h5().Fget_file_image(file, nullptr, 0);
  if (size < 0) throw std::bad_alloc();
  std::string image(static_cast<std::size_t>(size), '\0');
  if (h5().Fget_file_image(file, image.data(), image.size()) < 0) throw std::bad_alloc();
  return image;
}

}  // namespace

std::string write_hdf5(const Trajectory& trajectory, const std::string& name) {
  return make_image([&](hid_t file) { write_contents(file, trajectory, name); });
}

std::string write_hdf5(const SweepResult& result, const std::string& name) {
  return make_image([&](hid_t file) {
    write_attribute(file, "name", name);
    for (const SweepTable& table : result.tables) write_table(file, table);
  });
}

}  // namespace dalembert
