# Writes a C++ file that holds files as bytes:
#   cmake -DOUTPUT=page_files.cpp -P embed.cmake -- FILE...
set(declarations "")
set(entries "")
set(number 0)
set(is_file FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
    if(is_file)
        set(path "${CMAKE_ARGV${i}}")
        get_filename_component(name "${path}" NAME)
        file(READ "${path}" hex HEX)
        # In lines of 24 bytes: a line of a megabyte is slow to compile.
        string(REPEAT "." 48 line)
        string(REGEX REPLACE "(${line})" "\\1\n" hex "${hex}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
        string(APPEND declarations "const char kFile${number}[] = {${bytes}'\\0'};\n")
        string(APPEND entries
               "    {\"${name}\", {kFile${number}, sizeof kFile${number} - 1}},\n")
        math(EXPR number "${number} + 1")
    elseif(CMAKE_ARGV${i} STREQUAL "--")
        set(is_file TRUE)
    endif()
endforeach()
file(WRITE "${OUTPUT}" "// Made by arena/web/embed.cmake.
#include \"arena/web/site.hpp\"

namespace arena::web {
namespace {

${declarations}
}  // namespace

const std::vector<PageFile> kPageFiles{
${entries}};

}  // namespace arena::web
")
