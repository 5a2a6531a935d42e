#include <doctest/doctest.h>

#include "base/core/random.hpp"

TEST_CASE("random: Philox4x32-10 gives the known answers of its authors") {
  using A4 = std::array<std::uint32_t, 4>;
  CHECK(simbatch::philox4x32({0, 0, 0, 0}, {0, 0}) == A4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(simbatch::philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) == A4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(simbatch::philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        A4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}
