# Writes web_files.cc, which embeds page.js, page.css, site.js and site.css of FOLDER.
#
#   cmake -DFOLDER=DIR -DOUT=web_files.cc -P embed.cmake
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
bytes_of(${FOLDER}/page.js page_script)
bytes_of(${FOLDER}/page.css page_style)
bytes_of(${FOLDER}/site.js site_script)
bytes_of(${FOLDER}/site.css site_style)
file(WRITE ${OUT} "#include \"referee/view/web_files.h\"

namespace referee::view {
namespace {
constexpr char kPageScript[] = {${page_script}};
constexpr char kPageStyle[] = {${page_style}};
constexpr char kSiteScript[] = {${site_script}};
constexpr char kSiteStyle[] = {${site_style}};
}  // namespace

absl::string_view WebScript() { return {kPageScript, sizeof(kPageScript)}; }
absl::string_view WebStyle() { return {kPageStyle, sizeof(kPageStyle)}; }
absl::string_view SiteScript() { return {kSiteScript, sizeof(kSiteScript)}; }
absl::string_view SiteStyle() { return {kSiteStyle, sizeof(kSiteStyle)}; }

}  // namespace referee::view
")
