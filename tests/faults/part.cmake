# Calls of the program that fail, one after the other, and what becomes of it. All of them, not only a sample:
#   python3 tests/faults/faults.py build/check/tonescope build/check/tests/libtonescope_faults.so
#   python3 tests/faults/window.py build/check/tonescope build/check/tests/libtonescope_faults.so
if(TARGET tonescope)
  add_library(tonescope_faults MODULE ${CMAKE_CURRENT_LIST_DIR}/faults.c ${CMAKE_CURRENT_LIST_DIR}/graphics.c)
  target_link_libraries(tonescope_faults PRIVATE ${CMAKE_DL_LIBS})
  add_test(NAME faults.headless COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/faults.py $<TARGET_FILE:tonescope>
           $<TARGET_FILE:tonescope_faults> --sample 800)
  set_tests_properties(faults.headless PROPERTIES LABELS faults COST 100 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
  find_program(TONESCOPE_XVFB Xvfb)
  if(TONESCOPE_XVFB AND TONESCOPE_PYTHON_WITH_XLIB)
    add_test(NAME e2e.Faults COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/window.py $<TARGET_FILE:tonescope>
             $<TARGET_FILE:tonescope_faults> --sample 10 --jobs 1)
    set_tests_properties(e2e.Faults PROPERTIES LABELS "faults;e2e" TIMEOUT 1200 COST 100 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
  endif()
endif()
