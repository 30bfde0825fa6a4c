# libgossamer_fmu.so runs the models in functional mock-up units. It exports the functions of the interface only and contains
# the library. HDF5 is linked statically if its archive exists (Debian: libhdf5-dev), since the shared library depends on network
# libraries. The archive is not position-independent, but it only lacks addresses of two variables of the C library
# (src/fmi/streams.c). The other required libraries are listed with their licence texts, so that
# `gossamer export --to fmu` can pack them.
file(GLOB FMI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/fmi/*.c)
list(FILTER FMI_SOURCES EXCLUDE REGEX "/step_unit\\.c$")
find_library(HDF5_ARCHIVE libhdf5_serial.a)
find_library(SZ_LIB sz)
find_library(ZLIB_LIB z)
if(HDF5_ARCHIVE AND SZ_LIB AND ZLIB_LIB)
  set(GOS_FMU_HDF5 ${HDF5_ARCHIVE} ${SZ_LIB} ${ZLIB_LIB})
else()
  set(GOS_FMU_HDF5 PkgConfig::HDF5)
endif()
add_library(gossamer_fmu MODULE ${FMI_SOURCES})
target_link_libraries(gossamer_fmu PRIVATE gos_flags gos_hardening $<TARGET_FILE:gossamer_static> ${GOS_RUN_LIBS} ${GOS_FMU_HDF5})
target_include_directories(gossamer_fmu SYSTEM PRIVATE ${MUPARSER_INCLUDE} ${SUITESPARSE_INCLUDE})
add_dependencies(gossamer_fmu gossamer_static)
target_link_options(gossamer_fmu PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/fmi.map
  -Wl,--as-needed -Wl,--strip-debug -Wl,--disable-new-dtags -Wl,--wrap=stderr -Wl,--wrap=stdout)
set_target_properties(gossamer_fmu PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fmu
  LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/fmi.map;$<TARGET_FILE:gossamer_static>" BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
add_custom_command(TARGET gossamer_fmu POST_BUILD VERBATIM
  COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:gossamer_fmu> -DSOURCE=${PROJECT_SOURCE_DIR} "-DSTATIC=${HDF5_ARCHIVE}"
    -P ${PROJECT_SOURCE_DIR}/cmake/fmu-libraries.cmake)

# libgossamer_step_fmu.so: units of linear models of fixed step, with the C library only
add_library(gossamer_step_fmu MODULE ${PROJECT_SOURCE_DIR}/src/fmi/step_unit.c ${PROJECT_SOURCE_DIR}/src/fmi/resources.c)
target_link_libraries(gossamer_step_fmu PRIVATE gos_flags gos_hardening)
target_link_options(gossamer_step_fmu PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/step.map -Wl,--as-needed -Wl,--strip-debug)
set_target_properties(gossamer_step_fmu PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fmu
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/step.map)
