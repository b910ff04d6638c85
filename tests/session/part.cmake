tonescope_test(session_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/session_test.cpp)
