# Writes a C++ file that holds files as bytes, named by their paths from FOLDER:
#   cmake -DOUTPUT=page_files.cpp -DVARIABLE=arena::web::kPageFiles -DFOLDER=... \
#         -P embed.cmake -- FILE...
string(REGEX MATCH "^(.*)::([^:]+)$" whole "${VARIABLE}")
set(namespace ${CMAKE_MATCH_1})
set(variable ${CMAKE_MATCH_2})
set(declarations "")
set(entries "")
set(number 0)
set(is_file FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
    if(is_file)
        set(path "${CMAKE_ARGV${i}}")
        file(RELATIVE_PATH name "${FOLDER}" "${path}")
        file(READ "${path}" hex HEX)
        # In lines of 24 bytes: a line of a megabyte is slow to compile.
        string(REPEAT "." 48 line)
        string(REGEX REPLACE "(${line})" "\\1\n" hex "${hex}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
        string(APPEND declarations "const char ${variable}${number}[] = {${bytes}'\\0'};\n")
        string(APPEND entries
               "    {\"${name}\", {${variable}${number}, sizeof ${variable}${number} - 1}},\n")
        math(EXPR number "${number} + 1")
    elseif(CMAKE_ARGV${i} STREQUAL "--")
        set(is_file TRUE)
    endif()
endforeach()
file(WRITE "${OUTPUT}" "// Made by arena/base/embed.cmake.
#include \"arena/base/embedded_file.hpp\"

namespace ${namespace} {
namespace {

${declarations}
}  // namespace

extern const std::vector<EmbeddedFile> ${variable};
const std::vector<EmbeddedFile> ${variable}{
${entries}};

}  // namespace ${namespace}
")
