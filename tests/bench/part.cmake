# The benchmark on small images.
if(TONESCOPE_BENCH)
  foreach(backend cpu cuda)
    add_test(NAME bench_${backend} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/bench_test.py ${backend}
                                           $<TARGET_FILE:tonescope_bench> $<TARGET_FILE:tonescope>)
  endforeach()
  set_tests_properties(bench_cpu PROPERTIES LABELS unit)
  set_tests_properties(bench_cuda PROPERTIES LABELS gpu SKIP_RETURN_CODE 77)
endif()
