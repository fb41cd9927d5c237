# Build type, language level, warnings and sanitizers. Target noctule_build: what all our own code is compiled
# with; never seen by users of the library.
include(GNUInstallDirs)

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    message(STATUS "Build type: Release (the default)")
  endif()
  find_program(NOCTULE_CCACHE ccache)
  if(NOCTULE_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # ccache keeps what is compiled with a precompiled header only if it need not look into it for defines and dates.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${NOCTULE_CCACHE})
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
# The installed program finds the installed library wherever the prefix is moved to.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(CMAKE_INSTALL_RPATH "$ORIGIN/${bin_to_lib}")

add_library(noctule_build INTERFACE)
target_compile_features(noctule_build INTERFACE cxx_std_20)
target_compile_definitions(noctule_build INTERFACE NOCTULE_VERSION="${PROJECT_VERSION}"
                                                   $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
# No fused multiply-add: the same floating-point results on every machine. No interposition of functions
# inside the shared library (symbols stay visible: plug-ins), so that they can be inlined.
target_compile_options(noctule_build INTERFACE -Wall -Wextra -Wpedantic $<$<BOOL:${NOCTULE_WERROR}>:-Werror>
                                               -ffp-contract=off -fno-semantic-interposition)
if(NOCTULE_SANITIZE)
  target_compile_options(noctule_build INTERFACE -fsanitize=${NOCTULE_SANITIZE} -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Under sanitizers g++ 12 takes members of std::regex for uninitialized.
    target_compile_options(noctule_build INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_link_options(noctule_build INTERFACE -fsanitize=${NOCTULE_SANITIZE})
endif()

# Headers that nearly every file of a target needs, parsed once; JSON is the dearest. The preset `clang` goes
# without, so that no file relies on them.
set(noctule_common_headers <algorithm> <array> <bit> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional>
                           <set> <span> <string> <string_view> <utility> <vector> <fmt/format.h>
                           ${PROJECT_SOURCE_DIR}/models/core/json.h)

# With CMAKE_UNITY_BUILD, compiles the files of a target eight at a time, by folder: most of the time of cold code
# goes to templates that its files share. ALONE: a regular expression of those that are changed often or that take
# long by themselves.
function(noctule_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ALONE" "")
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$" OR (arg_ALONE AND source MATCHES "${arg_ALONE}"))
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    math(EXPR batch "0${${folder}_files} / 8")
    math(EXPR ${folder}_files "0${${folder}_files} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
  endforeach()
endfunction()
