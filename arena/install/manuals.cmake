# Asks each of PROGRAMS in FOLDER for its manual page and its completions, and writes them to OUTPUT
# in a folder for each form. nim-arena has a page for each command, too.
function(ask form file)
    get_filename_component(folder ${OUTPUT}/${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    execute_process(COMMAND ${FOLDER}/${ARGN} --help-format ${form}
                    OUTPUT_FILE ${OUTPUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(write_page name)
    ask(man man1/${name}.1 ${ARGN})
    execute_process(COMMAND gzip -9nf ${OUTPUT}/man1/${name}.1 COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
foreach(program IN LISTS PROGRAMS)
    write_page(${program} ${program})
    ask(bash bash/${program} ${program})
    ask(zsh zsh/_${program} ${program})
    ask(fish fish/${program}.fish ${program})
endforeach()

# The commands are those of the completion for fish: "… -f -a NAME -d …".
file(STRINGS ${OUTPUT}/fish/nim-arena.fish commands REGEX "__fish_use_subcommand")
foreach(line IN LISTS commands)
    string(REGEX REPLACE ".* -a ([a-z]+) .*" "\\1" command "${line}")
    if(NOT command STREQUAL help)
        write_page(nim-arena-${command} nim-arena ${command})
    endif()
endforeach()
