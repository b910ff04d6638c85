# Every rung against its operator's reference, and the registry against the sources.
set(dir ${CMAKE_CURRENT_LIST_DIR})
tonescope_test(differential_test SOURCES ${dir}/cases.cpp ${dir}/walk.cpp ${dir}/cpu_test.cpp ${dir}/registry_test.cpp
                                         ${dir}/display_histogram_test.cpp LIBRARIES Threads::Threads)
target_compile_definitions(differential_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                     TONESCOPE_WITH_CUDA=$<BOOL:${TONESCOPE_HAVE_CUDA}>)
tonescope_test(differential_gpu_test SOURCES ${dir}/cases.cpp ${dir}/walk.cpp ${dir}/gpu_test.cpp LABELS gpu)
