# The command line, as a user's script sees it.
foreach(group usage batch outputs files deep headless dicom decoding memory signals list command_line code source compare preset gpu)
  add_test(NAME cli.${group} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/${group}_test.py)
  set_tests_properties(cli.${group} PROPERTIES ENVIRONMENT "TONESCOPE=$<TARGET_FILE:tonescope>;PYTHONDONTWRITEBYTECODE=1")
endforeach()
foreach(group figures sweep suggest)
  add_test(NAME cli.${group} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/figures/${group}_test.py)
  set_tests_properties(cli.${group} PROPERTIES ENVIRONMENT "TONESCOPE=$<TARGET_FILE:tonescope>;PYTHONDONTWRITEBYTECODE=1")
endforeach()
add_test(NAME cli.silence COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/gpu/silence_test.py)
set_tests_properties(cli.silence PROPERTIES ENVIRONMENT "TONESCOPE=$<TARGET_FILE:tonescope>;PYTHONDONTWRITEBYTECODE=1" SKIP_RETURN_CODE 77)
set_tests_properties(cli.compare cli.code cli.outputs PROPERTIES COST 100)
set_tests_properties(cli.files cli.deep cli.dicom PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(cli.gpu PROPERTIES LABELS gpu SKIP_RETURN_CODE 77)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/*.cpp)
tonescope_test(cli_test SOURCES ${sources} LIBRARIES tonescope_app)

if(TONESCOPE_HAVE_CUDA)
  tonescope_test(experiments_gpu_test SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/cli/gpu/experiments_gpu_test.cpp
                 LIBRARIES tonescope_app LABELS gpu)
endif()
