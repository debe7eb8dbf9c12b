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
run(${work}/build/consumer)
run(${work}/moved/bin/dalembert --help)
# HDF5 is found at run time, from wherever the command is.
run(${work}/moved/bin/dalembert simulate ${SOURCE}/models/pendulum.toml --until 1 -o ${work}/motion.h5)
