include(${CMAKE_CURRENT_LIST_DIR}/samples.cmake)
file(GLOB image_io_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*_test.cpp)
tonescope_test(image_io_test SOURCES ${image_io_sources} LIBRARIES sample_files PkgConfig::CHARLS PkgConfig::OPENJPEG)
target_compile_definitions(image_io_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  TONESCOPE_DESKTOP_FILE="${CMAKE_BINARY_DIR}/packaging/org.tonescope.Tonescope.desktop"
  TONESCOPE_TEST_IMAGES="${TONESCOPE_TEST_IMAGES}")
