# The interface: driven without a window, and drawn for people to look at.
set(scenes ${CMAKE_CURRENT_LIST_DIR}/driver.cpp ${CMAKE_CURRENT_LIST_DIR}/scenes.cpp ${CMAKE_CURRENT_LIST_DIR}/scene_model.cpp
    ${CMAKE_CURRENT_LIST_DIR}/compare_scenes.cpp ${CMAKE_CURRENT_LIST_DIR}/working_scenes.cpp
    ${CMAKE_CURRENT_LIST_DIR}/view_scenes.cpp ${CMAKE_CURRENT_LIST_DIR}/histogram_scenes.cpp
    ${CMAKE_CURRENT_LIST_DIR}/explain_scenes.cpp ${CMAKE_CURRENT_LIST_DIR}/timings_scenes.cpp)
tonescope_test(ui_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/layout_test.cpp ${CMAKE_CURRENT_LIST_DIR}/input_test.cpp
               ${CMAKE_CURRENT_LIST_DIR}/view_test.cpp ${CMAKE_CURRENT_LIST_DIR}/explain_test.cpp
               ${CMAKE_CURRENT_LIST_DIR}/timings_test.cpp
               ${CMAKE_CURRENT_LIST_DIR}/compare_test.cpp ${CMAKE_CURRENT_LIST_DIR}/axis_test.cpp
               ${CMAKE_CURRENT_LIST_DIR}/command_test.cpp ${CMAKE_CURRENT_LIST_DIR}/histogram_test.cpp
               ${CMAKE_CURRENT_LIST_DIR}/grid_test.cpp ${CMAKE_CURRENT_LIST_DIR}/difference_test.cpp
               ${CMAKE_CURRENT_LIST_DIR}/browser_test.cpp ${CMAKE_CURRENT_LIST_DIR}/bar_test.cpp
               ${CMAKE_CURRENT_LIST_DIR}/keyboard_test.cpp ${CMAKE_CURRENT_LIST_DIR}/numbers_test.cpp
               ${scenes}
               LIBRARIES tonescope_ui PkgConfig::IMGUI)

add_executable(ui_harness EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/ui_harness.cpp ${scenes})
tonescope_settings(ui_harness)
target_link_libraries(ui_harness PRIVATE tonescope_core tonescope_cpu tonescope_ops tonescope_ui tonescope_present tonescope_glad
                      tonescope_stb
                      PkgConfig::GLFW PkgConfig::IMGUI OpenGL::GL)
