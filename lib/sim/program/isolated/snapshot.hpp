#pragma once
/// All numbers of the simulation tree, where other processes can read them and not write.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/process/process.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/program/port.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// One for all isolated programs of a simulation. The memory is sealed: whoever gets the descriptor can map it for reading only, whatever
/// it tries; and our own mapping does not go into forked processes.
class Snapshot {
 public:
  /// Sized by the tree as it is. @throws IoError
  explicit Snapshot(Simulation& simulation);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  int descriptor() const { return fd_.get(); }
  std::size_t size() const { return size_; }  ///< numbers
  /// Brings it up to date before a program's turn: everything in the first turn of a step; in later ones of the same step only what
  /// programs have set since then, the rest does not change between steps.
  void refresh();
  /// After a setting of this node, made through a ProgramPort.
  void refresh(const DeviceNode& node);

 private:
  void copy(const DeviceNode& node);
  Simulation& simulation_;
  std::shared_ptr<ProgramBoard> board_;
  std::uint64_t settings_ = 0;  // of the board, that have been copied
  Descriptor fd_;
  std::size_t size_ = 0;
  double* numbers_ = nullptr;
  std::vector<const DeviceNode*> settable_;
  std::int64_t step_ = -1;  // of the last whole copy
};

/// In the child: the numbers, for reading. nullptr if they cannot be mapped.
const double* map_snapshot(int descriptor, std::size_t size);

}  // namespace simbatch::sim
