# How rooms are declared: cudaperf_library, cudaperf_executable, cudaperf_test.

add_library(cudaperf_options INTERFACE)
target_compile_options(cudaperf_options INTERFACE -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers
                       -pthread)
target_include_directories(cudaperf_options INTERFACE ${PROJECT_SOURCE_DIR})
if(CUDAPERF_FUZZERS)
  set(CUDAPERF_SANITIZER fuzzer-no-link,address,undefined)
endif()
if(CUDAPERF_SANITIZER)
  target_compile_options(cudaperf_options INTERFACE -fsanitize=${CUDAPERF_SANITIZER} -fno-omit-frame-pointer -g1)
  target_link_options(cudaperf_options INTERFACE -fsanitize=${CUDAPERF_SANITIZER})
endif()
if(CUDAPERF_FUZZERS)
  # What AddressSanitizer sees anyway would cost a third of the build.
  target_compile_options(cudaperf_options INTERFACE
    -fno-sanitize=alignment,function,null,object-size,pointer-overflow,return,vptr)
endif()

# cudaperf_library(NAME HEADERS ... SOURCES ... DEPS ...): static library NAME with alias cudaperf::NAME; each header is
# compiled alone by the target all_verify_interface_header_sets.
function(cudaperf_library name)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
  set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(${name} PUBLIC cudaperf_options ${ARG_DEPS})
  add_library(cudaperf::${name} ALIAS ${name})
endfunction()

# cudaperf_executable(NAME SOURCES ... DEPS ...): lands in bin/.
function(cudaperf_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE cudaperf_options ${ARG_DEPS})
endfunction()

# cudaperf_test(NAME LABEL unit|sandbox|device [TIMEOUT seconds] SOURCES ... DEPS ...): one ctest per test binary. The target
# unit_tests builds those labelled unit.
function(cudaperf_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;DEPS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE cudaperf_options GTest::gmock_main ${ARG_DEPS})
  target_compile_definitions(${name} PRIVATE CUDAPERF_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             CUDAPERF_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
  if(ARG_LABEL STREQUAL unit)
    add_dependencies(unit_tests ${name})
  else()
    # A test that this machine cannot run says so, and counts as skipped rather than passed.
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  PASSED  \\] 0 tests")
  endif()
endfunction()

# cudaperf_targets_below(OUT DIRECTORY): executables, libraries that are loaded at run time, in DIRECTORY and below it.
function(cudaperf_targets_below out directory)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  set(found "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$" AND NOT excluded)
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(subdirectories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    cudaperf_targets_below(below ${subdirectory})
    list(APPEND found ${below})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
