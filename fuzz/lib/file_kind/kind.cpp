// Kinds of files by name and content. The first line is the name.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/file_kind/file_kind.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t line = bytes.find('\n');
  const std::string name(bytes.substr(0, line));
  const std::string_view text = line == std::string_view::npos ? std::string_view() : bytes.substr(line + 1);
  const file_kind::Kind kind = file_kind::kind_of(name, text);
  if (kind != file_kind::kind_of(name, text)) std::abort();
  for (const auto purpose : {file_kind::Purpose::map, file_kind::Purpose::network, file_kind::Purpose::objects}) {
    Diagnostics problems(name);
    if (file_kind::report_other_kind(kind, text, name, purpose, problems) != problems.has_errors()) std::abort();
  }
  return 0;
}
