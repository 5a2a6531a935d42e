# npm ci, from the cache if that has everything. When it fails, the tests that need the packages are skipped.
execute_process(COMMAND "${NPM}" ci --ignore-scripts --prefer-offline --no-audit --no-fund WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(WARNING "npm ci failed; tests that compare with packages from npm are skipped:\n${output}")
  file(MAKE_DIRECTORY "${WORK}/node_modules")
  file(WRITE "${WORK}/node_modules/.package-lock.json" "{}")
endif()
