# Needs an NVIDIA GPU; every test says that it was skipped where there is none.
set(sources ${CMAKE_CURRENT_LIST_DIR}/gpu_test.cpp ${CMAKE_CURRENT_LIST_DIR}/backend_test.cpp ${CMAKE_CURRENT_LIST_DIR}/session_test.cpp)
set(libraries tonescope_present)
if(TONESCOPE_HAVE_CUDA)
  list(APPEND sources ${CMAKE_CURRENT_LIST_DIR}/cuda_test.cpp ${CMAKE_CURRENT_LIST_DIR}/interop_test.cpp
       ${CMAKE_CURRENT_LIST_DIR}/memory_modes_test.cpp ${CMAKE_CURRENT_LIST_DIR}/counts_test.cpp
       ${CMAKE_CURRENT_LIST_DIR}/overlap_test.cpp ${CMAKE_CURRENT_LIST_DIR}/trace_test.cpp ${CMAKE_CURRENT_LIST_DIR}/band_run_test.cpp
       ${CMAKE_CURRENT_LIST_DIR}/short_memory_test.cpp)
  list(APPEND libraries PkgConfig::GLFW OpenGL::GL)
endif()
tonescope_test(gpu_test SOURCES ${sources} LIBRARIES ${libraries} LABELS gpu)

set(sources ${CMAKE_CURRENT_LIST_DIR}/no_gpu_test.cpp)
if(TONESCOPE_HAVE_CUDA)
  list(APPEND sources ${CMAKE_CURRENT_LIST_DIR}/occupancy_test.cpp)
endif()
tonescope_test(no_gpu_test SOURCES ${sources})

if(TONESCOPE_HAVE_CUDA AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(dir ${CMAKE_CURRENT_LIST_DIR})
  tonescope_test(gpu_faults_test SOURCES ${dir}/gpu_test.cpp ${dir}/faults/cuda_faults.cpp ${dir}/faults/faults_test.cpp
                         ${dir}/faults/single_faults_test.cpp ${dir}/faults/lost_device_test.cpp ${dir}/faults/functions_test.cpp
                 LIBRARIES tonescope_present PkgConfig::GLFW OpenGL::GL LABELS gpu)
  target_compile_definitions(gpu_faults_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # The functions that cuda_faults.cpp lists; launches pass through --wrap anyway.
  target_link_options(gpu_faults_test PRIVATE LINKER:--wrap=cudaGetLastError)
  file(STRINGS ${dir}/faults/cuda_faults.cpp calls REGEX "^WRAP\\(")
  foreach(call ${calls})
    string(REGEX REPLACE "^WRAP\\(.*, (.*)\\)$" "\\1" name ${call})
    target_link_options(gpu_faults_test PRIVATE LINKER:--wrap=${name})
  endforeach()
endif()
