# The interface: driven without a window, and drawn for people to look at.
set(dir ${CMAKE_CURRENT_LIST_DIR})
file(GLOB scenes CONFIGURE_DEPENDS ${dir}/scenes/*.cpp)
list(REMOVE_ITEM scenes ${dir}/scenes/ui_harness.cpp)
file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp ${dir}/*/*_test.cpp)
tonescope_test(ui_test SOURCES ${sources} ${scenes} LIBRARIES tonescope_ui tonescope_imgui LONG Reach Displays/Everywhere)
tonescope_short_checks(ui_test)

add_executable(ui_harness EXCLUDE_FROM_ALL ${dir}/scenes/ui_harness.cpp ${scenes})
tonescope_settings(ui_harness)
target_link_libraries(ui_harness PRIVATE tonescope_core tonescope_cpu tonescope_ops tonescope_ui tonescope_present tonescope_glad
                      tonescope_stb
                      PkgConfig::GLFW tonescope_imgui OpenGL::GL)
