# Small files of every format, for tests of image files, of decoders and for fuzzing.
include_guard(GLOBAL)
add_library(sample_files STATIC ${CMAKE_CURRENT_LIST_DIR}/sample_files.cpp ${CMAKE_CURRENT_LIST_DIR}/sample_formats.cpp)
tonescope_settings(sample_files)
target_compile_options(sample_files PRIVATE -fno-sanitize=undefined "$<$<CONFIG:Release>:-O1>")
target_link_libraries(sample_files PUBLIC tonescope_image_io PkgConfig::JPEG PkgConfig::SPNG PkgConfig::DEFLATE PkgConfig::WEBP)
