#include "lib/sim/program/native/native.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/core/float_mode.hpp"
#include "base/core/number.hpp"
#include "lib/sim/program/codes.hpp"
#include "lib/sim/program/native/coroutine.hpp"
#include "lib/sim/program/native/turn_guard.hpp"

namespace simbatch::sim {
namespace {

constexpr std::size_t kStack = std::size_t{8} << 20;  // the usual stack size of main; committed on use

// The C++ runtime's per-thread exception state (Itanium C++ ABI, 2.2.2). A program may sleep in a catch block.
struct ExceptionState {
  void* caught = nullptr;
  unsigned uncaught = 0;
  static ExceptionState& current() { return *reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals()); }
};

std::string demangled(const std::type_info* type) {
  if (type == nullptr) return "an exception";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(type->name(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? name.get() : type->name();
}

std::string hexadecimal(std::uintptr_t value) {
  char buffer[20];
  return "0x" + std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, 16).ptr);
}

std::string fault_text(const GuardedTurn& turn) {
  std::string text;
  switch (turn.signal) {
    case SIGSEGV:
    case SIGBUS:
      text = turn.overflow       ? "stack overflow (more than 8 MiB)"
             : turn.null_address ? "memory access through a null pointer"
                                 : "access to invalid memory";
      break;
    case SIGFPE: text = "arithmetic error, such as an integer divided by zero"; break;
    case SIGILL:
    case SIGTRAP: text = "invalid instruction, or a trap of the compiler"; break;
    case SIGSYS: text = "forbidden system call"; break;
    case SIGABRT: text = "aborted (uncaught exception, or a check of the C library)"; break;
    default: text = "signal"; break;
  }
  if (const char* name = ::sigabbrev_np(turn.signal)) text += std::string(", SIG") + name;
  // The offset in the library: the same in every run, and usable with addr2line.
  if (turn.code_offset != 0) text += ", at " + hexadecimal(turn.code_offset) + " of the library";
  return text;
}

class Native final : public Program {
 public:
  Native(NativeSettings settings, std::unique_ptr<ProgramApi> api)
      : Program(std::move(settings.robot), std::move(settings.label), std::move(settings.source)),
        api_(std::move(api)),
        keep_going_(std::move(settings.keep_going)),
        arguments_(std::move(settings.arguments)),
        guard_(settings.timeout),
        coroutine_(
            kStack, [](void* self) { static_cast<Native*>(self)->body(); }, this) {
    arguments_.insert(arguments_.begin(), this->robot());
    for (std::string& argument : arguments_) argv_.push_back(argument.data());
    argv_.push_back(nullptr);
    guarded_.stack_bottom = coroutine_.bottom();
    guarded_.stack_top = coroutine_.top();
    guarded_.timeout = settings.timeout;
    guarded_.owner = this;
    if (keep_going_) guarded_.keep_going = [](const void* self) { return static_cast<const Native*>(self)->keep_going_(); };
    guarded_.is_overflow = [](const void* self, std::uintptr_t address) {
      return static_cast<const Native*>(self)->coroutine_.is_overflow(address);
    };
    guarded_.land = [](void* self) {
      auto* program = static_cast<Native*>(self);
      program->phase_ = Phase::broken;
      program->coroutine_.suspend();
    };
    fill_host();
  }

  std::optional<LibraryProblem> load(std::string_view bytes) {
    bytes_ = bytes;
    turn();
    bytes_ = {};
    if (phase_ == Phase::loaded || phase_ == Phase::ended) return problem_;
    Turn failed = failure();
    return LibraryProblem{failed.code, failed.message + ", while it was loaded"};
  }

  Turn run() override {
    turn();
    if (phase_ == Phase::sleeping) return {.kind = Turn::Kind::sleeping, .until = until_, .float_change = float_change_};
    api_->unlock_image();
    if (phase_ == Phase::ended) {
      coroutine_.release();
      return {.kind = Turn::Kind::ended, .status = status_, .float_change = float_change_};
    }
    return failure();
  }

 private:
  enum class Phase { fresh, loaded, sleeping, ended, threw, left, broken };

  // ---- outside ----
  void turn() {
    ExceptionState& exceptions = ExceptionState::current();
    const ExceptionState exceptions_outside = exceptions;
    const int errno_outside = errno;
    exceptions = exceptions_;
    errno = errno_;
    host_mode_ = float_mode();
    enter_turn(guarded_);
    coroutine_.resume();
    leave_turn();
    if (const char* how = left_elsewhere_.load()) {
      text_ = "called " + std::string(how) + " in a thread of its own";
      phase_ = Phase::left;
    }
    // After a crash, too, the coroutine switch restores the floating-point mode that was saved outside.
    exceptions_ = ExceptionState::current();
    errno_ = errno;
    exceptions = exceptions_outside;
    errno = errno_outside;
  }

  Turn failure() {
    Turn turn{.kind = Turn::Kind::failed, .float_change = float_change_};
    if (phase_ == Phase::threw) {
      turn.code = &program_code::kThrow;
      turn.message = text_;
    } else if (phase_ == Phase::left) {
      turn.code = &program_code::kExit;
      turn.message = text_;
    } else if (guarded_.interrupted) {
      turn.code = &program_code::kInterrupted;
      turn.message = "was interrupted in its turn";
    } else if (guarded_.timed_out) {
      turn.code = &program_code::kTimeout;
      turn.message = timeout_message(guarded_.timeout);
    } else {
      turn.code = &program_code::kCrash;
      turn.message = "crashed: " + fault_text(guarded_);
    }
    return turn;
  }

  // ---- inside, on the coroutine ----
  void body() {
    LibraryProblem problem;
    if (const auto library = load_library(bytes_, label(), problem)) {
      guarded_.code_begin = library->begin;
      guarded_.code_end = library->end;
      look_at_float_mode(FloatChange::loading);
      if (auto wrong = bind_library(*library, host_, runtime_)) {
        problem_ = std::move(wrong);
      } else {
        phase_ = Phase::loaded;
        coroutine_.suspend();
        call_main(library->main);
        for (;;) coroutine_.suspend();
      }
    } else {
      problem_ = std::move(problem);
    }
    phase_ = Phase::ended;
    for (;;) coroutine_.suspend();
  }

  void call_main(LoadedLibrary::Main main) {
    try {
      status_ = main(static_cast<int>(arguments_.size()), argv_.data());
      look_at_float_mode(FloatChange::running);
      runtime_.finish();
      if (!in_turn()) ::_exit(status_);  // a child that the program forked
      phase_ = Phase::ended;
    } catch (const std::exception& error) {
      text_ = "threw " + demangled(abi::__cxa_current_exception_type()) + ": " + quoted(error.what(), 200);
      phase_ = Phase::threw;
    } catch (...) {
      text_ = "threw " + demangled(abi::__cxa_current_exception_type());
      phase_ = Phase::threw;
    }
  }

  void look_at_float_mode(FloatChange when) {
    if (float_change_ == FloatChange::none && float_mode() != host_mode_) float_change_ = when;
  }

  // API calls are computed in the host's floating-point mode.
  class HostMode {
   public:
    explicit HostMode(const Native& program) : program_(program), theirs_(float_mode()) {
      if (theirs_ != program_.host_mode_) set_float_mode(program_.host_mode_);
    }
    ~HostMode() {
      if (theirs_ != program_.host_mode_) set_float_mode(theirs_);
    }
    HostMode(const HostMode&) = delete;
    HostMode& operator=(const HostMode&) = delete;

   private:
    const Native& program_;
    FloatMode theirs_;
  };

  bool in_turn() const { return current_turn() == &guarded_; }
  // The program whose turn this is; nullptr in another thread, and in a child that the program forked.
  static Native* of(void* self) {
    auto* program = static_cast<Native*>(self);
    return program->in_turn() ? program : nullptr;
  }

  [[noreturn]] void leave(const char* how, int status, const char* detail) {
    text_ = detail != nullptr                ? "failed an assertion: " + std::string(detail)
            : std::strcmp(how, "abort") == 0 ? "called abort()"
                                             : "called " + std::string(how) + "(" + number_text(status) + ")";
    phase_ = Phase::left;
    for (;;) coroutine_.suspend();
  }

  void fill_host();
  void fill_device_functions();
  void fill_image_functions();

  std::unique_ptr<ProgramApi> api_;
  std::function<bool()> keep_going_;
  std::vector<std::string> arguments_;
  std::vector<char*> argv_;
  std::string_view bytes_;  // while loading
  TurnGuard guard_;
  GuardedTurn guarded_;
  Coroutine coroutine_;
  simbatch_host host_{};
  simbatch_runtime runtime_{};
  FloatMode host_mode_;
  ExceptionState exceptions_;
  int errno_ = 0;
  pid_t process_ = ::getpid();
  std::atomic<const char*> left_elsewhere_{nullptr};
  Phase phase_ = Phase::fresh;
  double until_ = 0;
  int status_ = 0;
  std::string text_;
  std::optional<LibraryProblem> problem_;
  FloatChange float_change_ = FloatChange::none;
  std::vector<DeviceInfo> devices_;  // the arrays returned by list_devices
  std::vector<simbatch_device> device_rows_;
};

void Native::fill_host() {
  host_.self = this;
  fill_device_functions();
  fill_image_functions();
  host_.time = [](void* self) -> double {
    const auto* program = static_cast<Native*>(self);
    const HostMode mode(*program);
    return program->api_->time();
  };
  host_.start_unix = [](void* self) -> long long { return static_cast<Native*>(self)->api_->start_unix(); };
  host_.sleep_until = [](void* self, double time) -> int {
    Native* program = of(self);
    if (program == nullptr) return 1;
    program->look_at_float_mode(FloatChange::running);
    program->until_ = time;
    program->phase_ = Phase::sleeping;
    program->coroutine_.suspend();
    return 0;
  };
  host_.leave = [](void* self, const char* how, int status, const char* detail) {
    if (Native* program = of(self)) program->leave(how, status, detail);
    auto* program = static_cast<Native*>(self);
    if (::getpid() != program->process_) return;
    // A thread of the program's own: it never returns, and the current turn, or the next one, fails.
    program->left_elsewhere_.store(how);
    for (;;) ::pause();
  };
  host_.own_thread = [](void* self) -> int { return of(self) != nullptr ? 1 : 0; };
}

void Native::fill_device_functions() {
  host_.get_data = [](void* self, const char* device, void* data, int size) -> unsigned {
    Native* program = of(self);
    if (program == nullptr) return SIMBATCH_INVALID_OPERATION;
    const HostMode mode(*program);
    return static_cast<unsigned>(program->api_->get_data(device, data, size));
  };
  host_.set_data = [](void* self, const char* device, const void* data, int size) -> unsigned {
    Native* program = of(self);
    if (program == nullptr) return SIMBATCH_INVALID_OPERATION;
    const HostMode mode(*program);
    return static_cast<unsigned>(program->api_->set_data(device, data, size));
  };
  host_.device_status = [](void* self, const char* device) -> unsigned {
    Native* program = of(self);
    return program == nullptr ? unsigned{SIMBATCH_INVALID} : program->api_->status(device);
  };
  host_.list_devices = [](void* self, const simbatch_device** first) -> int {
    Native* program = of(self);
    if (program == nullptr) return 0;
    program->devices_ = program->api_->devices();
    program->device_rows_.clear();
    for (const DeviceInfo& device : program->devices_)
      program->device_rows_.push_back(
          {device.name.c_str(), device.kind.c_str(), static_cast<int>(device.size), device.settable ? 1 : 0});
    *first = program->device_rows_.data();
    return static_cast<int>(program->device_rows_.size());
  };
}

void Native::fill_image_functions() {
  host_.get_image = [](void* self, const char* camera) -> unsigned* {
    Native* program = of(self);
    if (program == nullptr) return nullptr;
    const HostMode mode(*program);
    return program->api_->get_image(camera);
  };
  host_.image_width = [](void* self) -> int {
    Native* program = of(self);
    return program == nullptr ? 0 : program->api_->image_size().width;
  };
  host_.image_height = [](void* self) -> int {
    Native* program = of(self);
    return program == nullptr ? 0 : program->api_->image_size().height;
  };
  host_.unlock_image = [](void* self) {
    if (Native* program = of(self)) program->api_->unlock_image();
  };
}

}  // namespace

NativeProgram load_program(NativeSettings settings, std::string_view bytes, std::unique_ptr<ProgramApi> api) {
  NativeProgram result;
  auto program = std::make_unique<Native>(std::move(settings), std::move(api));
  result.problem = program->load(bytes);
  if (!result.problem) result.program = std::move(program);
  return result;
}

}  // namespace simbatch::sim
