#include "formats/osm/document.hpp"

#include <unistd.h>

namespace simbatch::osm {

std::size_t half_of_memory() {
  static const std::size_t half = [] {
    const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return std::size_t{1} << 31;
    return static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(page);
  }();
  return half;
}

}  // namespace simbatch::osm
