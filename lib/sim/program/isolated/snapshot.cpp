#include "lib/sim/program/isolated/snapshot.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/core/input.hpp"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace simbatch::sim {

Snapshot::Snapshot(Simulation& simulation)
    : simulation_(simulation), board_(ProgramBoard::of(simulation)), size_(simulation.tree().bank().size()) {
  const std::size_t bytes = std::max<std::size_t>(size_, 1) * sizeof(double);
  fd_ = Descriptor(::memfd_create("simbatch-values", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd_ || ::ftruncate(fd_.get(), static_cast<off_t>(bytes)) != 0)
    throw IoError::from_errno("shared memory", "cannot make", errno);
  void* mapping = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (mapping == MAP_FAILED) throw IoError::from_errno("shared memory", "cannot map", errno);
  numbers_ = static_cast<double*>(mapping);
  // From here on only this mapping is writable; without sealing (kernels before 5.1) children are trusted not to write.
  (void)::fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE);
  (void)::madvise(mapping, bytes, MADV_DONTFORK);
  for (const TreeNode* node : simulation.tree().nodes())
    if (const auto* device = dynamic_cast<const DeviceNode*>(node); device != nullptr && !device->inputs().empty())
      settable_.push_back(device);
}

Snapshot::~Snapshot() {
  if (numbers_ != nullptr) ::munmap(numbers_, std::max<std::size_t>(size_, 1) * sizeof(double));
}

void Snapshot::refresh() {
  const std::int64_t step = simulation_.clock().step;
  if (step != step_) {
    const std::span<const double> bank = std::as_const(simulation_).tree().bank();
    std::copy_n(bank.begin(), std::min(bank.size(), size_), numbers_);
    step_ = step;
  } else if (board_->settings() != settings_) {  // of programs that are not isolated
    for (const DeviceNode* node : settable_) copy(*node);
  }
  settings_ = board_->settings();
}

void Snapshot::refresh(const DeviceNode& node) {
  copy(node);
  ++settings_;
}

void Snapshot::copy(const DeviceNode& node) {
  const std::span<const double> values = node.values();
  if (node.values_offset() + values.size() <= size_) std::copy(values.begin(), values.end(), numbers_ + node.values_offset());
}

const double* map_snapshot(int descriptor, std::size_t size) {
  void* mapping = ::mmap(nullptr, std::max<std::size_t>(size, 1) * sizeof(double), PROT_READ, MAP_SHARED, descriptor, 0);
  return mapping == MAP_FAILED ? nullptr : static_cast<const double*>(mapping);
}

}  // namespace simbatch::sim
