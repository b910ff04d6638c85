# cmake -DPROGRAM=FILE -DTO=FOLDER -DTEXTS=FOLDER -P libraries.cmake: copies the shared libraries that the program loads into a folder, and
# their licenses into the other, but for those that belong to the system or to its graphics driver.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAM}
     RESOLVED_DEPENDENCIES_VAR libraries
     UNRESOLVED_DEPENDENCIES_VAR missing
     # The C and C++ runtimes, and what comes with a graphics driver and is loaded by it too.
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so" "^lib(GL|EGL|OpenGL|cuda|nvidia)")
if(missing)
  message(FATAL_ERROR "${PROGRAM} needs libraries that are not there: ${missing}")
endif()
foreach(library ${libraries})
  file(INSTALL DESTINATION ${TO} TYPE SHARED_LIBRARY FILES ${library} FOLLOW_SYMLINK_CHAIN)
  # Debian lists a library below /lib or below /usr/lib.
  file(REAL_PATH ${library} file)
  cmake_path(GET file FILENAME name)
  execute_process(COMMAND dpkg-query --search "*/${name}" OUTPUT_VARIABLE package ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" package "${package}")
  set(license /usr/share/doc/${package}/copyright)
  if(NOT package OR NOT EXISTS ${license})
    message(FATAL_ERROR "The license of ${file} is not known: no Debian package has this library")
  endif()
  configure_file(${license} ${TEXTS}/${package} COPYONLY)
endforeach()
