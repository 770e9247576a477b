# What `cmake --install` and CPack put where, in two components: the programs with their manuals,
# pages, completions and kits of bots; and what a bot in C++ is built against.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# ---- the programs ----

set(program_list nim-arena nim-engine nim-greedy nim-random)
install(TARGETS ${program_list} RUNTIME COMPONENT programs)

# Manual pages and completions: each program is asked for its own.
set(manuals ${CMAKE_BINARY_DIR}/manuals)
add_custom_command(
    OUTPUT ${manuals}/stamp
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_RUNTIME_OUTPUT_DIRECTORY} -DOUTPUT=${manuals}
            "-DPROGRAMS=${program_list}" -P ${CMAKE_SOURCE_DIR}/arena/install/manuals.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${manuals}/stamp
    DEPENDS ${program_list} ${CMAKE_SOURCE_DIR}/arena/install/manuals.cmake
    COMMENT "Writing manual pages and completions"
    VERBATIM)
add_custom_target(manuals ALL DEPENDS ${manuals}/stamp)
add_dependencies(programs manuals)

# Where zsh looks: Debian keeps what packages bring apart.
set(zsh_folder site-functions)
if(EXISTS /etc/debian_version)
    set(zsh_folder vendor-completions)
endif()
install(DIRECTORY ${manuals}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT programs)
install(DIRECTORY ${manuals}/bash/ COMPONENT programs
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${manuals}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_folder}
        COMPONENT programs)
install(DIRECTORY ${manuals}/fish/ COMPONENT programs
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(DIRECTORY bots DESTINATION ${CMAKE_INSTALL_DATADIR}/nimarena COMPONENT programs
        USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/nimarena)
# A link to the bots, for links between pages. Here it leads nowhere.
set(link ${CMAKE_BINARY_DIR}/install/documents/bots)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/install/documents)
file(CREATE_LINK ../../nimarena/bots ${link} SYMBOLIC)
install(FILES README.md LICENSE ${link} DESTINATION ${documents}
        COMPONENT programs)
foreach(folder arena engine protocol)
    install(FILES ${folder}/README.md DESTINATION ${documents}/${folder} COMPONENT programs)
    install(DIRECTORY ${folder}/doc DESTINATION ${documents}/${folder} COMPONENT programs)
endforeach()

# ---- the library ----

# find_package(Nimarena) gives Nimarena::bot, the loop a bot lives in, and Nimarena::rules, the
# rules of all games, with what these use.
set(exported protocol protocol_bot engine_base engine_rules)
set_target_properties(protocol_bot PROPERTIES EXPORT_NAME bot)
set_target_properties(engine_rules PROPERTIES EXPORT_NAME rules)
target_include_directories(protocol INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/nimarena>)
target_compile_features(protocol INTERFACE cxx_std_20)
foreach(target IN LISTS exported)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME nimarena_${target})
endforeach()
install(TARGETS ${exported} EXPORT nimarena ARCHIVE COMPONENT library)
foreach(room protocol engine/base engine/rules)
    install(DIRECTORY ${room}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nimarena/${room}
            COMPONENT library
            FILES_MATCHING PATTERN "*.hpp" PATTERN doc EXCLUDE PATTERN manual EXCLUDE)
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Nimarena)
configure_package_config_file(arena/install/NimarenaConfig.cmake.in
                              ${CMAKE_BINARY_DIR}/NimarenaConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/NimarenaConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT nimarena NAMESPACE Nimarena:: FILE NimarenaTargets.cmake
        DESTINATION ${package_folder} COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/NimarenaConfig.cmake
              ${CMAKE_BINARY_DIR}/NimarenaConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT library)

# ---- packages of Debian ----

# Each has its licence and its changelog: versions are tags, whose messages say what is new. Debian
# wants an address; nobody reads this one (RFC 2606). Who publishes packages names their own.
set(NIMARENA_MAINTAINER "The Nimarena authors <noreply@nimarena.invalid>" CACHE STRING
    "Maintainer of the packages, as \"Name <address>\"")
set(maintainer "${NIMARENA_MAINTAINER}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(package nimarena libnimarena-dev)
    set(component programs)
    if(package STREQUAL libnimarena-dev)
        set(component library)
    endif()
    set(changelog ${CMAKE_BINARY_DIR}/debian/${package}/changelog)
    file(WRITE ${changelog}
         "${package} (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
         "  * Version ${PROJECT_VERSION}; the tags of the repository say what is new.\n\n"
         " -- ${maintainer}  ${date}\n")
    execute_process(COMMAND gzip -9nf ${changelog} COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${changelog}.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
            COMPONENT ${component})
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
            COMPONENT ${component} RENAME copyright)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nimarena)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "arena in which engines play impartial games")
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL programs library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME nimarena)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "bubblewrap, python3")
# What builds and runs the kits of bots.
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS
    "libnimarena-dev, g++, make, default-jdk-headless, nodejs, cargo, golang-go")
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
    "Referees matches and tournaments of Nim and its relatives between programs
that speak one text protocol, with an engine that plays perfectly, sample
bots, and pages for a browser.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libnimarena-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "libboost1.81-dev | libboost-dev (>= 1.81), libboost-program-options1.81-dev | libboost-program-options-dev (>= 1.81)")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
    "Development files of bots for nim-arena: the loop that speaks its protocol,
and the rules of its games, as headers, static libraries, and their targets
for CMake.")
include(CPack)
