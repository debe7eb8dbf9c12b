# Installs BUILD, moves the installation elsewhere, and builds and runs the consumer against it.
set(work ${BUILD}/consumer)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/installed)
file(RENAME ${work}/installed ${work}/moved)

# Nothing in the package may name the machine it was built on.
file(GLOB_RECURSE files ${work}/moved/*.cmake)
if(NOT files)
  message(FATAL_ERROR "no package files were installed")
endif()
foreach(file ${files})
  file(READ ${file} text)
  foreach(path ${SOURCE} ${BUILD} ${work}/installed /usr/lib/)
    string(FIND "${text}" "${path}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} holds the path ${path}: the package cannot be moved")
    endif()
  endforeach()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${work}/moved)
run(${CMAKE_COMMAND} --build ${work}/build)

# Neither the libraries nor the command hold a path of the build; the models are found where the package lies now.
set(binaries ${work}/moved/bin/dalembert)
file(GLOB_RECURSE libraries ${work}/moved/*.a)
foreach(file ${binaries} ${libraries})
  foreach(path ${SOURCE}/models ${work}/installed)
    file(STRINGS ${file} found REGEX "${path}" LIMIT_COUNT 1)
    if(found)
      message(FATAL_ERROR "${file} holds the path ${path}: it cannot be moved")
    endif()
  endforeach()
endforeach()

# Runs a program that tells which bundled model it has read, and checks that it is the one in FOLDER.
function(expect_models folder)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(FIND "${said}" "${folder}" position)
  if(NOT result EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "failed: ${ARGN} does not read the models in ${folder}: ${said}")
  endif()
endfunction()

set(models share/dalembert/models/pendulum.toml)
expect_models(${work}/moved/${models} ${work}/build/consumer)
run(${work}/moved/bin/dalembert --help)
# HDF5 is found at run time, from wherever the command is.
run(${work}/moved/bin/dalembert simulate models:pendulum --until 1 -o ${work}/motion.h5)

# Moved once more, the command still finds its models; the consumer does when it is told, or lies beside them.
file(RENAME ${work}/moved ${work}/elsewhere)
run(${work}/elsewhere/bin/dalembert check models:pendulum)
expect_models(${work}/elsewhere/${models} ${CMAKE_COMMAND} -E env DALEMBERT_MODELS=${work}/elsewhere/share/dalembert/models
  ${work}/build/consumer)
file(COPY ${work}/build/consumer DESTINATION ${work}/elsewhere/bin)
expect_models(${work}/elsewhere/${models} ${work}/elsewhere/bin/consumer)
