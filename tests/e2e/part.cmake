# The real window under a virtual display. Debian's own Python has python3-xlib.
if(TARGET tonescope)
  find_program(TONESCOPE_XVFB Xvfb)
  execute_process(COMMAND /usr/bin/python3 -c "import Xlib" RESULT_VARIABLE no_xlib OUTPUT_QUIET ERROR_QUIET)
  if(TONESCOPE_XVFB AND no_xlib EQUAL 0)
    foreach(group Viewing Operating Files Liveness)
      add_test(NAME e2e.${group} COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/e2e_test.py $<TARGET_FILE:tonescope>
               ${CMAKE_SOURCE_DIR}/assets ${group})
      set_tests_properties(e2e.${group} PROPERTIES LABELS e2e TIMEOUT 300)
    endforeach()
    add_test(NAME e2e.Comparing COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/compare_test.py
             $<TARGET_FILE:tonescope> ${CMAKE_SOURCE_DIR}/assets)
    set_tests_properties(e2e.Comparing PROPERTIES LABELS e2e TIMEOUT 300)
    add_test(NAME e2e.ViewModes COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/modes_test.py
             $<TARGET_FILE:tonescope> ${CMAKE_SOURCE_DIR}/assets)
    set_tests_properties(e2e.ViewModes PROPERTIES LABELS e2e TIMEOUT 300)
    add_test(NAME e2e.Histograms COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/histogram_test.py
             $<TARGET_FILE:tonescope> ${CMAKE_SOURCE_DIR}/assets)
    set_tests_properties(e2e.Histograms PROPERTIES LABELS e2e TIMEOUT 400)
    add_test(NAME e2e.HowItWorks COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/explain_test.py
             $<TARGET_FILE:tonescope> ${CMAKE_SOURCE_DIR}/assets)
    set_tests_properties(e2e.HowItWorks PROPERTIES LABELS e2e TIMEOUT 300)
    add_test(NAME e2e.Working COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/working_test.py
             $<TARGET_FILE:tonescope> ${CMAKE_SOURCE_DIR}/assets)
    set_tests_properties(e2e.Working PROPERTIES LABELS e2e TIMEOUT 400)
    add_test(NAME e2e.Grid COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/grid_test.py
             $<TARGET_FILE:tonescope> ${CMAKE_SOURCE_DIR}/assets)
    set_tests_properties(e2e.Grid PROPERTIES LABELS e2e TIMEOUT 400)
    add_test(NAME e2e.Timings COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/timings_test.py
             $<TARGET_FILE:tonescope> ${CMAKE_SOURCE_DIR}/assets)
    set_tests_properties(e2e.Timings PROPERTIES LABELS e2e TIMEOUT 300)
    # Times are measured: nothing else may run beside it.
    set_tests_properties(e2e.Liveness PROPERTIES RUN_SERIAL ON)
  else()
    message(STATUS "End-to-end tests are left out: they need Xvfb and python3-xlib")
  endif()
endif()
