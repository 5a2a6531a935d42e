# The formats as a library for other people's programs (docs/library.md): all rooms below base and formats that the public headers
# need, once shared and once static, with the headers of cmake/public_headers.txt.

# Every #include of the installed headers begins with simbatch/: base/ and formats/ are names that others use too.
file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/public_headers.txt" public_headers REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cmake/public_headers.txt)
foreach(header IN LISTS public_headers)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
  file(READ "${PROJECT_SOURCE_DIR}/${header}" text)
  string(REGEX REPLACE "#include \"(base|formats)/" "#include \"simbatch/\\1/" text "${text}")
  file(WRITE "${PROJECT_BINARY_DIR}/library/include/simbatch/${header}" "${text}")
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/library/include/simbatch" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT sdk)

file(GLOB library_rooms RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS formats/*/CMakeLists.txt)
list(TRANSFORM library_rooms REPLACE "/CMakeLists.txt$" "")
list(APPEND library_rooms base/compress base/core base/geo base/json base/mat base/mcap base/npz base/parquet base/protobuf base/xml)
simbatch_targets(library_targets ${library_rooms})
set(library_objects ${library_targets})
list(TRANSFORM library_objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")

# Third parties that are linked into users' programs with the static library, and into the shared one by us.
set(library_third_parties EXPAT::EXPAT ZLIB::ZLIB BZip2::BZip2 Threads::Threads fmt::fmt PkgConfig::DEFLATE PkgConfig::ZSTD
    PkgConfig::XXHASH PkgConfig::GEOGRAPHIC)

add_library(simbatch_formats SHARED ${library_objects})
# Until 1.0 every minor version may change the binary interface.
set_target_properties(simbatch_formats PROPERTIES EXPORT_NAME formats LINKER_LANGUAGE CXX
  VERSION "${PROJECT_VERSION}" SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
  LINK_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/library.map")
target_link_options(simbatch_formats PRIVATE "-Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/library.map" -Wl,--no-undefined
                    -Wl,-Bsymbolic-functions)
target_link_libraries(simbatch_formats PRIVATE project_options ${library_third_parties})

add_library(simbatch_formats_static STATIC ${library_objects})
set_target_properties(simbatch_formats_static PROPERTIES EXPORT_NAME formats_static OUTPUT_NAME simbatch_formats LINKER_LANGUAGE CXX)
target_link_libraries(simbatch_formats_static INTERFACE ${library_third_parties})

foreach(library simbatch_formats simbatch_formats_static)
  target_compile_features(${library} INTERFACE cxx_std_20)
  target_include_directories(${library} INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endforeach()

install(TARGETS simbatch_formats EXPORT simbatchFormatsTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT sdk)
install(TARGETS simbatch_formats_static EXPORT simbatchFormatsStaticTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT sdk)
foreach(export simbatchFormatsTargets simbatchFormatsStaticTargets)
  install(EXPORT ${export} NAMESPACE simbatch:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/simbatch" COMPONENT sdk)
endforeach()
configure_file(sdk/cmake/simbatch-formats.pc.in "${PROJECT_BINARY_DIR}/simbatch-formats.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/simbatch-formats.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT sdk)

# The reference, from the headers as users include them.
configure_file(docs/Doxyfile.in "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
find_program(DOXYGEN doxygen)
if(DOXYGEN)
  add_custom_target(api COMMAND "${DOXYGEN}" "${PROJECT_BINARY_DIR}/Doxyfile" COMMENT "Reference of the library" VERBATIM)
endif()
