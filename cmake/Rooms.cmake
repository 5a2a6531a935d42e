# The kinds of room. Each function takes its sources from the current folder, so that a CMakeLists.txt is one line.

# simbatch_room(<target> [DEPS <our libraries>...] [PRIVATE <third parties>...] [TEST_DEPS <targets>...])
#   A static library sb_<target> of all .cpp files of this folder. Its unit tests are all files of
#   tests/unit/<folder of the room>/, in one program; its fuzz targets are fuzz/<folder of the room>/*.cpp, each with
#   its seeds in fuzz/<folder of the room>/<name of the .cpp>/.
function(simbatch_room name)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE;TEST_DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(TRANSFORM ARG_DEPS PREPEND sb_)
  if(sources)
    add_library(sb_${name} STATIC ${sources})
    target_link_libraries(sb_${name} PUBLIC ${ARG_DEPS} PRIVATE project_options project_warnings ${ARG_PRIVATE})
  else()
    add_library(sb_${name} INTERFACE)
    target_link_libraries(sb_${name} INTERFACE ${ARG_DEPS})
  endif()
  file(RELATIVE_PATH room "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  if(SIMBATCH_TESTS)
    file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/${room}/*.cpp")
    if(tests)
      simbatch_test(test_${name} SOURCES ${tests} LINK sb_${name} ${ARG_TEST_DEPS})
    endif()
    file(GLOB fuzzers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/${room}/*.cpp")
    foreach(fuzzer IN LISTS fuzzers)
      simbatch_fuzzer("${fuzzer}" sb_${name})
    endforeach()
  endif()
endfunction()

# simbatch_program(<name> DEPS <our libraries>... [PRIVATE <third parties>...]): an installed program.
function(simbatch_program name)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(TRANSFORM ARG_DEPS PREPEND sb_)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE project_options project_warnings ${ARG_DEPS} ${ARG_PRIVATE} CLI11::CLI11)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set_property(GLOBAL APPEND PROPERTY SIMBATCH_PROGRAMS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()

# simbatch_test(<name> SOURCES <files>... LINK <targets>...): a doctest program; every test case is a ctest test.
#   Tests run in the root of the repository: "scenarios/...", "docs/..." are found from there.
function(simbatch_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE project_options project_warnings sb_test_support ${ARG_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_precompile_headers(${name} REUSE_FROM sb_test_support)
  doctest_discover_tests(${name} TEST_PREFIX "${name}: "
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTIES TIMEOUT 120)
endfunction()

# simbatch_bench(<name> DEPS <our libraries>... [PRIVATE <third parties>...]): bench/<name>.cpp, run by hand.
function(simbatch_bench name)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE" ${ARGN})
  list(TRANSFORM ARG_DEPS PREPEND sb_)
  add_executable(bench_${name} "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
  target_link_libraries(bench_${name} PRIVATE project_options project_warnings ${ARG_DEPS} ${ARG_PRIVATE})
  set_target_properties(bench_${name} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
endfunction()

# A fuzz target (LLVMFuzzerTestOneInput). With SIMBATCH_FUZZ it is a libFuzzer program; otherwise a program that replays
# its seeds, which is a test under every compiler.
function(simbatch_fuzzer file library)
  get_filename_component(stem "${file}" NAME_WE)
  get_filename_component(folder "${file}" DIRECTORY)
  add_executable(fuzz_${stem} "${file}")
  target_link_libraries(fuzz_${stem} PRIVATE project_options project_warnings ${library})
  set_target_properties(fuzz_${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  if(SIMBATCH_FUZZ)
    target_link_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer)
    add_test(NAME "fuzz_${stem}: seeds" COMMAND fuzz_${stem} -runs=0 "${folder}/${stem}")
  else()
    target_sources(fuzz_${stem} PRIVATE "${PROJECT_SOURCE_DIR}/fuzz/replay_main.cpp")
    add_test(NAME "fuzz_${stem}: seeds" COMMAND fuzz_${stem} "${folder}/${stem}")
  endif()
endfunction()
