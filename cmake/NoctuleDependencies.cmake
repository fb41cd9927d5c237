# Everything that is not ours. Imported targets are made global, so that a project that takes noctule in with
# add_subdirectory can link to noctule::noctule from any of its folders.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
include(NoctuleSystemC)
if(NOT TARGET noctule::systemc)
  message(FATAL_ERROR "${NOCTULE_SYSTEMC_PROBLEM}")
endif()

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL FALSE)

# Newer releases of yaml-cpp name their target in a namespace.
add_library(noctule_yaml INTERFACE)
target_link_libraries(noctule_yaml INTERFACE $<IF:$<TARGET_EXISTS:yaml-cpp::yaml-cpp>,yaml-cpp::yaml-cpp,yaml-cpp>)
