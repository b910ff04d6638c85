file(GLOB image_io_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
tonescope_test(image_io_test SOURCES ${image_io_sources} LIBRARIES tonescope_image_io PkgConfig::JPEG PkgConfig::SPNG PkgConfig::DEFLATE PkgConfig::WEBP)
target_compile_definitions(image_io_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  TONESCOPE_DESKTOP_FILE="${CMAKE_BINARY_DIR}/packaging/org.tonescope.Tonescope.desktop"
  TONESCOPE_TEST_IMAGES="${TONESCOPE_TEST_IMAGES}")
