# The kinds of room. Each function takes its sources from the current folder and its name from where that folder lies, so
# that a CMakeLists.txt is one line. Rooms are named by their folders, as in an #include: `DEPS base/core formats/osm`.

# simbatch_target(<out> <room>): the target of a room. base/core -> sb_core, lib/sim/tree -> sb_sim_tree, apps/common ->
#   sb_apps_common.
function(simbatch_target out room)
  string(REGEX REPLACE "^(base|formats|lib)/" "" name "${room}")
  string(REPLACE "/" "_" name "${name}")
  set(${out} "sb_${name}" PARENT_SCOPE)
endfunction()

# simbatch_targets(<out> <rooms and other targets>...): rooms become their targets, anything else stays.
function(simbatch_targets out)
  set(targets)
  foreach(item IN LISTS ARGN)
    if(item MATCHES "^(base|formats|lib|apps)/")
      simbatch_target(item "${item}")
    endif()
    list(APPEND targets "${item}")
  endforeach()
  set(${out} "${targets}" PARENT_SCOPE)
endfunction()

# simbatch_unity(<target>): with SIMBATCH_UNITY all sources of the target are compiled as one, which parses each header once.
function(simbatch_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SIMBATCH_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  if(SIMBATCH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # the one unit is taken for a header
  endif()
endfunction()

# simbatch_room([DEPS <rooms>...] [PRIVATE <third parties>...] [TEST_DEPS <rooms or targets>...] [APART <files>...])
#   A static library of all .cpp files of this folder but those APART, which its CMakeLists.txt makes something else of. DEPS are
#   the rooms whose headers it includes, no more and no fewer: tests/architecture compares. Its unit tests are all files of
#   tests/unit/<room>/, in one program test_<name>; its fuzz targets are fuzz/<room>/*.cpp, each with its seeds in
#   fuzz/<room>/<name of the .cpp>/.
function(simbatch_room)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE;TEST_DEPS;APART" ${ARGN})
  file(RELATIVE_PATH room "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  simbatch_target(target "${room}")
  simbatch_targets(deps ${ARG_DEPS})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  foreach(file IN LISTS ARG_APART)
    list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  endforeach()
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC ${deps} PRIVATE project_options project_warnings ${ARG_PRIVATE})
    simbatch_unity(${target})
    if(room MATCHES "^(base|formats)/")  # part of a shared library too (Library.cmake), at no cost for the programs
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${deps})
  endif()
  if(SIMBATCH_TESTS)
    file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/${room}/*.cpp")
    if(tests)
      string(REGEX REPLACE "^sb_" "test_" test "${target}")
      simbatch_targets(test_deps ${ARG_TEST_DEPS})
      simbatch_test(${test} SOURCES ${tests} LINK ${target} ${test_deps})
    endif()
    file(GLOB fuzzers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/${room}/*.cpp")
    foreach(fuzzer IN LISTS fuzzers)
      simbatch_fuzzer("${fuzzer}" ${target})
    endforeach()
  endif()
endfunction()

# simbatch_program(DEPS <rooms>... [PRIVATE <third parties>...]): an installed program, named by its folder. Everything but
#   main.cpp is a library of its own, so that tests/unit/apps/<program> can link it.
function(simbatch_program)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE" ${ARGN})
  get_filename_component(name "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  simbatch_target(library "apps/${name}")
  simbatch_targets(deps ${ARG_DEPS})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(${library} STATIC ${sources})
  simbatch_unity(${library})
  target_link_libraries(${library} PUBLIC ${deps} PRIVATE project_options project_warnings ${ARG_PRIVATE})
  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE project_options project_warnings ${library} ${ARG_PRIVATE})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set_property(GLOBAL APPEND PROPERTY SIMBATCH_PROGRAMS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  if(SIMBATCH_TESTS)
    file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/apps/${name}/*.cpp")
    if(tests)
      simbatch_test(test_apps_${name} SOURCES ${tests} LINK ${library})
    endif()
  endif()
endfunction()

# simbatch_test_options(<target>): what tests themselves do takes less time than optimizing it; what they test is optimized.
function(simbatch_test_options target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# simbatch_test_units(<out> <name> <files>...): the sources of a test program. With SIMBATCH_UNITY they are one that includes all
#   files, so that headers are parsed once: each file in a namespace of its own, as tests name their helpers as they please,
#   and all headers before the first. A file that opens a namespace of the project stays alone.
function(simbatch_test_units out name)
  if(NOT SIMBATCH_UNITY)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(alone)
  set(headers)
  set(files)
  foreach(file IN LISTS ARGN)
    file(STRINGS "${file}" opened REGEX "^namespace simbatch")
    if(opened)
      list(APPEND alone "${file}")
    else()
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")  # it may include other headers tomorrow
      file(STRINGS "${file}" included REGEX "^#include ")
      list(APPEND headers ${included})
      get_filename_component(stem "${file}" NAME_WE)
      string(APPEND files "namespace unit_${stem} {\n#include \"${file}\"\n}\n")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES headers)
  list(JOIN headers "\n" headers)
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/${name}_unit.cpp")
  file(CONFIGURE OUTPUT "${unit}" CONTENT "${headers}\n${files}" @ONLY)
  set(${out} ${alone} "${unit}" PARENT_SCOPE)
endfunction()

# simbatch_test(<name> SOURCES <files>... LINK <targets>...): a doctest program; every test case is a ctest test.
#   Tests run in the root of the repository: "scenarios/...", "docs/..." are found from there.
function(simbatch_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  simbatch_test_units(units ${name} ${ARG_SOURCES})
  add_executable(${name} ${units})
  target_link_libraries(${name} PRIVATE project_options project_warnings sb_test_support ${ARG_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_precompile_headers(${name} REUSE_FROM sb_test_support)
  simbatch_test_options(${name})
  doctest_discover_tests(${name} TEST_PREFIX "${name}: "
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTIES TIMEOUT ${SIMBATCH_TIMEOUT} LABELS unit)
endfunction()

# simbatch_bench(<name> DEPS <rooms>... [PRIVATE <third parties>...]): bench/<name>.cpp, run by hand.
function(simbatch_bench name)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE" ${ARGN})
  simbatch_targets(deps ${ARG_DEPS})
  add_executable(bench_${name} "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
  target_link_libraries(bench_${name} PRIVATE project_options project_warnings ${deps} ${ARG_PRIVATE})
  target_compile_definitions(bench_${name} PRIVATE SIMBATCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
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
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)  # all of them, without the tests
  endif()
  add_dependencies(fuzzers fuzz_${stem})
  if(SIMBATCH_FUZZ)
    target_link_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer)
    add_test(NAME "fuzz_${stem}: seeds" COMMAND fuzz_${stem} -runs=0 "${folder}/${stem}")
  else()
    target_sources(fuzz_${stem} PRIVATE "${PROJECT_SOURCE_DIR}/fuzz/replay_main.cpp")
    add_test(NAME "fuzz_${stem}: seeds" COMMAND fuzz_${stem} "${folder}/${stem}")
  endif()
endfunction()
