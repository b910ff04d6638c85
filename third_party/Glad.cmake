# OpenGL 3.3 core loader, generated at build time by Debian's python3-glad. --reproducible keeps it off the network.
find_program(TONESCOPE_GLAD glad PATHS /usr/bin REQUIRED)
mark_as_advanced(TONESCOPE_GLAD)
set(glad_dir ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
  COMMAND ${TONESCOPE_GLAD} --reproducible --quiet --api gl:core=3.3 --extensions GL_ARB_clear_texture,GL_ARB_texture_storage,GL_KHR_robustness
          --out-path ${glad_dir} c
  COMMENT "Generating the OpenGL loader"
  VERBATIM)
add_library(tonescope_glad STATIC ${CMAKE_CURRENT_LIST_DIR}/glad.c)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/glad.c PROPERTIES OBJECT_DEPENDS ${glad_dir}/src/gl.c)
target_include_directories(tonescope_glad SYSTEM PUBLIC ${glad_dir}/include PRIVATE ${glad_dir})
# Debian's glad starts /usr/bin/env python3; only the system's Python has its modules.
