# Man pages and shell completion. The program writes them from its own help when it has been linked: manual/man1/*.1, manual/gossamer.bash,
# manual/_gossamer and manual/gossamer.fish. They are skipped in sanitizer builds, and in cross builds without an emulator.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS include/gossamer/base.h) # the version

# pages have the date of the release
file(STRINGS CHANGELOG.md GOS_RELEASE REGEX "^## \\[[0-9.]+\\] - [0-9-]+$" LIMIT_COUNT 1)
string(REGEX MATCH "[0-9]+-[0-9]+-[0-9]+$" GOS_RELEASE_DATE "${GOS_RELEASE}")
set_source_files_properties(${PROJECT_SOURCE_DIR}/cli/manual.c PROPERTIES COMPILE_DEFINITIONS GOS_RELEASE_DATE="${GOS_RELEASE_DATE}")

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "without man pages and shell completion: this build cannot run the program (CMAKE_CROSSCOMPILING_EMULATOR)")
elseif(TARGET gossamer AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize=")
  set(GOS_MANUAL ${PROJECT_BINARY_DIR}/manual)
  add_custom_command(TARGET gossamer POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}" -DPROGRAM=$<TARGET_FILE:gossamer> -DFOLDER=${GOS_MANUAL}
      -P ${PROJECT_SOURCE_DIR}/cmake/write-manual.cmake)
  set_property(TARGET gossamer APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/write-manual.cmake)

  install(DIRECTORY ${GOS_MANUAL}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
  install(FILES ${GOS_MANUAL}/gossamer.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
    RENAME gossamer COMPONENT program)
  install(FILES ${GOS_MANUAL}/_gossamer DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions COMPONENT program)
  # Debian's zsh looks for those of packages elsewhere
  install(CODE "if(EXISTS /etc/debian_version AND CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions\" TYPE FILE FILES \"${GOS_MANUAL}/_gossamer\")
  endif()" COMPONENT program)
  install(FILES ${GOS_MANUAL}/gossamer.fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d COMPONENT program)
endif()
