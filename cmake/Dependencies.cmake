# All third parties, in one place. Their Debian packages are listed in packages.txt; the reason for each is in docs/adr.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)             # fmt::fmt
find_package(EXPAT REQUIRED)             # EXPAT::EXPAT
find_package(CLI11 2 REQUIRED)           # CLI11::CLI11
find_package(nlohmann_json 3 REQUIRED)   # nlohmann_json::nlohmann_json
find_package(ZLIB REQUIRED)              # ZLIB::ZLIB
find_package(BZip2 REQUIRED)             # BZip2::BZip2
pkg_check_modules(BULLET REQUIRED IMPORTED_TARGET bullet-float64)  # PkgConfig::BULLET, double precision
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)           # PkgConfig::ZSTD
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)     # PkgConfig::DEFLATE, of what is in memory; zlib for streams
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)       # PkgConfig::XXHASH
pkg_check_modules(GEOGRAPHIC REQUIRED IMPORTED_TARGET geographiclib)  # PkgConfig::GEOGRAPHIC
find_path(BOOST_INCLUDE_DIR boost/beast.hpp REQUIRED)  # Beast and Asio: headers only
# libosmium includes Boost in headers that we do not use.
find_path(OSMIUM_INCLUDE_DIR osmium/version.hpp REQUIRED)
find_path(STB_INCLUDE_DIR stb/stb_image.h REQUIRED)
find_path(EMBREE_INCLUDE_DIR embree3/rtcore.h REQUIRED)
find_library(EMBREE_LIBRARY embree3 REQUIRED)  # its own package file also wants TBB's and OpenMP's
find_path(ASSIMP_INCLUDE_DIR assimp/Importer.hpp REQUIRED)
find_library(ASSIMP_LIBRARY assimp REQUIRED)
if(SIMBATCH_TESTS)
  find_package(doctest REQUIRED)         # doctest::doctest
  include(/usr/lib/cmake/doctest/doctest.cmake OPTIONAL)
  include(doctest OPTIONAL)
endif()

# Third-party headers are not ours to warn about.
foreach(target fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
  get_target_property(dirs ${target} INTERFACE_INCLUDE_DIRECTORIES)
  if(dirs)
    set_target_properties(${target} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${dirs}")
  endif()
endforeach()
