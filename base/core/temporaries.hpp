#pragma once
/// Names of temporary files and folders that exist right now, for a signal handler to delete. Internal to this room, but for
/// discard_temporaries().

#include <string>

namespace simbatch {

struct TemporarySlot;

enum class TemporaryKind { file, folder };

/// Notes a name before it comes to exist. @return nullptr if the table is full or the name too long: then it stays after a
/// signal
TemporarySlot* remember_temporary(const std::string& name, TemporaryKind kind);
/// The name is gone, or not temporary any more. Does nothing for nullptr.
void forget_temporary(TemporarySlot* slot) noexcept;

/// Deletes the temporaries that exist: files, and folders with the files in them. Async-signal-safe.
void discard_temporaries() noexcept;

}  // namespace simbatch
