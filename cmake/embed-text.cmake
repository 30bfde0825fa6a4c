# Converts a text file to C: cmake -DSOURCE=FILE -DNAME=ARRAY -DHEADER=DECLARES_IT -DOUTPUT=FILE.c -P embed-text.cmake
include(${CMAKE_CURRENT_LIST_DIR}/bytes.cmake)
file(READ ${SOURCE} hex HEX)
bytes_to_c(bytes "${hex}")
file(WRITE ${OUTPUT} "/* Made by cmake/embed-text.cmake. */\n#include \"${HEADER}\"\nconst char ${NAME}[] = ${bytes};\n")
