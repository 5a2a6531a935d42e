#pragma once
/// All numbers of the simulation tree, readable but not writable by other processes.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/process/process.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/program/port.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// One for all isolated programs of a simulation. The memory is sealed: holders of the descriptor can only map it read-only,
/// and our own mapping is not inherited by forked processes.
class Snapshot {
 public:
  /// Sized by the current tree. @throws IoError
  explicit Snapshot(Simulation& simulation);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  int descriptor() const { return fd_.get(); }
  std::size_t size() const { return size_; }  ///< numbers
  /// Updates it before a program's turn: everything in the first turn of a step; in later turns of the same step only the
  /// settings made since, as the rest does not change between steps.
  void refresh();
  /// Call after a setting of this node through a ProgramPort.
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
