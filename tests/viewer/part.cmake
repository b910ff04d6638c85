# The window's controller without the window. Needs a display; ./check runs it under a virtual one.
tonescope_test(viewer_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/device_failure_test.cpp ${CMAKE_CURRENT_LIST_DIR}/session_part_test.cpp
               LIBRARIES tonescope_app PkgConfig::GLFW OpenGL::GL LONG SilentDevice)
# The test stands for the session on a GPU, make_cuda_session(), for the GPU's answer, await_device(), and between the
# window and make_cpu_backend().
target_link_options(viewer_test PRIVATE
                    LINKER:--wrap=_ZN9tonescope17make_cuda_sessionESt8functionIFvvEEPNS_14ResultTexturesEi
                    LINKER:--wrap=_ZN9tonescope12await_deviceEi
                    LINKER:--wrap=_ZN9tonescope16make_cpu_backendEiPNS_11RunProgressE)
