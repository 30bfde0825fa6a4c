# Writes man pages and shell completion: cmake [-DEMULATOR=...] -DPROGRAM=GOSSAMER -DFOLDER=FOLDER -P write-manual.cmake
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/man1)

function(write file) # arguments of gossamer help
  execute_process(COMMAND ${EMULATOR} ${PROGRAM} help ${ARGN} OUTPUT_FILE ${FOLDER}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

execute_process(COMMAND ${EMULATOR} ${PROGRAM} help OUTPUT_VARIABLE overview COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  gossamer [a-z]+" commands "${overview}")
write(man1/gossamer.1 --man)
foreach(line ${commands})
  string(REGEX REPLACE ".* " "" command "${line}")
  write(man1/gossamer-${command}.1 --man ${command})
endforeach()
write(gossamer.bash --completion bash)
write(_gossamer --completion zsh)
write(gossamer.fish --completion fish)
