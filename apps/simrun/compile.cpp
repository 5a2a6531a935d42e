// simrun compile: a user program's library, with the flags explained in docs/programs.md.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "base/process/process.hpp"
#include "lib/sim/program/native/library.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

struct CompileOptions {
  std::vector<std::string> sources;
  std::string output;
  std::string compiler;            ///< empty: c++, or cc when all sources are C
  std::vector<std::string> flags;  ///< after ours
};
namespace fs = std::filesystem;

// Location of headers and runtime, relative to this program, in an installation or a build tree.
struct Sdk {
  fs::path headers, runtime;
};

Sdk find_sdk() {
  const auto find = [](std::string_view file) {
    fs::path path = cli::installed(file);
    if (path.empty()) throw IoError(std::string(file), "not found; it comes with Simbatch's installation (build target: sdk)");
    return path;
  };
  return {find(SIMBATCH_INCLUDEDIR "/simbatch/UserProgramAPI.h").parent_path(), find(SIMBATCH_LIBDIR "/libsimbatch_program.a")};
}

bool is_c(const std::string& source) { return source.ends_with(".c"); }

std::vector<std::string> command_line(const CompileOptions& options, const Sdk& sdk, const std::string& output) {
  const bool c = std::all_of(options.sources.begin(), options.sources.end(), is_c);
  const std::string compiler = !options.compiler.empty() ? options.compiler : c ? "cc" : "c++";
  std::vector<std::string> words{
      compiler, c ? "-std=gnu11" : "-std=gnu++17", "-O2", "-g", "-Wall", "-fPIC", "-shared", "-ffp-contract=off"};
  if (compiler.find("clang") == std::string::npos && !c) words.emplace_back("-fno-gnu-unique");  // clang makes no such symbols
  // The same sources give the same bytes, and thus the same digest in traces, regardless of their folder.
  std::error_code error;
  words.push_back("-ffile-prefix-map=" + fs::current_path(error).string() + "=.");
  for (const std::string& source : options.sources)
    if (const std::string folder = fs::path(source).parent_path().string(); !folder.empty())
      words.push_back("-ffile-prefix-map=" + folder + "/=");
  words.push_back("-ffile-prefix-map=" + sdk.headers.string() + "=simbatch");
  words.push_back("-isystem" + sdk.headers.string());
  words.push_back("-isystem" + (sdk.headers / "compat").string());
  words.insert(words.end(), options.sources.begin(), options.sources.end());
  for (const char* flag : {"-Wl,-u,simbatch_program_bind", "-Wl,-Bsymbolic", "-Wl,--no-undefined"}) words.emplace_back(flag);
  words.push_back(sdk.runtime.string());
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  words.push_back("-o" + output);
  return words;
}

// @return the exit status; its messages go to our standard error
int run_compiler(const std::vector<std::string>& words) {
  constexpr double kLook = 0.1, kGrace = 2;  // s between checks for an interrupt, and for cleaning up after one
  Process compiler = start_program(words);
  std::optional<ProcessEnd> end;
  while (!(end = compiler.wait(deadline_in(kLook))) && !cli::interrupted()) {
  }
  if (!end) end = compiler.stop(kGrace);
  return end->by_signal ? 128 + end->value : end->value;
}

// A temporary folder for the compiler's output, deleted with its contents.
class Workshop {
 public:
  Workshop() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "simrun-compile-XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr) throw IoError::from_errno(name, "cannot make a temporary folder", errno);
    folder_ = name;
  }
  ~Workshop() {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

std::string library_of(const CompileOptions& options) {
  if (!options.output.empty() || options.sources.empty()) return options.output;
  return fs::path(options.sources.front()).replace_extension(".so").string();
}

ExitCode compile(const CompileOptions& options, cli::Reporter& reporter) {
  const Sdk sdk = find_sdk();
  for (const std::string& source : options.sources) {
    if (::access(source.c_str(), R_OK) != 0) throw IoError::from_errno(source, "cannot read", errno);
    if (fs::is_directory(source)) throw IoError(source, "is a folder, not a file");
  }
  // Opened first, because a compiler reports write errors late and less clearly. "-" is standard output.
  AtomicFile made(library_of(options));
  cli::handle_interrupts_by_polling();  // so that the folder does not stay
  const Workshop workshop;
  const std::string library_file = workshop.file("library.so");
  const std::vector<std::string> words = command_line(options, sdk, library_file);
  if (reporter.options().verbose > 0) reporter.status(fmt::format("{}", fmt::join(words, " ")));
  const int status = run_compiler(words);
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  if (status != 0) {
    Diagnostics problem(options.sources.front());
    problem.report(code::kCompile, {}, fmt::format("{} ended with {}", simbatch::quoted(words.front()), status));
    reporter.show(std::move(problem));
    return reporter.finish();
  }
  const Input library = Input::open(library_file);
  if (const sim::LibraryCheck check = sim::check_library(library.text()); check.problem) {
    Diagnostics problem(options.sources.front());
    problem.report(code::kCompile, {}, check.problem->message);
    reporter.show(std::move(problem));
    return reporter.finish();
  }
  made.write(library.text());
  made.commit();
  return reporter.finish();
}

}  // namespace

void add_compile(cli::Command& program) {
  cli::Command& command = program.add("compile", "Compile a user program's library from its sources");
  auto& o = command.keep<CompileOptions>();
  command.positional("SOURCE", o.sources, "C++ files, or C files").required();
  command.option("-o,--output", "FILE", o.output, "Library (default: SOURCE with the suffix .so)");
  command.option("--compiler", "PROGRAM", o.compiler, "Compiler (default: c++; for C files cc)");
  command.option("--flag", "FLAG", o.flags, "Pass this to the compiler, after all other flags; may be repeated");
  command.check([&o] {
    cli::Outputs outputs;
    for (const std::string& source : o.sources) outputs.reads("SOURCE", source);
    outputs.writes("--output", library_of(o));
    return outputs.conflict();
  });
  command.examples({"simrun compile scenarios/blinker/blinker.cpp -o blinker.so"});
  command.run([&o](cli::Reporter& reporter) { return compile(o, reporter); });
}

}  // namespace simbatch::simrun
