#pragma once
// libhdf5, loaded when it is first needed: it brings some thirty other libraries (curl, OpenSSL, Kerberos), which no
// other command should load or need.

#include <hdf5.h>

namespace dalembert {

/// What we use of it, by the library's names without H5.
struct Hdf5Library {
  decltype(&H5open) open;
  decltype(&H5Acreate2) Acreate2;
  decltype(&H5Aclose) Aclose;
  decltype(&H5Awrite) Awrite;
  decltype(&H5Dcreate2) Dcreate2;
  decltype(&H5Dclose) Dclose;
  decltype(&H5Dwrite) Dwrite;
  decltype(&H5Eset_auto2) Eset_auto2;
  decltype(&H5Fcreate) Fcreate;
  decltype(&H5Fclose) Fclose;
  decltype(&H5Fflush) Fflush;
  decltype(&H5Fget_file_image) Fget_file_image;
  decltype(&H5Gcreate2) Gcreate2;
  decltype(&H5Gclose) Gclose;
  decltype(&H5Pcreate) Pcreate;
  decltype(&H5Pclose) Pclose;
  decltype(&H5Pset_fapl_core) Pset_fapl_core;
  decltype(&H5Pset_obj_track_times) Pset_obj_track_times;
  decltype(&H5Screate) Screate;
  decltype(&H5Screate_simple) Screate_simple;
  decltype(&H5Sclose) Sclose;
  decltype(&H5Sget_simple_extent_npoints) Sget_simple_extent_npoints;
  decltype(&H5Tcopy) Tcopy;
  decltype(&H5Tclose) Tclose;
  decltype(&H5Tset_size) Tset_size;
  decltype(&H5Tset_strpad) Tset_strpad;
  decltype(&H5Tset_cset) Tset_cset;
  static constexpr unsigned replace_file = 2;  // H5F_ACC_TRUNC, whose macro calls the library by itself
  // Numbers that the library gives out when it is opened.
  hid_t file_access, dataset_create, text, stored_double, stored_count, own_double, own_count;
};

/// Throws InputError where it is not installed.
const Hdf5Library& hdf5_library();

}  // namespace dalembert
