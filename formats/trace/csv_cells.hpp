#pragma once
/// Cells of CSV (RFC 4180).

#include <cstddef>
#include <string>
#include <string_view>

namespace simbatch::trace::detail {

/// Cells one after another. A row's last cell is followed by a line end.
class Cells {
 public:
  explicit Cells(std::string_view text) : text_(text) {}
  bool done() const { return at_ >= text_.size(); }
  std::size_t offset() const { return start_; }
  /// The next cell. @param last  whether its row ends with it @param unquoted  may hold it @throws ReadFailure
  std::string_view next(bool& last, std::string& unquoted);

 private:
  std::string_view text_;
  std::size_t at_ = 0, start_ = 0;
};

}  // namespace simbatch::trace::detail
