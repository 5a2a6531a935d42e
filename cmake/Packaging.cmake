# Installation and the Debian package: programs, man pages, shell completions, schemas, scenarios, documents.

get_property(programs GLOBAL PROPERTY SIMBATCH_PROGRAMS)

# Man pages from Markdown.
find_program(LOWDOWN lowdown)
find_program(GZIP gzip)
file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.md")
if(LOWDOWN AND pages)
  set(man_pages)
  foreach(page IN LISTS pages)
    get_filename_component(name "${page}" NAME_WLE)  # simrun.1
    get_filename_component(section "${name}" LAST_EXT)
    string(SUBSTRING "${section}" 1 -1 section)
    set(out "${PROJECT_BINARY_DIR}/man/${name}")
    add_custom_command(OUTPUT "${out}" DEPENDS "${page}" "${PROJECT_SOURCE_DIR}/tools/man-page" COMMENT "Man page ${name}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/man"
      COMMAND "${PROJECT_SOURCE_DIR}/tools/man-page" "${page}" "${out}")
    set(installed "${out}")
    if(GZIP)
      set(installed "${out}.gz")
      add_custom_command(OUTPUT "${installed}" DEPENDS "${out}" VERBATIM COMMAND "${GZIP}" -9nc "${out}" > "${installed}")
    endif()
    list(APPEND man_pages "${out}" "${installed}")
    install(FILES "${installed}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}")
  endforeach()
  add_custom_target(man ALL DEPENDS ${man_pages})
elseif(pages)
  message(STATUS "lowdown is missing: no man pages are made")
endif()

# Completions, printed by the programs themselves.
set(completions)
foreach(program IN LISTS programs)
  foreach(shell bash zsh fish)
    set(out "${PROJECT_BINARY_DIR}/completions/${program}.${shell}")
    add_custom_command(OUTPUT "${out}" DEPENDS ${program} COMMENT "Completion of ${program} for ${shell}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/completions"
      COMMAND ${program} --completion ${shell} > "${out}")
    list(APPEND completions "${out}")
  endforeach()
  set(made "${PROJECT_BINARY_DIR}/completions/${program}")
  install(FILES "${made}.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME ${program})
  # Where zsh looks: a package's have a place of their own, /usr/local's another.
  install(CODE "
    set(place site-functions)
    if(CMAKE_INSTALL_PREFIX MATCHES \"/usr/?$\")
      set(place vendor-completions)
    endif()
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${place}\" TYPE FILE RENAME _${program} FILES \"${made}.zsh\")")
  install(FILES "${made}.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME ${program}.fish)
endforeach()
if(completions)
  add_custom_target(completions ALL DEPENDS ${completions})
endif()

file(GLOB schemas CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/schemas/*" "${PROJECT_SOURCE_DIR}/docs/*.schema.json")
install(FILES ${schemas} DESTINATION "${CMAKE_INSTALL_DATADIR}/simbatch/schemas")
install(DIRECTORY scenarios DESTINATION "${CMAKE_INSTALL_DATADIR}/simbatch" USE_SOURCE_PERMISSIONS PATTERN "*.so" EXCLUDE)
# simrun tells Python where it is (apps/simrun/build.cpp).
install(FILES python/simbatch_client.py DESTINATION "${CMAKE_INSTALL_DATADIR}/simbatch/python" COMPONENT sdk)
# The package, where Debian's Python looks: its packages have one place for all versions, /usr/local one for each.
install(CODE "
  set(place lib/python3/dist-packages)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr/local/?$\")
    execute_process(COMMAND python3 -c \"import sys; print('python%d.%d' % sys.version_info[:2])\"
                    OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(version)
      set(place lib/\${version}/dist-packages)
    endif()
  endif()
  file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${place}\" TYPE DIRECTORY FILES \"${PROJECT_SOURCE_DIR}/python/simbatch\"
       PATTERN __pycache__ EXCLUDE)
  file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${place}\" TYPE FILE FILES \"${PROJECT_SOURCE_DIR}/python/simbatch_client.py\")
  " COMPONENT python)
# As in the sources, so that the links between them, and to pictures, hold.
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc PATTERN "*.in" EXCLUDE)
install(FILES README.md CONTRIBUTING.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
# The reference of the library, where Doxygen is installed: made here, since a build does not need it.
if(TARGET api)
  install(CODE "
    file(REMOVE_RECURSE \"${PROJECT_BINARY_DIR}/api\")
    execute_process(COMMAND \"${DOXYGEN}\" \"${PROJECT_BINARY_DIR}/Doxyfile\" RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR \"Doxygen did not make the reference: \${status}\")
    endif()
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\" TYPE DIRECTORY FILES \"${PROJECT_BINARY_DIR}/api\")
    " COMPONENT doc)
endif()

# Debian packages: one for each component of the installation (tests/library/packages builds and checks them).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME simbatch)
set(CPACK_PACKAGE_VENDOR "Simbatch")
set(CPACK_PACKAGE_CONTACT "The Simbatch developers <simbatch@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # the libraries' packages and versions, as dpkg-shlibdeps finds them
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# simbatch_package(<component> <package> <section> <summary> <description>): with the two files that each package owes its users.
function(simbatch_package component package section summary description)
  string(TOUPPER "${component}" key)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  set(place "${CMAKE_INSTALL_DATADIR}/doc/${package}")
  install(FILES "${PROJECT_BINARY_DIR}/copyright" DESTINATION "${place}" COMPONENT ${component})
  if(GZIP)
    install(FILES "${PROJECT_BINARY_DIR}/changelog.gz" DESTINATION "${place}" COMPONENT ${component})
  endif()
endfunction()
file(WRITE "${PROJECT_BINARY_DIR}/copyright"
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ${PROJECT_NAME}

Files: *
Copyright: 2026 The Simbatch developers
License: Apache-2.0
 On Debian systems the text of the license is in
 /usr/share/common-licenses/Apache-2.0.
")
# Debian's own list of releases, dated as the sources are; ours is CHANGELOG.md, in simbatch-doc.
execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" log -1 --format=%cD OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date)
  set(date "Thu, 01 Jan 2026 00:00:00 +0000")
endif()
string(REGEX REPLACE "^([A-Za-z]+), ([0-9]) " "\\1, 0\\2 " date "${date}")
file(WRITE "${PROJECT_BINARY_DIR}/changelog"
"simbatch (${PROJECT_VERSION}) unstable; urgency=medium

  * See CHANGELOG.md in simbatch-doc.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
if(GZIP)
  add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/changelog.gz" DEPENDS "${PROJECT_BINARY_DIR}/changelog" VERBATIM
    COMMAND "${GZIP}" -9nc "${PROJECT_BINARY_DIR}/changelog" > "${PROJECT_BINARY_DIR}/changelog.gz")
  add_custom_target(package_changelog ALL DEPENDS "${PROJECT_BINARY_DIR}/changelog.gz")
endif()

simbatch_package(programs simbatch science "deterministic batch simulator for robot worlds"
"Checks, converts and runs the worlds of robot simulators: AutoSim, CajunBot,
GraspIt!, Medusa missions, OpenStreetMap towns, DARPA road networks. The same
run gives the same bytes on every machine.")
simbatch_package(doc simbatch-doc doc "documentation of the Simbatch robot simulator"
"Pages on scenarios, devices, controllers, studies and every file format, and
the reference of the C++ library.")
simbatch_package(library libsimbatch-formats0.1 libs "readers and writers of robot worlds (shared library)"
"The formats of the Simbatch robot simulator for programs in C++: objects,
robots, worlds, missions, road networks, maps and traces.")
simbatch_package(sdk libsimbatch-dev libdevel "headers and libraries of the Simbatch robot simulator"
"What is needed to write user programs for simulated robots, and programs that
read and write the simulator's files.")
simbatch_package(python python3-simbatch python "Simbatch robot simulator from Python"
"Controllers for simulated robots, and the results of runs, in Python.")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
# No programs in them: CPack would run `file` on each of the thousand files of the documentation.
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS python3)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "libsimbatch-dev, python3-simbatch")  # simrun compile, controllers in Python
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS simbatch-doc)
set(CPACK_DEBIAN_SDK_PACKAGE_DEPENDS "libsimbatch-formats0.1 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS
    "g++, libexpat1-dev, zlib1g-dev, libbz2-dev, libdeflate-dev, libzstd-dev, libfmt-dev, libxxhash-dev, libgeographiclib-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/triggers;${PROJECT_BINARY_DIR}/shlibs")
file(WRITE "${PROJECT_BINARY_DIR}/triggers" "activate-noawait ldconfig\n")
file(WRITE "${PROJECT_BINARY_DIR}/shlibs" "libsimbatch_formats 0.1 libsimbatch-formats0.1 (>= ${PROJECT_VERSION})\n")
include(CPack)
