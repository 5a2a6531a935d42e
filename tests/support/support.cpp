#include "tests/support/support.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "base/core/random.hpp"

namespace simbatch::test {

Expected::Expected(Diagnostics diagnostics) : left_(diagnostics.items()) {}

Expected::~Expected() {
  for (const Diagnostic& d : left_) ADD_FAIL_CHECK_AT(__FILE__, __LINE__, "unexpected diagnostic: " << to_text(d));
}

std::string Expected::take(std::string_view code, std::optional<Position> at) {
  for (auto it = left_.begin(); it != left_.end(); ++it) {
    if (it->code == code && (!at || it->at == *at)) {
      std::string message = it->message;
      left_.erase(it);
      return message;
    }
  }
  std::string have;
  for (const Diagnostic& d : left_) have += "\n  " + to_text(d);
  ADD_FAIL_CHECK_AT(__FILE__, __LINE__,
                    "expected diagnostic " << std::string(code)
                                           << (at ? " at " + std::to_string(at->line) + ":" + std::to_string(at->column) : "")
                                           << "; left:" << have);
  return {};
}

void Expected::drop_notes() {
  std::erase_if(left_, [](const Diagnostic& d) { return d.severity == Severity::note; });
}

std::string repeated(std::string_view head, std::string_view record, std::size_t count, std::string_view tail) {
  std::string out(head);
  for (std::size_t i = 1; i <= count; ++i)
    for (const char c : record) {
      if (c == '#')
        out += std::to_string(i);
      else
        out += c;
    }
  return out += tail;
}

std::string all_text(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics.items()) out += to_text(d) + "\n";
  return out;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "simbatch-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = name;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}
void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::optional<std::filesystem::path> shared_file(std::string_view name) {
  const char* folder = std::getenv("SIMBATCH_SHARED");
  if (folder != nullptr && *folder != '\0') {
    std::filesystem::path file = std::filesystem::path(folder) / name;
    if (std::filesystem::exists(file)) return file;
  }
  std::printf("skipped: no %.*s in SIMBATCH_SHARED\n", static_cast<int>(name.size()), name.data());
  return std::nullopt;
}

void for_every_prefix(std::string_view text, const std::function<void(std::string_view)>& use, std::size_t max_cuts) {
  const std::size_t step = std::max<std::size_t>(1, text.size() / max_cuts);
  for (std::size_t size = 0; size <= text.size(); size += step) {
    const auto buffer = std::make_unique<char[]>(size);
    std::copy_n(text.data(), size, buffer.get());
    use({buffer.get(), size});
  }
}

std::string mutated(std::string_view text, std::uint64_t seed) {
  RandomStream random(seed, "mutated");
  std::string out(text);
  for (std::uint64_t edits = 1 + random.below(8); edits > 0 && !out.empty(); --edits) {
    const std::size_t at = random.below(out.size());
    const std::size_t length = std::min<std::size_t>(1 + random.below(12), out.size() - at);
    switch (random.below(4)) {
      case 0: out[at] = static_cast<char>(random.below(256)); break;
      case 1: out.erase(at, length); break;
      case 2: out.insert(at, out.substr(at, length)); break;
      default: {
        // Two statements: the order in which a compiler evaluates arguments must not change what a seed gives.
        const char inserted = "<>\"'&/=.-+eE0 \n#;,"[random.below(18)];
        out.insert(random.below(out.size()), 1, inserted);
      }
    }
  }
  return out;
}

}  // namespace simbatch::test
