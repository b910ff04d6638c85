add_test(NAME layers COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/layers_test.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/links.txt)
set_tests_properties(layers PROPERTIES LABELS unit)
