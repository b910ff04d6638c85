# HE and CLAHE against OpenCV, where its imgproc is installed.
include(OpenCv)
if(TARGET tonescope_opencv)
  set(dir ${CMAKE_CURRENT_LIST_DIR})
  tonescope_test(opencv_test SOURCES ${dir}/opencv_test.cpp ${dir}/test_images.cpp LIBRARIES tonescope_stb tonescope_opencv)
  target_compile_definitions(opencv_test PRIVATE TONESCOPE_TEST_IMAGES="${TONESCOPE_TEST_IMAGES}"
                             TONESCOPE_ASSETS="${CMAKE_SOURCE_DIR}/assets")
else()
  message(STATUS "OpenCV's imgproc not found: the tests against it are not built")
endif()
