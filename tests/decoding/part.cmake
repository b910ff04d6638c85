# Decoders in processes without rights. Its main() serves as their supervisor too, as that of the program does.
tonescope_test(decoding_test LIBRARIES tonescope_image_io PkgConfig::JPEG PkgConfig::WEBP PkgConfig::SPNG PkgConfig::DEFLATE SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/decoding_test.cpp ${CMAKE_CURRENT_LIST_DIR}/misdeeds.cpp ${CMAKE_CURRENT_LIST_DIR}/main.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../image_io/sample_files.cpp ${CMAKE_CURRENT_LIST_DIR}/../image_io/sample_formats.cpp)
target_compile_definitions(decoding_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
