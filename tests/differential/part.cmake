# Every variant against its operator's reference, and the registry against the sources.
set(dir ${CMAKE_CURRENT_LIST_DIR})
# Both programs walk over the same cases.
add_library(differential_cases OBJECT ${dir}/cases.cpp ${dir}/walk.cpp)
tonescope_test_settings(differential_cases)
target_precompile_headers(differential_cases REUSE_FROM tonescope_test_headers)
tonescope_test(differential_test SOURCES ${dir}/cpu_test.cpp ${dir}/explain_test.cpp ${dir}/registry_test.cpp
                                         ${dir}/part_test.cpp
                                         ${dir}/display_histogram_test.cpp ${dir}/listing_test.cpp
                       LIBRARIES differential_cases tonescope_listing Threads::Threads LONG All/CpuDifferential)
target_compile_definitions(differential_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                     TONESCOPE_WITH_CUDA=$<BOOL:${TONESCOPE_HAVE_CUDA}>)
set(sources ${dir}/gpu_check.cpp ${dir}/gpu_test.cpp ${dir}/sanitizer_test.cpp ${dir}/part_gpu_test.cpp
            ${dir}/same_kernels_test.cpp ${dir}/wrong_by_design_test.cpp)
if(TONESCOPE_HAVE_CUDA)
  list(APPEND sources ${dir}/surface_test.cpp ${dir}/lesser_gpu_test.cpp)
endif()
tonescope_test(differential_gpu_test SOURCES ${sources} LIBRARIES differential_cases LABELS gpu)
