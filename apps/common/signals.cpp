#include "apps/common/signals.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <string_view>

#include "apps/common/options.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/mapped_files.hpp"

namespace simbatch::cli {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;
volatile std::sig_atomic_t polling = 0;
std::array<char, 32> program_name{};  // ends with a zero

extern "C" void on_interrupt(int) {
  interrupt_count = interrupt_count + 1;
  if (polling != 0 && interrupt_count == 1) return;
  discard_temporaries();
  ::_exit(static_cast<int>(ExitCode::interrupted));
}

// Writes "program: file: was truncated while it was being read" with what a signal handler may call.
void report_truncated(std::string_view file) noexcept {
  std::array<char, 1024> line{};
  std::size_t size = 0;
  const auto add = [&](std::string_view text) {
    for (const char c : text)
      if (size < line.size()) line[size++] = c;
  };
  add(program_name.data());
  add(": ");
  for (const char c : file.empty() ? std::string_view("an input file") : file) {
    const auto byte = static_cast<unsigned char>(c);
    add(byte < 0x20 || byte == 0x7f ? "?" : std::string_view(&c, 1));
  }
  add(file.empty() ? " was truncated while it was being read\n" : ": was truncated while it was being read\n");
  if (::write(2, line.data(), size) < 0) {
  }
}

// Another program truncated a mapped file while we read it: the reader cannot be resumed.
extern "C" void on_bus_error(int signal, siginfo_t* about, void*) {
  if (about->si_code != BUS_ADRERR) {  // a bug: as if there were no handler
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  report_truncated(mapped_file_at(about->si_addr));
  discard_temporaries();
  ::_exit(static_cast<int>(ExitCode::io));
}

}  // namespace

void install_signal_handlers(std::string_view program) {
  program.copy(program_name.data(), program_name.size() - 1);
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
  // So is a file that would exceed the limit of its size (ulimit -f).
  ::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() { return interrupt_count > 0; }
void handle_interrupts_by_polling() { polling = 1; }
void take_interrupt() {
  polling = 0;
  interrupt_count = 0;
}

}  // namespace simbatch::cli
