#pragma once
/// What is in an .npz file: its arrays, without most of their values.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::npz {

/// An array as the archive's directory lists it.
struct Array {
  std::string name;
  std::string type;         ///< "<f8"
  std::size_t count = 0;    ///< values; of an array without dimensions: 1
  std::string_view packed;  ///< deflated
  std::size_t bytes = 0;    ///< of values
};

/// A damaged file, or one that is not of this writer's kind.
struct ReadFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether a file starts as ZIP archives do.
bool is_zip(std::string_view file);

/// The arrays of one or no dimension, in order. @param file  must outlive the result @throws ReadFault
std::vector<Array> arrays(std::string_view file);

/// The values of an array of "<i8". @throws ReadFault
std::vector<std::int64_t> integers(const Array& array);
/// The value of an array of one text ("<U"), as UTF-8. @throws ReadFault
std::string text(const Array& array);

}  // namespace simbatch::npz
