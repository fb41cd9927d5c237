# `cmake --install` gives find_package(noctule CONFIG) with the targets noctule::noctule, noctule::tlm and noctule::program.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/noctule)

install(TARGETS noctule noctule_tlm EXPORT noctule-targets)
if(TARGET noctule_program)
  install(TARGETS noctule_program EXPORT noctule-targets)
  install(FILES ${PROJECT_BINARY_DIR}/share/noctule.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/share/noctule
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
install(EXPORT noctule-targets NAMESPACE noctule:: DESTINATION ${package_dir})

# Headers include each other relative to models/, so the tree moves as it is.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/noctule
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/noctule)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/noctule)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/plot ${PROJECT_SOURCE_DIR}/scripts/synthesize
        DESTINATION ${CMAKE_INSTALL_DATADIR}/noctule/scripts)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts/hardware ${PROJECT_SOURCE_DIR}/scripts/plots
        DESTINATION ${CMAKE_INSTALL_DATADIR}/noctule/scripts
        FILES_MATCHING PATTERN "*.py")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/noctule-config.cmake.in
                              ${PROJECT_BINARY_DIR}/noctule-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/noctule-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/noctule-config.cmake ${PROJECT_BINARY_DIR}/noctule-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/NoctuleSystemC.cmake DESTINATION ${package_dir})
