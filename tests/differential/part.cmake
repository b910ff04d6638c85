# Every rung against its operator's reference, and the registry against the sources.
set(dir ${CMAKE_CURRENT_LIST_DIR})
tonescope_test(differential_test SOURCES ${dir}/cases.cpp ${dir}/walk.cpp ${dir}/cpu_test.cpp ${dir}/explain_test.cpp ${dir}/registry_test.cpp
                                         ${dir}/display_histogram_test.cpp LIBRARIES Threads::Threads)
target_compile_definitions(differential_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                     TONESCOPE_WITH_CUDA=$<BOOL:${TONESCOPE_HAVE_CUDA}>)
set(sources ${dir}/cases.cpp ${dir}/walk.cpp ${dir}/gpu_check.cpp ${dir}/gpu_test.cpp ${dir}/sanitizer_test.cpp)
if(TONESCOPE_HAVE_CUDA)
  list(APPEND sources ${dir}/surface_test.cpp)
endif()
tonescope_test(differential_gpu_test SOURCES ${sources} LABELS gpu)
