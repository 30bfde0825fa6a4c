# Turns the viewer's files into C: cmake -DSOURCE=FOLDER -DOUTPUT=viewer.c -P embed.cmake
# Each array holds one or several files and ends with a 0. Scripts stand in the order of their use.
set(page page.html)
set(style style.css)
set(script base.js numbers.js plot.js scene.js player.js shapes.js modes.js tables.js family.js fan.js main.js)

set(text "/* The viewer's files, made by cmake/embed.cmake. */\n#include \"io/report.h\"\n")
foreach(part page style script)
  set(bytes "")
  foreach(name ${${part}})
    file(READ ${SOURCE}/${name} hex HEX)
    string(APPEND bytes "${hex}")
  endforeach()
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND text "const char gos__viewer_${part}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
