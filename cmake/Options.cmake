# Compiler options of our own targets. project_options and project_warnings are linked PRIVATE by every target of ours
# (Rooms.cmake does it) and by nothing else.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# -O2 and not -O3: the answers are the same, the build is shorter, and no measured loop of ours is slower.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

# For rooms whose loops call many small functions: g++ inlines more of them, in a unit and in a function, than it does by itself.
set(SIMBATCH_INLINE_MORE
    "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param=inline-unit-growth=150 --param=large-function-growth=300>")

add_library(project_options INTERFACE)
target_include_directories(project_options INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
# Determinism (docs/adr/0001, 0005): no fused multiply-add that the source does not ask for, and no inline Bullet
# function exported from our programs into Bullet's libraries. Never -march, -ffast-math or -Ofast here.
target_compile_options(project_options INTERFACE -ffp-contract=off -fvisibility-inlines-hidden)

# Released programs read files of strangers: checked stack frames and copies, and no writable jump tables. The runtime of user programs (sdk)
# has its own options, and the sanitizers have their own checks.
if(NOT SIMBATCH_SANITIZE AND NOT SIMBATCH_FUZZ)
  target_compile_options(project_options INTERFACE
    "$<$<CONFIG:Release>:-fstack-protector-strong;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  target_link_options(project_options INTERFACE "$<$<CONFIG:Release>:-Wl,-z,now>")
endif()

add_library(project_warnings INTERFACE)
target_compile_options(project_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wnull-dereference -Wimplicit-fallthrough)
if(SIMBATCH_WERROR)
  target_compile_options(project_warnings INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these falsely in inlined standard library code (std::string's operator+ above all); clang and the
  # sanitizers look for the real ones.
  target_compile_options(project_warnings INTERFACE -Wduplicated-cond -Wlogical-op -Wno-null-dereference -Wno-restrict
    -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# The check of virtual table pointers opens a pipe to see whether memory can be read: in a process that may not, it reports sound objects.
if(SIMBATCH_SANITIZE STREQUAL "address")
  target_compile_options(project_options INTERFACE -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(project_options INTERFACE -fsanitize=address,undefined)
elseif(SIMBATCH_SANITIZE STREQUAL "thread")
  target_compile_options(project_options INTERFACE -fsanitize=thread)
  target_link_options(project_options INTERFACE -fsanitize=thread)
endif()
if(SIMBATCH_FUZZ)
  target_compile_options(project_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=all)
  target_link_options(project_options INTERFACE -fsanitize=address,undefined)
endif()

# Seconds that a test may take on a machine with ten times as much to do; the sanitizers' programs are 3 to 20 times slower.
set(SIMBATCH_TIMEOUT 600)
set(SIMBATCH_LONG_TIMEOUT 900)
if(SIMBATCH_SANITIZE OR SIMBATCH_FUZZ)
  set(SIMBATCH_TIMEOUT 900)
  set(SIMBATCH_LONG_TIMEOUT 2700)
endif()

# The version text of --version: the commit is looked up at configure time, and is empty in a release archive.
execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" rev-parse --short=12 HEAD
  OUTPUT_VARIABLE SIMBATCH_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
configure_file("${CMAKE_CURRENT_LIST_DIR}/version.hpp.in" "${PROJECT_BINARY_DIR}/generated/simbatch_version.hpp" @ONLY)
