#pragma once
/// C's scanf conversions as in glibc, over a view: for the emulation of the vehicle's parser. Checked against the real sscanf
/// in the test.

#include <string_view>

namespace simbatch::medusa::detail {

/// Reads conversions from the front of a text, one after the other. Once one fails, all further ones fail.
class ScanFormat {
 public:
  /// The text ends at its first NUL byte, like a C string.
  explicit ScanFormat(std::string_view text);
  bool next(double& value);  ///< %lf
  bool next(float& value);   ///< %f
  bool next(int& value);     ///< %d
  int converted() const { return converted_; }

 private:
  template <class T>
  bool real(T& value);
  std::string_view text_;
  int converted_ = 0;
  bool failed_ = false;
};

/// atoi and atof, as in glibc (strtol to int, strtod).
int c_atoi(std::string_view text);
double c_atof(std::string_view text);

}  // namespace simbatch::medusa::detail
