# What the application keeps and knows, without a window.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp ${CMAKE_CURRENT_LIST_DIR}/*/*.cpp)
tonescope_test(app_test SOURCES ${sources} LIBRARIES tonescope_app)
tonescope_short_checks(app_test)
