// Pools of forked jobs: all ends that a job can have, in parallel, and none left behind.

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <new>
#include <thread>

#include <sys/mman.h>

#include "base/process/pool.hpp"
#include "tests/support/processes.hpp"

using namespace simbatch;

TEST_CASE("pool: every job ends in its own way, and all are reported") {
  const int shared = 40;
  std::map<std::size_t, PoolResult> results;
  const bool all = run_pool(
      6, {.parallel = 3, .seconds = 5.0, .output = 100'000, .keep_going = {}},
      [&](std::size_t job, const PoolOutput& output) -> int {
        output.send("job " + std::to_string(job + static_cast<std::size_t>(shared)));
        if (job == 1) return 7;
        if (job == 2) std::raise(SIGSEGV);
        if (job == 3) throw 5;
        if (job == 4) std::this_thread::sleep_for(std::chrono::seconds(60));
        if (job == 5) output.send(std::string(1'000'000, 'x'));
        return 0;
      },
      [&](PoolResult&& result) {
        results.emplace(result.job, std::move(result));
        return true;
      });
  CHECK(all);
  REQUIRE(results.size() == 6);
  CHECK(results[0].bytes == "job 40");
  CHECK(results[0].process.value == 0);
  CHECK(results[1].process.value == 7);
  CHECK(results[2].process.by_signal);
  CHECK(results[2].process.value == SIGSEGV);
  CHECK(results[2].bytes == "job 42");
  CHECK(results[3].process.value == kThrewExit);
  CHECK(results[4].end == PoolResult::End::out_of_time);
  CHECK(results[4].seconds >= 5);
  CHECK(results[5].end == PoolResult::End::too_much);
}

TEST_CASE("pool: jobs run at the same time, and stop when told") {
  // Each job waits until all eight have begun: one after the other they would wait in vain.
  void* const shared = ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(shared != MAP_FAILED);
  auto& begun = *new (shared) std::atomic<int>(0);
  const auto meet = [&](std::size_t, const PoolOutput&) {
    ++begun;
    return test::soon([&] { return begun == 8; }) ? 0 : 1;
  };
  std::size_t ended = 0;
  CHECK(run_pool(8, {.parallel = 8, .seconds = {}, .keep_going = {}}, meet,
                 [&](PoolResult&& result) { return ++ended > 0 && result.process.value == 0; }));
  CHECK(ended == 8);
  ::munmap(shared, sizeof(std::atomic<int>));
  const auto sleep = [](std::size_t, const PoolOutput&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return 0;
  };
  ended = 0;
  CHECK_FALSE(
      run_pool(100, {.parallel = 2, .seconds = {}, .keep_going = {}}, sleep, [&](PoolResult&&) { return ++ended < 2; }));
  CHECK(ended < 5);
  CHECK_FALSE(run_pool(100, {.parallel = 2, .seconds = {}, .keep_going = [] { return false; }}, sleep,
                       [](PoolResult&&) { return true; }));
  CHECK(allowed_processors() >= 1);
}
