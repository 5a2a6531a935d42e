#include "apps/common/signals.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "apps/common/options.hpp"
#include "base/core/atomic_file.hpp"

namespace simbatch::cli {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;
volatile std::sig_atomic_t polling = 0;

extern "C" void on_interrupt(int) {
  interrupt_count = interrupt_count + 1;
  if (polling != 0 && interrupt_count == 1) return;
  discard_temporaries();
  ::_exit(static_cast<int>(ExitCode::interrupted));
}

// Another program truncated a mapped file while we read it: the reader cannot be resumed.
extern "C" void on_bus_error(int signal, siginfo_t* about, void*) {
  if (about->si_code != BUS_ADRERR) {  // a bug: as if there were no handler
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  constexpr std::string_view kText = "an input file was truncated while it was being read\n";
  if (::write(2, kText.data(), kText.size()) < 0) {
  }
  discard_temporaries();
  ::_exit(static_cast<int>(ExitCode::io));
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction bus {};
  bus.sa_sigaction = on_bus_error;
  bus.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &bus, nullptr);
  // A closed pipe (`| head`) is an error of write(), not a death by signal.
  ::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return interrupt_count > 0; }
void handle_interrupts_by_polling() { polling = 1; }
void take_interrupt() {
  polling = 0;
  interrupt_count = 0;
}

}  // namespace simbatch::cli
