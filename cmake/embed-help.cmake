# Converts the help of the commands to C: cmake -DSOURCE=cli/help -DOUTPUT=help_pages.c -P embed-help.cmake
# Of COMMAND.txt the first line becomes summary_COMMAND, the lines after it help_COMMAND (declared in cli/help.c).
include(${CMAKE_CURRENT_LIST_DIR}/bytes.cmake)
file(GLOB files ${SOURCE}/*.txt)

set(text "/* The help of the commands, made by cmake/embed-help.cmake. */\n")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} hex HEX)
  file(STRINGS ${file} summary LIMIT_COUNT 1)
  string(LENGTH "${summary}" length)
  math(EXPR length "2 * ${length}")
  string(SUBSTRING "${hex}" 0 ${length} first)
  math(EXPR next "${length} + 2") # after the end of the line
  string(SUBSTRING "${hex}" ${next} -1 rest)
  bytes_to_c(first "${first}")
  bytes_to_c(rest "${rest}")
  string(APPEND text "extern const char summary_${name}[], help_${name}[];\n"
    "const char summary_${name}[] = ${first};\nconst char help_${name}[] = ${rest};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
