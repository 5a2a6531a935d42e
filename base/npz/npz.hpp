#pragma once
/// NumPy's archives of arrays (.npz), written (docs/formats/trace.md).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace simbatch::npz {

/// Arrays of one dimension, deflated. The bytes depend on the arrays alone: they contain no times and no host names.
class Writer {
 public:
  /// @param sink  receives the file's bytes in order
  explicit Writer(std::function<void(std::string_view)> sink);
  ~Writer();

  /// Adds an array. @param name  UTF-8; unique
  /// @throws std::length_error if the array or the file would be larger than 4 GiB, or there would be more than 65,535 arrays
  void add(std::string_view name, std::span<const double> values);
  void add(std::string_view name, std::span<const std::int64_t> values);
  /// Texts, valid UTF-8, as an array of fixed width ("<U"): four bytes for each character of the longest one.
  void add(std::string_view name, std::span<const std::string_view> values);
  /// A text as an array without dimensions.
  void add_text(std::string_view name, std::string_view value);
  void finish();

 private:
  struct State;
  void member(std::string_view name, std::string_view descr, std::string_view shape, std::string_view data);
  std::unique_ptr<State> state_;
};

}  // namespace simbatch::npz
