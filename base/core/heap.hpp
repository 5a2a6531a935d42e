#pragma once
/// The heap of the process.

namespace simbatch {

/// Returns free memory between blocks in use to the system, after something large was built from much that was temporary.
/// Takes about a millisecond for each 100 MB; without effect where the C library is not glibc.
void trim_heap();

}  // namespace simbatch
