# Initialisers of C arrays from files that are embedded into a program.

# bytes_to_c(VAR HEX): VAR becomes the initialiser, ended by a 0, for bytes in hexadecimal (file(READ ... HEX))
function(bytes_to_c var hex)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  set(${var} "{\n${bytes}0}" PARENT_SCOPE)
endfunction()
