# cmake -DREGULAR=FILE -DMEDIUM=FILE -DFIXED=FILE -DOUT=FILE.cpp -P embed_fonts.cmake: writes the fonts as C++ arrays; an empty FILE
# gives an empty array.
function(font_array name file result)
  if(NOT file)
    set(${result} "std::span<const unsigned char> ${name}_font_data() { return {}; }\n" PARENT_SCOPE)
    return()
  endif()
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  # Lines that compilers and tools can read.
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  set(${result}
      "static const unsigned char ${name}_bytes[] = {\n${bytes}};\nstd::span<const unsigned char> ${name}_font_data() { return ${name}_bytes; }\n"
      PARENT_SCOPE)
endfunction()
font_array(regular "${REGULAR}" regular)
font_array(medium "${MEDIUM}" medium)
font_array(fixed "${FIXED}" fixed)
file(WRITE "${OUT}" "#include \"gpu/core/canvas/canvas.h\"\n\nnamespace tonescope {\n${regular}${medium}${fixed}}\n")
