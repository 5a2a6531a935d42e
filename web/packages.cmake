# npm ci, from the cache if that has everything. When it fails the build goes on without the page.
execute_process(COMMAND "${NPM}" ci --ignore-scripts --prefer-offline --no-audit --no-fund WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(WARNING "npm ci failed; the replay page is not built, and simrun replay will not work:\n${output}")
  file(MAKE_DIRECTORY "${WORK}/node_modules")
  file(WRITE "${WORK}/node_modules/.package-lock.json" "{}")
endif()
