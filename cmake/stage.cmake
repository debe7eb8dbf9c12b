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
  dalembert_guards(dalembert_${name})
  dalembert_together(dalembert_${name} ${sources})
  set_property(GLOBAL APPEND PROPERTY DALEMBERT_STAGES dalembert_${name})
endfunction()

# Files of one folder are compiled together, up to eight at once: two thirds of the time to compile go to headers that all of
# them read. So a name in an unnamed namespace is used once a folder. Without it (-D DALEMBERT_TOGETHER=OFF, as in the presets
# fuzz and tidy) each is compiled alone, which shows what a file forgot to include.
function(dalembert_together target)
  if(NOT DALEMBERT_TOGETHER)
    return()
  endif()
  foreach(source ${ARGN})
    file(RELATIVE_PATH group ${PROJECT_SOURCE_DIR} ${source})
    cmake_path(GET group PARENT_PATH group)
    string(MAKE_C_IDENTIFIER "${group}" group)
    if(NOT DEFINED count_${group})
      set(count_${group} 0)
    endif()
    math(EXPR part "${count_${group}} / 8")
    math(EXPR count_${group} "${count_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# A shared library that the target loads when it is needed: its headers, and the name that the loader knows it by as
# DALEMBERT_NAME_LIBRARY.
function(dalembert_loads target name)
  execute_process(COMMAND ${CMAKE_READELF} -d ${DALEMBERT_${name}_LIBRARY} OUTPUT_VARIABLE dynamic RESULT_VARIABLE failed)
  if(failed OR NOT dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
    message(FATAL_ERROR "${DALEMBERT_${name}_LIBRARY} is no shared library")
  endif()
  string(TOUPPER ${name} capitals)
  target_compile_definitions(${target} PRIVATE DALEMBERT_${capitals}_LIBRARY="${CMAKE_MATCH_1}")
  target_include_directories(${target} SYSTEM PRIVATE ${DALEMBERT_${name}_INCLUDE})
endfunction()

function(dalembert_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
    -Wnull-dereference $<$<BOOL:${DALEMBERT_WERROR}>:-Werror>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # false alarms of GCC 12 on "x" + std::string (GCC bug 105651)
endfunction()

# Headers of others that most files of a target read, read once where files are not compiled together.
function(dalembert_precompile target)
  if(DALEMBERT_TOGETHER AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()

# The same headers for a target that is compiled with the same options.
function(dalembert_precompiled_by target other)
  get_target_property(headers ${other} PRECOMPILE_HEADERS)
  if(headers)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# What a mistake in memory may not become, in the libraries and the command. tests/cli/build_test.cpp looks at it.
function(dalembert_guards target)
  foreach(option -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${option}>)
  endforeach()
endfunction()
function(dalembert_hardening target)
  dalembert_guards(${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endfunction()
