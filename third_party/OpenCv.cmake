# OpenCV's imgproc, as the target tonescope_opencv, where it is installed: tests and benchmark compare with it, and the
# benchmark with imgcodecs, too, where that is there. Debian's libopencv-imgproc-dev brings no OpenCVConfig.cmake, so
# headers and libraries are looked for by name.
find_path(TONESCOPE_OPENCV_INCLUDE opencv2/imgproc.hpp PATH_SUFFIXES opencv4)
find_library(TONESCOPE_OPENCV_CORE opencv_core)
find_library(TONESCOPE_OPENCV_IMGPROC opencv_imgproc)
find_library(TONESCOPE_OPENCV_IMGCODECS opencv_imgcodecs)
mark_as_advanced(TONESCOPE_OPENCV_INCLUDE TONESCOPE_OPENCV_CORE TONESCOPE_OPENCV_IMGPROC TONESCOPE_OPENCV_IMGCODECS)
if(TONESCOPE_OPENCV_INCLUDE AND TONESCOPE_OPENCV_CORE AND TONESCOPE_OPENCV_IMGPROC AND NOT TARGET tonescope_opencv)
  add_library(tonescope_opencv INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tonescope_opencv INTERFACE ${TONESCOPE_OPENCV_IMGPROC} ${TONESCOPE_OPENCV_CORE})
  target_include_directories(tonescope_opencv SYSTEM INTERFACE ${TONESCOPE_OPENCV_INCLUDE})
endif()
