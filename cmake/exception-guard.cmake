# One C++ file, compiled by a command of its own: the language of the project, of its flags and of its links stays C.
find_program(GOS_CXX NAMES c++ g++ clang++ REQUIRED)
mark_as_advanced(GOS_CXX)
set(GOS_GUARD ${PROJECT_BINARY_DIR}/exception_guard.o)
set(guard_flags -std=c++17 -O2 -fPIC -fvisibility=hidden -Wall -Wextra)
if(GOS_WERROR)
  list(APPEND guard_flags -Werror)
endif()
add_custom_command(OUTPUT ${GOS_GUARD} DEPENDS src/model/exception_guard.cc VERBATIM
  COMMAND ${GOS_CXX} ${guard_flags} -c ${PROJECT_SOURCE_DIR}/src/model/exception_guard.cc -o ${GOS_GUARD})
set_source_files_properties(${GOS_GUARD} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_custom_target(gos_guard DEPENDS ${GOS_GUARD})
