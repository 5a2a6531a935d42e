#include "base/core/workers.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>

namespace simbatch {

TEST_CASE("workers: every task is done once, however few threads there are") {
  for (const unsigned count : {0U, 1U, 2U, 5U}) {
    CAPTURE(count);
    Workers workers(count);
    CHECK(workers.count() == count);
    std::vector<int> done(200, 0);
    {
      std::vector<Workers::Task> tasks;
      for (int& each : done) tasks.push_back(workers.start([&each] { ++each; }));
      for (std::size_t i = 0; i < tasks.size(); i += 2) tasks[i].wait();
      for (std::size_t i = 0; i < done.size(); i += 2) CHECK(done[i] == 1);
      tasks[0].wait();  // does nothing
    }
    CHECK(std::accumulate(done.begin(), done.end(), 0) == 200);
  }
}

TEST_CASE("workers: what a task throws reaches the one who waits, and no one else") {
  for (const unsigned count : {0U, 2U}) {
    CAPTURE(count);
    Workers workers(count);
    Workers::Task bad = workers.start([] { throw std::runtime_error("no"); });
    Workers::Task good = workers.start([] {});
    CHECK_THROWS_WITH_AS(bad.wait(), "no", std::runtime_error);
    CHECK_NOTHROW(good.wait());
    const Workers::Task unasked = workers.start([] { throw std::runtime_error("unheard"); });
  }
}

TEST_CASE("workers: a task may wait for tasks of its own though all workers are busy") {
  Workers workers(1);
  std::atomic<int> sum{0};
  Workers::Task outer = workers.start([&] {
    std::vector<Workers::Task> inner;
    for (int i = 1; i <= 10; ++i) inner.push_back(workers.start([&sum, i] { sum += i; }));
    for (Workers::Task& task : inner) task.wait();
  });
  outer.wait();
  CHECK(sum == 55);
}

TEST_CASE("workers: a task that is given another one's place has been waited for") {
  Workers workers(2);
  std::atomic<bool> first{false}, second{false};
  Workers::Task task = workers.start([&] { first = true; });
  task = workers.start([&] { second = true; });
  CHECK(first);
  task.wait();
  CHECK(second);
}

}  // namespace simbatch
