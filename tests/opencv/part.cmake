# HE and CLAHE against OpenCV, where its imgproc is installed. Debian's libopencv-imgproc-dev brings no OpenCVConfig.cmake, so
# headers and libraries are looked for by name.
find_path(TONESCOPE_OPENCV_INCLUDE opencv2/imgproc.hpp PATH_SUFFIXES opencv4)
find_library(TONESCOPE_OPENCV_CORE opencv_core)
find_library(TONESCOPE_OPENCV_IMGPROC opencv_imgproc)
mark_as_advanced(TONESCOPE_OPENCV_INCLUDE TONESCOPE_OPENCV_CORE TONESCOPE_OPENCV_IMGPROC)
if(TONESCOPE_OPENCV_INCLUDE AND TONESCOPE_OPENCV_CORE AND TONESCOPE_OPENCV_IMGPROC)
  set(dir ${CMAKE_CURRENT_LIST_DIR})
  tonescope_test(opencv_test SOURCES ${dir}/opencv_test.cpp ${dir}/test_images.cpp
                             LIBRARIES tonescope_stb ${TONESCOPE_OPENCV_IMGPROC} ${TONESCOPE_OPENCV_CORE})
  target_include_directories(opencv_test SYSTEM PRIVATE ${TONESCOPE_OPENCV_INCLUDE})
  target_compile_definitions(opencv_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
else()
  message(STATUS "OpenCV's imgproc not found: the tests against it are not built")
endif()
