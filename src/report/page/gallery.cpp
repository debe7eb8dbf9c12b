#include <fmt/format.h>

#include <dalembert/report/gallery.hpp>

#include "report/page/html.hpp"

namespace dalembert {
namespace {

constexpr std::string_view style =
    ":root{color-scheme:light dark}body{font:15px/1.4 "
    "system-ui,sans-serif;margin:1.5em;background:Canvas;color:CanvasText}"
    "main{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:1em}"
    "a{display:block;border:1px solid #8888;border-radius:6px;padding:.8em;color:inherit;text-decoration:none}"
    "a:hover,a:focus{border-color:#2563c9}h2{font-size:1.05em;margin:.4em "
    "0;overflow-wrap:anywhere}p{margin:0;opacity:.8}"
    ".picture{height:200px;display:flex;align-items:center;justify-content:center;background:#fff;color:#666}"
    "img{max-width:100%;max-height:100%}";

}  // namespace

std::string write_gallery(const std::vector<GalleryEntry>& entries) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Motions</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>Motions</h1>\n<main>\n",
      hash_source(style), style);
  for (const GalleryEntry& entry : entries) {
    const std::string picture = entry.picture.empty()
                                    ? "plots only"
                                    : fmt::format("<img alt=\"\" src=\"data:image/svg+xml;base64,{}\">",
                                                  to_base64(std::string_view(entry.picture)));
    text +=
        fmt::format("<a href=\"{}\"><div class=\"picture\">{}</div><h2>{}</h2><p>{}</p></a>\n",
                    escape_html(escape_path(entry.page)), picture, escape_html(entry.title), escape_html(entry.about));
  }
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace dalembert
