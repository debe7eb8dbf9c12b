# dalembert_stage(NAME PUBLIC ... PRIVATE ... HEADERS_ONLY ...): the library of one folder of src and its warnings; nothing
# if the folder is not there yet. HEADERS_ONLY dependencies are private and do not reach the installed package.
function(dalembert_stage name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE;HEADERS_ONLY" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(dalembert_${name} STATIC ${sources})
  add_library(dalembert::${name} ALIAS dalembert_${name})
  set_target_properties(dalembert_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(dalembert_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(dalembert_${name} PUBLIC cxx_std_20)
  target_link_libraries(dalembert_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  foreach(dependency ${ARG_HEADERS_ONLY})
    target_link_libraries(dalembert_${name} PRIVATE $<BUILD_INTERFACE:${dependency}>)
  endforeach()
  dalembert_warnings(dalembert_${name})
  set_property(GLOBAL APPEND PROPERTY DALEMBERT_STAGES dalembert_${name})
endfunction()

function(dalembert_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
    -Wnull-dereference $<$<BOOL:${DALEMBERT_WERROR}>:-Werror>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # false alarms of GCC 12 on "x" + std::string (GCC bug 105651)
endfunction()
