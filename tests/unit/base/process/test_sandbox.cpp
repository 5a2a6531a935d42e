// Code in a sandbox that tries to get out. Each attempt runs in a process of its own and says by its exit code what happened.

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/sanitizers.hpp"
#include "base/process/sandbox.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

SandboxLimits limits() {
  SandboxLimits limits;
  limits.memory = std::uint64_t{256} << 20;
  return limits;
}

ProcessEnd inside(const std::function<int()>& attempt, const std::vector<int>& keep = {}) {
  Process child = fork_sandboxed(
      [&] {
        if (!enter_sandbox(limits())) return 99;
        return attempt();
      },
      keep);
  const auto end = child.wait(deadline_in(60));
  REQUIRE(end);
  return *end;
}

// 0: refused with one of these errors. Else what to look for.
int refused(long result, std::initializer_list<int> errors = {EPERM, EACCES}) {
  if (result >= 0) return 1;
  for (const int error : errors)
    if (errno == error) return 0;
  return 2;
}

bool has(bool feature) {
  if (!feature) MESSAGE("skipped: this kernel does not have it");
  return feature;
}

}  // namespace

TEST_CASE("sandbox: ordinary work goes on") {
  const ProcessEnd end = inside([] {
    std::vector<double> numbers(1000, 2.5);
    std::string text = std::to_string(numbers[7]);
    int thread = 0;
    std::thread([&] { thread = 3; }).join();
    timespec pause{0, 1000000};
    ::nanosleep(&pause, nullptr);
    try {
      throw 5;
    } catch (int five) {
      return thread == 3 && text.starts_with("2.5") && five == 5 && ::getpid() > 0 ? 42 : 1;
    }
  });
  CHECK_FALSE(end.by_signal);
  CHECK(end.value == 42);
}

TEST_CASE("sandbox: how it ended is seen from outside") {
  CHECK(inside([] { return 7; }).value == 7);
  for (const int signal : {SIGSEGV, SIGABRT, SIGKILL}) {
    const ProcessEnd end = inside([signal] {
      if (signal == SIGSEGV) *static_cast<volatile int*>(nullptr) = 1;
      if (signal == SIGABRT) std::abort();
      ::kill(::getpid(), signal);
      return 1;
    });
#if !SIMBATCH_SHADOW_MEMORY
    CHECK(end.by_signal);
    CHECK(end.value == signal);
#endif
  }
  const ProcessEnd thrown = inside([]() -> int { throw 5; });
  CHECK(thrown.value == kThrewExit);
}

TEST_CASE("sandbox: no file can be read or written") {
  if (!has(sandbox_support().landlock > 0 && sandbox_support().system_calls)) return;
  const test::TemporaryFolder folder;
  const std::string mine = folder.file("mine.txt"), more = folder.file("more.txt"), link = folder.file("link");
  test::write_text(mine, "secret");
  REQUIRE(::symlink("/etc/passwd", link.c_str()) == 0);
  const std::string root = folder.path().string();
  const std::vector<std::function<int()>> attempts{
      [&] { return refused(::open(mine.c_str(), O_RDONLY)); },
      [&] { return refused(::open(mine.c_str(), O_WRONLY)); },
      [&] { return refused(::open(mine.c_str(), O_RDWR | O_TRUNC)); },
      [&] { return refused(::open(more.c_str(), O_CREAT | O_WRONLY, 0600)); },
      [&] { return refused(::open(link.c_str(), O_RDONLY)); },
      [&] { return refused(::open("/etc/passwd", O_RDONLY)); },
      [&] { return refused(::open("/proc/self/environ", O_RDONLY)); },
      [&] {
        return refused(::open("/dev/mem", O_RDONLY), {EPERM, EACCES, ENOENT});
      },
      [&] { return refused(::open(root.c_str(), O_RDONLY | O_DIRECTORY)); },
      [&] { return refused(::open(root.c_str(), O_TMPFILE | O_RDWR, 0600)); },
      [&] { return refused(::open("/usr/lib/x", O_CREAT | O_WRONLY, 0600)); },
      [&] { return refused(::syscall(SYS_openat2, AT_FDCWD, mine.c_str(), nullptr, 0)); },
      [&] { return refused(::unlink(mine.c_str())); },
      [&] { return refused(::rename(mine.c_str(), more.c_str())); },
      [&] { return refused(::link(mine.c_str(), more.c_str())); },
      [&] { return refused(::symlink("a", more.c_str())); },
      [&] { return refused(::mkdir(more.c_str(), 0700)); },
      [&] { return refused(::truncate(mine.c_str(), 0)); },
      [&] { return refused(::chmod(mine.c_str(), 0777)); },
      [&] { return refused(::mknod(more.c_str(), S_IFIFO | 0600, 0)); },
      [&] { return refused(::chdir("/")); },
      [&] { return refused(::chroot("/")); },
      [&] { return refused(::syscall(SYS_mount, "none", "/", "tmpfs", 0, nullptr)); },
      [&] { return refused(::syscall(SYS_io_uring_setup, 8, nullptr)); },
  };
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    CAPTURE(i);
    const ProcessEnd end = inside(attempts[i]);
    CHECK_FALSE(end.by_signal);
    CHECK(end.value == 0);
  }
  CHECK(test::read_text(mine) == "secret");
  CHECK(folder.names() == std::vector<std::string>{"link", "mine.txt"});
  // What the loader needs it can read.
  CHECK(inside([] { return ::open("/usr/lib", O_RDONLY | O_DIRECTORY) >= 0 ? 0 : errno; }).value == 0);
}

TEST_CASE("sandbox: no network, and no sockets at all") {
  if (!has(sandbox_support().system_calls)) return;
  for (const int domain : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET, AF_VSOCK}) {
    CAPTURE(domain);
    CHECK(inside([domain] { return refused(::socket(domain, SOCK_STREAM, 0)); }).value == 0);
    CHECK(inside([domain] { return refused(::socket(domain, SOCK_DGRAM, 0)); }).value == 0);
  }
  int pair[2];
  CHECK(inside([&] { return refused(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair)); }).value == 0);
  // Nor through a socket that it was given.
  const int given = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  REQUIRE(given >= 0);
  const ProcessEnd sent = inside(
      [given] {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(9);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const auto* address = reinterpret_cast<const sockaddr*>(&to);
        if (const int found = refused(::sendto(given, "x", 1, 0, address, sizeof to)); found != 0) return found;
        return refused(::connect(given, address, sizeof to));
      },
      {given});
  CHECK(sent.value == 0);
  ::close(given);
}

TEST_CASE("sandbox: in a network namespace there is nothing but a loopback that is down") {
  if (!has(sandbox_support().namespaces)) return;
  Process child = fork_sandboxed(
      [] {  // without the filter of system calls
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(22);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        return refused(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to), {ENETUNREACH});
      },
      {});
  CHECK(child.wait(deadline_in(30))->value == 0);
}

TEST_CASE("sandbox: no other process can be started, seen or touched") {
  if (!has(sandbox_support().system_calls)) return;
  const pid_t outside = ::getpid();
  const std::vector<std::function<int()>> attempts{
      [] { return refused(::fork()); },
      [] { return refused(::vfork()); },
      [] { return refused(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr)); },
      [] { return refused(::syscall(SYS_clone, CLONE_VM | SIGCHLD, nullptr, nullptr, nullptr, nullptr)); },
      [] { return refused(::syscall(SYS_clone3, nullptr, 0), {ENOSYS}); },
      [] { return refused(::execl("/bin/true", "true", nullptr)); },
      [] { return refused(::unshare(CLONE_NEWUSER)); },
      [] { return refused(::setsid()); },
      [] { return refused(::setpgid(0, 1)); },
      [] { return refused(::kill(-1, 0)); },
      [] { return refused(::kill(1, 0)); },
      [=] { return refused(::kill(outside, 0)); },
      [=] { return refused(::syscall(SYS_tgkill, outside, outside, 0)); },
      [=] { return refused(::syscall(SYS_pidfd_open, outside, 0)); },
      [=] { return refused(::ptrace(PTRACE_ATTACH, outside, nullptr, nullptr)); },
      [=] { return refused(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); },
      [=] {
        char byte = 0;
        const iovec own{&byte, 1}, theirs{&byte, 1};
        return refused(::process_vm_readv(outside, &own, 1, &theirs, 1, 0));
      },
      [=] {
        const rlimit none{0, 0};
        return refused(::syscall(SYS_prlimit64, outside, RLIMIT_FSIZE, &none, nullptr));
      },
      [=] {
        const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
        return refused(::setrlimit(RLIMIT_NOFILE, &more));
      },
      [] { return refused(::open("/proc/1/mem", O_RDWR)); },
      [=] { return refused(::open(("/proc/" + std::to_string(outside) + "/mem").c_str(), O_RDWR)); },
      [] { return refused(::fcntl(2, F_SETOWN, 1)); },
      [] { return refused(::syscall(SYS_bpf, 0, nullptr, 0)); },
      [] { return refused(::syscall(SYS_keyctl, 0, 0)); },
      [] { return refused(::syscall(SYS_personality, 0xFFFFFFFF)); },
      [] { return refused(::syscall(SYS_userfaultfd, 0)); },
      [] { return refused(::syscall(SYS_perf_event_open, nullptr, 0, 0, 0, 0)); },
  };
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    CAPTURE(i);
    const ProcessEnd end = inside(attempts[i]);
    CHECK_FALSE(end.by_signal);
    CHECK(end.value == 0);
  }
  // The 32-bit system calls of the same processor.
  const ProcessEnd other = inside([] {
    long result = 20;  // getpid of i386
    __asm__ volatile("int $0x80" : "+a"(result)::"memory");
    return 1;
  });
  CHECK(other.by_signal);
  CHECK(other.value == SIGSYS);
}

TEST_CASE("sandbox: memory, descriptors and files in memory are bounded") {
#if !SIMBATCH_SHADOW_MEMORY
  CHECK(inside([] {
          return ::mmap(nullptr, std::size_t{1} << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? 0 : 1;
        }).value == 0);
#endif
  CHECK(inside([] {
          int opened = 0;
          while (::memfd_create("m", 0) >= 0) ++opened;
          return opened <= 64 && errno == EMFILE ? 0 : 1;
        }).value == 0);
  const ProcessEnd large = inside([] {
    const int fd = ::memfd_create("m", 0);
    return ::ftruncate(fd, off_t{1} << 40) == 0 ? 1 : 0;
  });
  CHECK((large.by_signal ? large.value == SIGXFSZ : large.value == 0));
}

TEST_CASE("sandbox: threads with small stacks are bounded, even root's") {
  if (!has(sandbox_support().namespaces && sandbox_support().system_calls)) return;
  CHECK(inside([] {
          pthread_attr_t small;
          ::pthread_attr_init(&small);
          ::pthread_attr_setstacksize(&small, 16384);
          int made = 0;
          pthread_t thread;
          while (made < 3000 && ::pthread_create(
                                    &thread, &small, [](void*) -> void* { return ::pause(), nullptr; }, nullptr) == 0)
            ++made;
          return made < 100 ? 0 : 1;
        }).value == 0);
}

TEST_CASE("sandbox: it is not root, and knows no secret of the environment") {
#if !SIMBATCH_SHADOW_MEMORY
  if (has(sandbox_support().namespaces)) CHECK(inside([] { return ::geteuid() == 0 ? 1 : 0; }).value == 0);
#endif
  ::setenv("MY_TOKEN", "swordfish", 1);
  const char* secret = ::getenv("MY_TOKEN");
  REQUIRE(secret != nullptr);
  CHECK(inside([&] {
          return ::getenv("MY_TOKEN") != nullptr         ? 1
                 : std::strcmp(secret, "swordfish") == 0 ? 2
                 : ::getenv("PATH") == nullptr           ? 3
                                                         : 0;
        }).value == 0);
  ::unsetenv("MY_TOKEN");
}

TEST_CASE("sandbox: threads are bounded, and what is left ends with the program") {
  if (!has(sandbox_support().namespaces && sandbox_support().system_calls)) return;
  CHECK(inside([] {
          int made = 0;
          try {
            for (; made < 10000; ++made)
              std::thread([] {
                for (;;) ::pause();
              }).detach();
          } catch (const std::system_error&) {
          }
          return made < 100 ? 0 : 1;
        }).value == 0);
  // Without the filter it may fork; all of it is gone when wait() returns.
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  {
    Process child = fork_sandboxed(
        [&] {
          for (int i = 0; i < 20; ++i)
            if (::fork() == 0) {
              ::setsid();
              for (;;) ::pause();
            }
          return 0;
        },
        {ends[1]});
    ::close(ends[1]);
    REQUIRE(child.wait(deadline_in(30)));
  }
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == 0);  // no writer is left
  ::close(ends[0]);
}

TEST_CASE("sandbox: what it cannot guard has a name") {
  CHECK(SandboxSupport{true, 7, true}.gaps().empty());
  CHECK(SandboxSupport{true, 7, true}.text() == "user, process, network and IPC namespaces, Landlock 7, seccomp, rlimits");
  CHECK(SandboxSupport{false, 7, true}.gaps().empty());
  CHECK(SandboxSupport{false, 3, true}.text() ==
        "Landlock 3, seccomp, rlimits; not: user, process, network and IPC namespaces (not permitted here)");
  CHECK(SandboxSupport{}.text() ==
        "rlimits; not: user, process, network and IPC namespaces (not permitted here), Landlock (not available here), seccomp "
        "(not available here)");
  CHECK(SandboxSupport{}.gaps().size() == 4);
  CHECK(SandboxSupport{true, 0, true}.gaps() == std::vector<std::string>{"reading files (no Landlock)"});
}
