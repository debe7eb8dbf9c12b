#include "report/hdf5_library.hpp"

#include <dlfcn.h>

#include <dalembert/base/error.hpp>

namespace dalembert {
namespace {

[[noreturn]] void refuse() {
  const char* reason = ::dlerror();
  throw InputError({"",
                    {},
                    "",
                    std::string("files .h5 need the library HDF5, which cannot be loaded (") +
                        (reason == nullptr ? DALEMBERT_HDF5_LIBRARY : reason) + ")",
                    "install it (Debian: libhdf5-103-1), or write .csv"});
}

/// An address in the library, taken as what it is assigned to.
struct Symbol {
  void* address;
  template <class Function>
  operator Function*() const {
    return reinterpret_cast<Function*>(address);
  }
};

Hdf5Library load() {
  // The very version that the headers describe: another one's types differ.
  void* library = ::dlopen(DALEMBERT_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse();
  auto find = [&](const char* name) {
    void* address = ::dlsym(library, name);
    if (address == nullptr) refuse();
    return Symbol{address};
  };
  // A program that links the same library itself may hold the library's variables (copy relocations).
  const bool is_linked = ::dlsym(RTLD_DEFAULT, "H5open") == find("H5open").address;
  auto number = [&](const char* name) {
    void* linked = is_linked ? ::dlsym(RTLD_DEFAULT, name) : nullptr;
    return *static_cast<const hid_t*>(linked != nullptr ? linked : find(name).address);
  };
  Hdf5Library h5{};
  h5.open = find("H5open");
  h5.Acreate2 = find("H5Acreate2");
  h5.Aclose = find("H5Aclose");
  h5.Awrite = find("H5Awrite");
  h5.Dcreate2 = find("H5Dcreate2");
  h5.Dclose = find("H5Dclose");
  h5.Dwrite = find("H5Dwrite");
  h5.Eset_auto2 = find("H5Eset_auto2");
  h5.Fcreate = find("H5Fcreate");
  h5.Fclose = find("H5Fclose");
  h5.Fflush = find("H5Fflush");
  h5.Fget_file_image = find("H5Fget_file_image");
  h5.Gcreate2 = find("H5Gcreate2");
  h5.Gclose = find("H5Gclose");
  h5.Pcreate = find("H5Pcreate");
  h5.Pclose = find("H5Pclose");
  h5.Pset_fapl_core = find("H5Pset_fapl_core");
  h5.Pset_obj_track_times = find("H5Pset_obj_track_times");
  h5.Screate = find("H5Screate");
  h5.Screate_simple = find("H5Screate_simple");
  h5.Sclose = find("H5Sclose");
  h5.Sget_simple_extent_npoints = find("H5Sget_simple_extent_npoints");
  h5.Tcopy = find("H5Tcopy");
  h5.Tclose = find("H5Tclose");
  h5.Tset_size = find("H5Tset_size");
  h5.Tset_strpad = find("H5Tset_strpad");
  h5.Tset_cset = find("H5Tset_cset");
  if (h5.open() < 0) refuse();
  h5.file_access = number("H5P_CLS_FILE_ACCESS_ID_g");
  h5.dataset_create = number("H5P_CLS_DATASET_CREATE_ID_g");
  h5.text = number("H5T_C_S1_g");
  h5.stored_double = number("H5T_IEEE_F64LE_g");
  h5.stored_count = number("H5T_STD_U64LE_g");
  h5.own_double = number("H5T_NATIVE_DOUBLE_g");
  h5.own_count = number("H5T_NATIVE_ULLONG_g");
  return h5;
}

}  // namespace

const Hdf5Library& hdf5_library() {
  static const Hdf5Library library = load();
  return library;
}

}  // namespace dalembert
