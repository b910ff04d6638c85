# Libraries from Debian's packages (./run and ./check install them).
find_package(PkgConfig REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS OpenGL)

# One alias a library, so that a target says what it uses and not where it comes from.
function(tonescope_package name)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${ARGN})
endfunction()
tonescope_package(GLFW glfw3>=3.3)
tonescope_package(STB stb)
tonescope_package(JPEG libjpeg>=2.1)  # libjpeg-turbo: its color spaces with four channels
tonescope_package(SPNG spng>=0.7)
tonescope_package(DEFLATE libdeflate>=1.9)
tonescope_package(TIFF libtiff-4>=4.5)  # error handlers and limits of a file's own
tonescope_package(WEBP libwebp>=1.2 libwebpdemux>=1.2)
tonescope_package(CHARLS charls>=2.3)
tonescope_package(OPENJPEG libopenjp2>=2.5)
tonescope_package(SECCOMP libseccomp>=2.5)
tonescope_package(EXIF libexif>=0.6.22)
pkg_check_modules(X11 IMPORTED_TARGET x11)  # neither is in a system without X11
pkg_check_modules(XCB IMPORTED_TARGET xcb)

# DCMTK's own description names all of its libraries.
add_library(tonescope_dcmtk INTERFACE)
find_path(DCMTK_INCLUDE_DIR dcmtk/dcmdata/dctk.h REQUIRED)
target_include_directories(tonescope_dcmtk SYSTEM INTERFACE ${DCMTK_INCLUDE_DIR})
foreach(part dcmjpeg dcmdata oflog ofstd)
  find_library(DCMTK_${part} ${part} REQUIRED)
  target_link_libraries(tonescope_dcmtk INTERFACE ${DCMTK_${part}})
endforeach()

# stb_image is compiled by us with limits of our own: only the headers are used.
add_library(tonescope_stb INTERFACE)
target_include_directories(tonescope_stb SYSTEM INTERFACE ${STB_INCLUDE_DIRS})

find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)

include(Glad)
include(Imgui)
