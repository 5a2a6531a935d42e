#pragma once
/// Protocol between the simulation and an isolated program: packets on a SOCK_SEQPACKET pair. Both are the same executable, so
/// the packets are in the machine's own byte order and sizes; but the program may be corrupted or malicious, so its packets are
/// validated.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/process.hpp"

namespace simbatch::sim::wire {

/// First byte of a packet.
enum class Kind : std::uint8_t {
  // from the simulation
  wake = 1,  ///< time
  answer,    ///< to all but turn; the contents depend on the request
  pixels,    ///< raw, part of an image
  // from the program
  sync,        ///< settings; answered when applied
  status,      ///< a name; answered by a number
  image,       ///< a name; answered by width and height (0: none), then pixels
  image_size,  ///< answered by width and height
  unlock,      ///< answered
  turn,        ///< settings, then how the turn ended
};

inline constexpr std::size_t kMaxPacket = 64 * 1024;

/// Packs values one after another.
class Writer {
 public:
  explicit Writer(Kind kind) { put(kind); }
  template <class T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  void raw(std::string_view bytes) { bytes_ += bytes; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Unpacks; after a read past the end every read fails.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  bool get(T& value) {
    if (failed_ || rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  bool text(std::string_view& text) {
    std::uint32_t size = 0;
    if (!get(size) || rest_.size() < size) return fail();
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  bool at_end() const { return !failed_ && rest_.empty(); }

 private:
  bool fail() {
    failed_ = true;
    return false;
  }
  std::string_view rest_;
  bool failed_ = false;
};

/// A setting that a program has made.
struct Setting {
  std::uint32_t node = 0;  ///< number in SimulationTree::nodes()
  std::string_view data;   ///< floats
};

/// Result of a turn, as transmitted.
struct TurnEnd {
  std::uint8_t kind = 0;  ///< Turn::Kind
  double until = 0;
  std::int32_t status = 0;
  std::uint8_t float_change = 0;  ///< FloatChange
  std::string_view code;          ///< name of a Code
  std::string_view message;
};

/// Contents of a packet from the program.
struct FromProgram {
  Kind kind = Kind::sync;
  std::vector<Setting> settings;  ///< sync, turn
  std::string_view name;          ///< status, image
  TurnEnd turn;                   ///< turn
};
/// Any bytes. The views are into `bytes`. @return nothing unless they are a valid packet of a program
std::optional<FromProgram> read_packet(std::string_view bytes);

/// Appends the settings of `settings`, in the layout of sync and turn: a count, then node and data for each.
void put_settings(Writer& out, std::uint32_t count, std::string_view packed);
/// Packs one setting for put_settings.
void pack_setting(std::string& packed, std::uint32_t node, std::string_view data);

}  // namespace simbatch::sim::wire
