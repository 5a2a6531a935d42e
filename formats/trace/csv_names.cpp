#include "formats/trace/csv_names.hpp"

#include <set>

#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/text.hpp"
#include "formats/trace/json_cursor.hpp"

namespace simbatch::trace::detail {

std::vector<std::string> csv_names(const std::vector<Device>& devices) {
  std::vector<std::string> names;
  std::set<std::string> taken = {kIndexName};
  for (const Device& device : devices) {
    std::string name;
    for (const char c : device.name) {
      if (c == '/')
        name += "%2F";
      else if (c == '%')
        name += "%25";
      else
        name += c;
    }
    if (name.size() > 200) {
      std::size_t cut = 180;  // not within a character
      while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80) --cut;
      name = name.substr(0, cut) + "-" + hex64(hash64(device.name));
    }
    std::string candidate = name + ".csv";
    for (int i = 2; !taken.insert(lower_ascii(candidate)).second; ++i) candidate = name + "-" + std::to_string(i) + ".csv";
    names.push_back(std::move(candidate));
  }
  return names;
}

std::vector<std::string> csv_files(const std::string& folder) {
  constexpr std::size_t kMaxIndex = std::size_t{64} << 20;
  std::vector<std::string> files;
  bool is_trace = false, has_tables = false;
  try {
    const Input index = Input::open_regular(folder + "/" + kIndexName, kMaxIndex);
    JsonCursor in(index.text());
    in.object([&](const std::string& name) {
      if (name == "schema") {
        is_trace = in.string() == kSchema;
      } else if (name == "files") {
        has_tables = true;
        in.array([&] { files.push_back(in.string()); });
      } else {
        in.skip();
      }
    });
  } catch (const IoError&) {
    return {};
  } catch (const ReadFailure&) {
    return {};
  }
  if (!is_trace || !has_tables) return {};
  std::erase_if(files, [](const std::string& name) { return !name.ends_with(".csv") || name.find('/') != std::string::npos; });
  files.emplace_back(kIndexName);
  return files;
}

}  // namespace simbatch::trace::detail
