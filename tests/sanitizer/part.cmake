# Every CUDA variant under compute-sanitizer, on few small cases (`ctest -L sanitizer`). Skipped, with the reason, where there is no GPU
# or no compute-sanitizer.
foreach(tool memcheck racecheck initcheck synccheck)
  add_test(NAME sanitizer_${tool}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/sanitizer.py ${tool} $<TARGET_FILE:differential_gpu_test>)
  set_tests_properties(sanitizer_${tool} PROPERTIES LABELS "sanitizer;gpu" SKIP_RETURN_CODE 77 TIMEOUT 900)
endforeach()
