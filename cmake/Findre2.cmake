# re2::re2, which gRPC's package asks for. gRPC's own finder runs pkg-config, which needs 40 s on Debian 13 for the closure of
# abseil's .pc files.
find_library(re2_LIBRARY re2)
find_path(re2_INCLUDE_DIR re2/re2.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(re2 REQUIRED_VARS re2_LIBRARY re2_INCLUDE_DIR)
mark_as_advanced(re2_LIBRARY re2_INCLUDE_DIR)
if(re2_FOUND AND NOT TARGET re2::re2)
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES IMPORTED_LOCATION ${re2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${re2_INCLUDE_DIR})
endif()
