# The installed package: headers, libraries, the command, and what find_package(dalembert) reads.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)

# dalembert::dalembert: every stage at once.
get_property(stages GLOBAL PROPERTY DALEMBERT_STAGES)
add_library(dalembert_all INTERFACE)
add_library(dalembert::dalembert ALIAS dalembert_all)
set_target_properties(dalembert_all PROPERTIES EXPORT_NAME dalembert)
target_link_libraries(dalembert_all INTERFACE ${stages})

install(TARGETS dalembert_all ${stages} EXPORT dalembert)
install(DIRECTORY include/dalembert DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT dalembert FILE dalembert-targets.cmake NAMESPACE dalembert:: DESTINATION ${package_folder})
set(models_folder ${CMAKE_INSTALL_DATADIR}/dalembert/models)
configure_package_config_file(cmake/dalembert-config.cmake.in ${PROJECT_BINARY_DIR}/dalembert-config.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS models_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dalembert-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/dependencies.cmake ${PROJECT_BINARY_DIR}/dalembert-config.cmake
  ${PROJECT_BINARY_DIR}/dalembert-config-version.cmake DESTINATION ${package_folder})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/dalembert)

# Programs find the bundled models beside themselves (src/model/library.cpp): in a build tree by a link, a relative one, so
# that source and build may be moved together. Programs of a project that builds dalembert as its part are told.
if(PROJECT_IS_TOP_LEVEL)
  file(RELATIVE_PATH models ${PROJECT_BINARY_DIR}/share/dalembert ${PROJECT_SOURCE_DIR}/models)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/dalembert)
  file(CREATE_LINK ${models} ${PROJECT_BINARY_DIR}/share/dalembert/models SYMBOLIC)
else()
  target_compile_definitions(dalembert_model INTERFACE
    $<BUILD_INTERFACE:DALEMBERT_PACKAGE_MODELS="${PROJECT_SOURCE_DIR}/models">)
endif()
