# The page from its sources, in the folder that has the packages.
if(NOT EXISTS "${WORK}/node_modules/esbuild")
  file(REMOVE "${PAGE}")
  return()
endif()
file(REMOVE_RECURSE "${WORK}/src")
file(COPY "${SOURCE}/src" "${SOURCE}/build.mjs" "${SOURCE}/tsconfig.json" DESTINATION "${WORK}")
find_program(NODE node REQUIRED)
execute_process(COMMAND "${NODE}" build.mjs "${PAGE}" WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
