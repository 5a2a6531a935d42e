#pragma once
/// Signals of a program.

#include <string_view>

namespace simbatch::cli {

/// Installs the handlers: SIGINT and SIGTERM end the program with 130, SIGBUS of a truncated mapped file with 3; both remove
/// temporary files. SIGPIPE is ignored: a closed pipe is an error of write(). @param program  its name, for messages
void install_signal_handlers(std::string_view program);

/// True once SIGINT or SIGTERM arrived, in a program that handles interruption itself.
bool interrupted();
/// From here on the first signal only sets interrupted(); a second one ends the program at once.
void handle_interrupts_by_polling();
/// For a program that people end by a signal: the one that came counts no longer, and the next one ends the program at once.
void take_interrupt();

}  // namespace simbatch::cli
