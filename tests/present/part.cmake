# Needs a display; ./check runs it under a virtual one.
tonescope_test(present_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/present_test.cpp ${CMAKE_CURRENT_LIST_DIR}/difference_test.cpp
               ${CMAKE_CURRENT_LIST_DIR}/clipping_test.cpp
               LIBRARIES tonescope_present PkgConfig::GLFW OpenGL::GL)
