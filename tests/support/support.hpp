#pragma once
/// What tests share: expected diagnostics, temporary folders, shared files, hostile texts.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::test {

/// Takes expected diagnostics one by one; whatever was not taken fails the test at the end of the scope.
class Expected {
 public:
  explicit Expected(Diagnostics diagnostics);
  ~Expected();
  /// Takes the first diagnostic of that code (and place, if given). Fails the test if there is none.
  /// @return its message
  std::string take(std::string_view code, std::optional<Position> at = std::nullopt);
  std::string take(const Code& code, std::optional<Position> at = std::nullopt) { return take(code.name, at); }
  /// Drops all notes.
  void drop_notes();

 private:
  std::vector<Diagnostic> left_;
};

/// All diagnostics as text, one per line: for messages of failed tests.
std::string all_text(const Diagnostics& diagnostics);

/// The head, so many records, the tail; `#` in a record is its number, from 1.
std::string repeated(std::string_view head, std::string_view record, std::size_t count, std::string_view tail = {});

/// A new folder, deleted at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string file(std::string_view name) const { return (path_ / name).string(); }
  /// Names in it, sorted: to see that nothing was left.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, std::string_view text);

/// A file of the folder SIMBATCH_SHARED ("corpus/osm/beatty.osm"), or nothing: then says "skipped" on standard output.
std::optional<std::filesystem::path> shared_file(std::string_view name);

/// Calls `use` with every prefix of `text`, each in a buffer of exactly that size, so that a sanitizer sees a read past
/// the end. At most `max_cuts` cuts, evenly spread.
void for_every_prefix(std::string_view text, const std::function<void(std::string_view)>& use, std::size_t max_cuts = 5000);

/// `text` with small random edits (bytes changed, dropped, doubled, pieces swapped): the same for the same seed.
std::string mutated(std::string_view text, std::uint64_t seed);

}  // namespace simbatch::test
