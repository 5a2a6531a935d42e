#include "apps/common/console.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/core/input.hpp"
#include "base/core/text.hpp"

namespace simbatch::cli {

bool on_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(2) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
}

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(1, text.data(), text.size());
    if (done < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE) return;
      throw IoError::from_errno("<stdout>", "cannot write", errno);
    }
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    out += printable(text.substr(0, end)) + '\n';
  return out + printable(text);
}

void print_error(std::string_view line) {
  const std::string text = std::string(line) + '\n';  // in one write, so that lines of several processes do not mix
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t done = ::write(2, rest.data(), rest.size());
    if (done <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
}

void status(const CommonOptions& common, std::string_view line) {
  // A consumer of JSON lines must not receive anything else.
  if (!common.quiet && !common.diagnostics_json) print_error(printable_lines(line));
}

}  // namespace simbatch::cli
