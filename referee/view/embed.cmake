# cmake -DSCRIPT=page.js -DSTYLE=page.css -DOUT=web_files.cc -P embed.cmake
# Writes web_files.cc, which holds the two files.
string(REPEAT "[0-9a-f][0-9a-f]" 16 pair_line)
function(bytes_of file result)
  file(READ ${file} text)
  string(FIND "${text}" "</" found)
  if(NOT found EQUAL -1)
    message(FATAL_ERROR "${file} holds '</', which could end its element in the page")
  endif()
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(${pair_line})" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  set(${result} "${bytes}" PARENT_SCOPE)
endfunction()
bytes_of(${SCRIPT} script)
bytes_of(${STYLE} style)
file(WRITE ${OUT} "#include \"referee/view/web_files.h\"

namespace referee::view {
namespace {
constexpr char kScript[] = {${script}};
constexpr char kStyle[] = {${style}};
}  // namespace

absl::string_view WebScript() { return {kScript, sizeof(kScript)}; }
absl::string_view WebStyle() { return {kStyle, sizeof(kStyle)}; }

}  // namespace referee::view
")
