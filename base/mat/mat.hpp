#pragma once
/// MATLAB's MAT-files of level 5, written (docs/formats/trace.md).

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::mat {

/// A variable, or a field of a structure: numbers as a column, texts as rows of a character matrix, or a structure.
struct Value {
  std::string name;  ///< an identifier of MATLAB: see identifier()
  enum class Kind { numbers, texts, structure } kind = Kind::structure;
  std::vector<double> numbers;
  std::vector<std::string> texts;  ///< valid UTF-8; shorter ones are padded with blanks
  std::vector<Value> fields;       ///< names are unique
  /// If set, gives the value its numbers or texts when they are written, so that not all are in memory at once.
  std::function<void(Value&)> fill = {};
};

/// The name as MATLAB allows it: letters, digits and underscores, at most 63 (namelengthmax), the first one a letter. Other
/// characters become underscores; a name that starts otherwise gets an "x" before it.
std::string identifier(std::string_view name);

class Writer {
 public:
  /// @param sink  receives the file's bytes in order
  explicit Writer(std::function<void(std::string_view)> sink);
  /// Adds a variable, compressed. It is in memory as a whole, uncompressed. @param expected  how large that is, about (bytes)
  /// @throws std::length_error if it is larger than 2 GiB, which the format cannot express
  void add(const Value& variable, std::size_t expected = 0);

 private:
  std::function<void(std::string_view)> sink_;
};

}  // namespace simbatch::mat
