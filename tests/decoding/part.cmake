# Decoders in processes without rights. Its main() serves as their supervisor too, as that of the program does.
include(${CMAKE_CURRENT_LIST_DIR}/../image_io/samples.cmake)
tonescope_test(decoding_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/decoding_test.cpp ${CMAKE_CURRENT_LIST_DIR}/misdeeds.cpp ${CMAKE_CURRENT_LIST_DIR}/main.cpp
               LIBRARIES sample_files)
target_compile_definitions(decoding_test PRIVATE TONESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
