# Installation, with files for pkg-config and find_package.
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

# the prefix in gossamer.pc is relative to the file, so that an installation can be moved
file(RELATIVE_PATH GOS_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" GOS_PC_PREFIX ${GOS_PC_PREFIX})
configure_file(cmake/gossamer.pc.in gossamer.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gossamer.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# find_package(gossamer): targets gossamer::gossamer and gossamer::static; the archive lists its libraries by name, as gossamer.pc does
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
  # packed into functional mock-up units by the program
  install(DIRECTORY ${PROJECT_BINARY_DIR}/fmu/ DESTINATION ${GOS_FMU_PLACE} USE_SOURCE_PERMISSIONS COMPONENT program)
endif()
if(TARGET gossamer-mpi) # not in a package, which would depend on MPI
  install(TARGETS gossamer-mpi RUNTIME COMPONENT mpi)
endif()
# Debian's PETSc depends on GPL libraries (UMFPACK, CHOLMOD, FFTW): installed only if requested explicitly
if(TARGET gossamer-petsc AND GOS_PETSC STREQUAL ON)
  install(TARGETS gossamer-petsc RUNTIME COMPONENT petsc)
endif()
install(FILES LICENSE CHANGELOG.md README.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
# cited by examples as the source of their numbers
install(FILES tests/reference/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests/reference COMPONENT program)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# copyrights of the archives linked into the program
if(GOS_ARCHIVES)
  foreach(package libopenblas-pthread-dev liblapacke-dev libhdf5-dev libaec-dev zlib1g-dev libyaml-dev libmatio-dev
      libsuitesparse-dev libmumps-seq-dev libscotch-dev libsundials-dev)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/gossamer/libraries
        RENAME ${package} COMPONENT program)
    endif()
  endforeach()
endif()
