# Installation and the Debian package: programs, man pages, shell completions, schemas, scenarios, documents.

get_property(programs GLOBAL PROPERTY SIMBATCH_PROGRAMS)

# Man pages from Markdown.
find_program(LOWDOWN lowdown)
file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.md")
if(LOWDOWN AND pages)
  set(man_pages)
  foreach(page IN LISTS pages)
    get_filename_component(name "${page}" NAME_WLE)  # simrun.1
    get_filename_component(section "${name}" LAST_EXT)
    string(SUBSTRING "${section}" 1 -1 section)
    set(out "${PROJECT_BINARY_DIR}/man/${name}")
    add_custom_command(OUTPUT "${out}" DEPENDS "${page}" COMMENT "Man page ${name}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/man"
      COMMAND "${LOWDOWN}" -s -tman --out-no-smart -o "${out}" "${page}")
    list(APPEND man_pages "${out}")
    install(FILES "${out}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}")
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
install(DIRECTORY scenarios DESTINATION "${CMAKE_INSTALL_DATADIR}/simbatch" PATTERN "*.so" EXCLUDE)
# simrun tells Python where it is (apps/simrun/build.cpp).
install(DIRECTORY python DESTINATION "${CMAKE_INSTALL_DATADIR}/simbatch" COMPONENT sdk FILES_MATCHING PATTERN "*.py")
# As in the sources, so that the links between them, and to pictures, hold.
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME simbatch)
set(CPACK_PACKAGE_VENDOR "Simbatch")
set(CPACK_PACKAGE_CONTACT "The Simbatch developers <simbatch@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # the libraries' packages and versions, as dpkg-shlibdeps finds them
set(CPACK_STRIP_FILES ON)
include(CPack)
