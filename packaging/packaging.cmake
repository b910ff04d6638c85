# What is installed where, and the .deb: cmake --preset package && cmake --build --preset package && (cd build/package && cpack)
include(GNUInstallDirs)

if(TARGET tonescope)
  set_target_properties(tonescope PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_compile_definitions(tonescope_app PRIVATE TONESCOPE_SOURCE_ASSETS="${CMAKE_SOURCE_DIR}/assets")

  install(TARGETS tonescope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The types of files come from the table of formats; a test holds them against it.
  set(FORMATS ${CMAKE_SOURCE_DIR}/app/image_io/formats.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FORMATS})
  file(READ ${FORMATS} MIME_TYPES)
  string(REGEX MATCHALL "mime_types = {[^}]*" MIME_TYPES "${MIME_TYPES}")
  string(REGEX MATCHALL "[a-z]+/[a-z0-9.+-]+" MIME_TYPES "${MIME_TYPES}")
  set(DESKTOP_FILE ${CMAKE_BINARY_DIR}/packaging/tonescope.desktop)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/tonescope.desktop.in ${DESKTOP_FILE} @ONLY)
  install(FILES ${DESKTOP_FILE} DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${CMAKE_SOURCE_DIR}/assets/icon.png DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/256x256/apps RENAME tonescope.png)
  # The program looks for its samples in ../share/tonescope/assets.
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/assets/ DESTINATION share/tonescope/assets
          FILES_MATCHING PATTERN "*.png" PATTERN "*.jpg" PATTERN "generator" EXCLUDE PATTERN "icon.png" EXCLUDE)

  # The license in the form of Debian's copyright file: a blank first column, "." for empty lines.
  file(READ ${CMAKE_SOURCE_DIR}/LICENSE license)
  string(REGEX REPLACE "^MIT License\n\nCopyright[^\n]*\n\n" "" license "${license}")
  string(STRIP "${license}" license)
  string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
  string(REGEX REPLACE "\n" "\n " license "${license}")
  set(EXPAT " ${license}")
  set(CUDA_PARAGRAPH "")
  if(TONESCOPE_HAVE_CUDA)
    set(CUDA_PARAGRAPH "Files: embedded/cudart\nCopyright: NVIDIA Corporation\nLicense: NVIDIA-CUDA\nComment: The CUDA runtime is linked statically.\n\nLicense: NVIDIA-CUDA\n See https://docs.nvidia.com/cuda/eula/ (redistributable software).\n\n")
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright.in ${CMAKE_BINARY_DIR}/packaging/copyright @ONLY)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${CMAKE_BINARY_DIR}/packaging/changelog @ONLY)
  find_program(TONESCOPE_GZIP gzip REQUIRED)
  mark_as_advanced(TONESCOPE_GZIP)
  execute_process(COMMAND ${TONESCOPE_GZIP} -9nf ${CMAKE_BINARY_DIR}/packaging/changelog COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${CMAKE_BINARY_DIR}/packaging/copyright ${CMAKE_BINARY_DIR}/packaging/changelog.gz ${CMAKE_SOURCE_DIR}/CHANGELOG.md
          DESTINATION share/doc/tonescope)

  if(TONESCOPE_TESTS)
    find_program(TONESCOPE_DESKTOP_FILE_VALIDATE desktop-file-validate)
    mark_as_advanced(TONESCOPE_DESKTOP_FILE_VALIDATE)
    if(TONESCOPE_DESKTOP_FILE_VALIDATE)
      add_test(NAME packaging.desktop_file COMMAND ${TONESCOPE_DESKTOP_FILE_VALIDATE} ${DESKTOP_FILE})
      set_tests_properties(packaging.desktop_file PROPERTIES LABELS unit)
    endif()
  endif()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tonescope)
set(CPACK_PACKAGE_VENDOR "The Tonescope developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "viewer for contrast and smoothing filters on the GPU")
set(CPACK_PACKAGE_DESCRIPTION
    "Tonescope shows what histogram equalization, CLAHE and the Kuwahara filter
do to an image, before and after side by side, while the sliders are dragged.
The filters run in CUDA where there is an NVIDIA GPU, and on the CPU everywhere
else.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Tonescope developers <tonescope@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# GLFW opens the OpenGL library by name at run time, where dpkg-shlibdeps does not see it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1")
include(CPack)
