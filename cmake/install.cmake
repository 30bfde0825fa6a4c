# What is installed, for pkg-config and find_package, and packages of it (cpack: libgossamer0, libgossamer-dev, gossamer).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# ---- the library ---------------------------------------------------------------------------------------------

set_target_properties(gossamer_shared PROPERTIES EXPORT_NAME gossamer)
set_target_properties(gossamer_static PROPERTIES EXPORT_NAME static)
install(TARGETS gossamer_shared EXPORT gossamer-targets
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS gossamer_static EXPORT gossamer-static-targets ARCHIVE COMPONENT development)
install(DIRECTORY include/gossamer DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN *.h)

# the prefix in gossamer.pc follows the file, so that an installation can be moved
file(RELATIVE_PATH GOS_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" GOS_PC_PREFIX ${GOS_PC_PREFIX})
configure_file(cmake/gossamer.pc.in gossamer.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gossamer.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# find_package(gossamer): targets gossamer::gossamer and gossamer::static; the archive asks for its libraries by name, as gossamer.pc does
set(GOS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gossamer)
configure_file(cmake/gossamer-config.cmake.in gossamer-config.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gossamer-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gossamer-config.cmake ${PROJECT_BINARY_DIR}/gossamer-config-version.cmake
  DESTINATION ${GOS_CMAKE_DIR} COMPONENT development)
install(EXPORT gossamer-targets NAMESPACE gossamer:: DESTINATION ${GOS_CMAKE_DIR} COMPONENT development)
install(EXPORT gossamer-static-targets NAMESPACE gossamer:: DESTINATION ${GOS_CMAKE_DIR} COMPONENT development)

# ---- the program, its manual and examples ----------------------------------------------------------------------

if(TARGET gossamer)
  install(TARGETS gossamer RUNTIME COMPONENT program)
  # what it packs into functional mock-up units
  install(DIRECTORY ${PROJECT_BINARY_DIR}/fmu/ DESTINATION ${GOS_FMU_PLACE} USE_SOURCE_PERMISSIONS COMPONENT program)
endif()
if(TARGET gossamer-mpi) # in no package: those would depend on MPI
  install(TARGETS gossamer-mpi RUNTIME COMPONENT mpi)
endif()
install(FILES LICENSE CHANGELOG.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# whose work the archives in the program are
if(GOS_ARCHIVES)
  foreach(package libopenblas-pthread-dev liblapacke-dev libhdf5-dev libaec-dev zlib1g-dev libyaml-dev libmatio-dev
      libsuitesparse-dev libmumps-seq-dev libscotch-dev libsundials-dev)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/gossamer/libraries
        RENAME ${package} COMPONENT program)
    endif()
  endforeach()
endif()

# ---- packages ----------------------------------------------------------------------------------------------------

# each with the file that says whose work it is
foreach(component library development program)
  string(REPLACE library libgossamer0 package ${component})
  string(REPLACE development libgossamer-dev package ${package})
  string(REPLACE program gossamer package ${package})
  install(FILES cmake/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gossamer)
set(CPACK_PACKAGE_CONTACT "the authors of Gossamer <gossamer@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development program)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libgossamer0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgossamer-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# the archive is linked with what the library is linked with
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libgossamer0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libyaml-dev, libmuparser-dev, libhdf5-dev, libopenblas-dev, liblapacke-dev, libsuitesparse-dev, libmumps-seq-dev, libmetis-dev, libzip-dev")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gossamer)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "${PROJECT_DESCRIPTION} (library)")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${PROJECT_DESCRIPTION} (headers)")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "${PROJECT_DESCRIPTION}")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${PROJECT_DESCRIPTION}: shared library.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${PROJECT_DESCRIPTION}: headers, archive, and files for pkg-config and CMake.")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${PROJECT_DESCRIPTION}: the program, its manual and examples.")
include(CPack)
