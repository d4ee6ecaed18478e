# The vocabulary of this build: one library target a room, one function each for
# libraries, programs and tests, so that flags are stated once.

# Flags for our own code; generated code does not get them.
add_library(referee_flags INTERFACE)
target_compile_features(referee_flags INTERFACE cxx_std_17)
target_compile_options(referee_flags INTERFACE -Wall -Wextra -Werror
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety -Werror=thread-safety>)
target_include_directories(referee_flags INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)

if(REFEREE_SANITIZE)
  add_compile_options(-fsanitize=${REFEREE_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${REFEREE_SANITIZE})
  if(REFEREE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
    # Checks at each use of a pointer are two fifths of the code, and a quarter of the time to build it.
    # AddressSanitizer sees what they would, but for alignment; the fuzzers, which feed the parsers, have
    # them all.
    if(NOT REFEREE_BUILD_FUZZERS)
      add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
    endif()
  endif()
endif()
if(REFEREE_BUILD_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)  # what a fuzzer steers by, in all that it calls
endif()

# The allocator of programs that serve many connections: where one thread takes memory and another
# gives it back, jemalloc does less work than the C library. A sanitizer brings its own.
add_library(referee_allocator INTERFACE)
add_library(referee::allocator ALIAS referee_allocator)
if(NOT REFEREE_SANITIZE)
  target_link_libraries(referee_allocator INTERFACE PkgConfig::jemalloc)
endif()

# referee_library(NAME SRCS a.cc ... DEPS target ...)
# A static library of our own code, with the alias referee::NAME.
function(referee_library name)
  cmake_parse_arguments(arg "" "" "SRCS;DEPS" ${ARGN})
  add_library(referee_${name} STATIC ${arg_SRCS})
  add_library(referee::${name} ALIAS referee_${name})
  target_link_libraries(referee_${name} PUBLIC ${arg_DEPS} PRIVATE $<BUILD_INTERFACE:referee_flags>)
  target_include_directories(referee_${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

# referee_program(NAME SRCS a.cc ... DEPS target ... [FOLDER bots])
# A program in build/<preset>/bin, or in a folder below it.
function(referee_program name)
  cmake_parse_arguments(arg "" "FOLDER;OUTPUT" "SRCS;DEPS" ${ARGN})
  add_executable(${name} ${arg_SRCS})
  target_link_libraries(${name} PRIVATE ${arg_DEPS} $<BUILD_INTERFACE:referee_flags>)
  if(arg_FOLDER)
    set_target_properties(${name} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${arg_FOLDER})
  endif()
  if(arg_OUTPUT)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME ${arg_OUTPUT})
  endif()
endfunction()

# Tests that end in seconds are labelled "quick", or "threads" if more than one thread runs in them.
# All of these also run under AddressSanitizer, and those with threads under ThreadSanitizer.
add_custom_target(threads_tests)
add_custom_target(quick_tests)
add_dependencies(quick_tests threads_tests)

# What a test, and the programs that it runs, find in their environment.
set(referee_test_environment)
if(REFEREE_SANITIZE MATCHES "thread")
  set(suppressions ${CMAKE_SOURCE_DIR}/tests/support/tsan.supp)
  list(APPEND referee_test_environment
    "TSAN_OPTIONS=suppressions='${suppressions}':ignore_noninstrumented_modules=1")
else()
  if(REFEREE_SANITIZE MATCHES "undefined")
    list(APPEND referee_test_environment "UBSAN_OPTIONS=print_stacktrace=1")
  endif()
  if(REFEREE_SANITIZE MATCHES "address")
    # AddressSanitizer keeps the stack of every allocation, by default 30 frames of it. To store these
    # took more than half of the time of ctl_test. Run the program itself to see more.
    list(APPEND referee_test_environment "ASAN_OPTIONS=malloc_context_size=8")
  endif()
endif()

# referee_test_options(NAME [PROGRAM ...]): how the code of a test is compiled that runs these programs.
function(referee_test_options name)
  # What a test calls is optimised; the test itself is run once. Under a sanitizer, and where it only
  # waits for programs, building it is most of what it costs.
  if(REFEREE_SANITIZE OR ARGN)
    target_compile_options(${name} PRIVATE -O0)
  else()
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# referee_test_objects(NAME SRCS a_test.cc ... DEPS target ...)
# Tests that several programs of referee_test run: each links NAME, which is compiled once.
function(referee_test_objects name)
  cmake_parse_arguments(arg "" "" "SRCS;DEPS" ${ARGN})
  add_library(${name} OBJECT ${arg_SRCS})
  target_link_libraries(${name} PUBLIC ${arg_DEPS} GTest::gmock PRIVATE $<BUILD_INTERFACE:referee_flags>)
  referee_test_options(${name})
endfunction()

# referee_test(NAME SRCS a_test.cc ... DEPS target ... [PROGRAMS target ...] [LABELS quick|threads|slow]
#              [SERIAL FILTER] [WHOLE] [COST N])
# A GoogleTest program; each TEST in it is a test of its own for ctest, or under a sanitizer all of them
# one. PROGRAMS are what it runs: they are built before it, and lie in REFEREE_BINARY_DIR. SERIAL: the
# tests that match this GoogleTest filter demand that other programs are in time, so nothing runs beside
# them. WHOLE: all of them are one, since they share what takes long to start. COST: the seconds
# that one of them takes, if they are to begin before others.
function(referee_test name)
  cmake_parse_arguments(arg "WHOLE" "SERIAL;COST" "SRCS;DEPS;PROGRAMS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SRCS})
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gmock_main $<BUILD_INTERFACE:referee_flags>)
  target_compile_definitions(${name} PRIVATE REFEREE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    REFEREE_BINARY_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  referee_test_options(${name} ${arg_PROGRAMS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(arg_PROGRAMS)
    add_dependencies(${name} ${arg_PROGRAMS})
  endif()
  if(TARGET ${arg_LABELS}_tests)
    add_dependencies(${arg_LABELS}_tests ${name})
    set_property(GLOBAL APPEND PROPERTY referee_quick_tests ${name})
  endif()
  set(properties "")
  # What takes long begins first, so that no core waits for it at the end.
  if(arg_COST)
    list(APPEND properties COST ${arg_COST})
  elseif(arg_LABELS STREQUAL "slow")
    list(APPEND properties COST 60)
  elseif(REFEREE_SANITIZE AND arg_LABELS STREQUAL "threads")
    list(APPEND properties COST 30)
  endif()
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  if(REFEREE_SANITIZE OR arg_WHOLE)
    # Starting a process, or what it needs, takes longer than most tests.
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ${properties}
      ENVIRONMENT "${referee_test_environment}")
  else()
    set(discovery DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
    if(arg_SERIAL)
      gtest_discover_tests(${name} TEST_FILTER "${arg_SERIAL}" ${discovery} RUN_SERIAL ON)
      gtest_discover_tests(${name} TEST_FILTER "-${arg_SERIAL}" ${discovery})
    else()
      gtest_discover_tests(${name} ${discovery})
    endif()
  endif()
endfunction()

# referee_all_but_quick_tests(NAME)
# A target NAME that builds what `all` does, without the programs of tests labelled quick or threads and
# what only these need. Called when all other targets are there.
function(referee_all_but_quick_tests name)
  get_property(quick GLOBAL PROPERTY referee_quick_tests)
  referee_targets_below(targets ${CMAKE_SOURCE_DIR})
  add_custom_target(${name})
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(type MATCHES "EXECUTABLE|SHARED|MODULE|UTILITY" AND NOT excluded AND NOT target IN_LIST quick)
      add_dependencies(${name} ${target})
    endif()
  endforeach()
endfunction()

# referee_targets_below(VARIABLE FOLDER): sets VARIABLE to the targets of FOLDER and of those in it.
function(referee_targets_below variable folder)
  get_property(found DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    referee_targets_below(more ${below})
    list(APPEND found ${more})
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
