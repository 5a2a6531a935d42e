#include "base/core/workers.hpp"

#include <algorithm>
#include <utility>

namespace simbatch {

struct Workers::Job {
  std::function<void()> work;
  bool done = false;
  std::exception_ptr failure;
};

Workers::Workers(unsigned count) {
  try {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { run(); });
  } catch (...) {
    close();
    throw;
  }
}

Workers::~Workers() { close(); }

void Workers::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

Workers::Task Workers::start(std::function<void()> work) {
  auto job = std::make_shared<Job>();
  job->work = std::move(work);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(job);
  }
  given_.notify_one();
  return {this, std::move(job)};
}

void Workers::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    given_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::shared_ptr<Job> job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    finish(job);
    lock.lock();
  }
}

void Workers::finish(const std::shared_ptr<Job>& job) {
  std::exception_ptr failure;
  try {
    job->work();
  } catch (...) {
    failure = std::current_exception();
  }
  job->work = nullptr;  // its captures are destroyed before waiters wake
  const std::lock_guard lock(mutex_);
  job->failure = failure;
  job->done = true;
  ended_.notify_all();
}

Workers::Task& Workers::Task::operator=(Task&& other) noexcept {
  std::swap(workers_, other.workers_);
  std::swap(job_, other.job_);
  return *this;
}

Workers::Task::~Task() {
  try {
    wait();
  } catch (...) {  // only wait() reports failures
  }
}

void Workers::Task::wait() {
  if (!job_) return;
  const std::shared_ptr<Job> job = std::exchange(job_, nullptr);
  std::unique_lock lock(workers_->mutex_);
  if (const auto own = std::find(workers_->waiting_.begin(), workers_->waiting_.end(), job); own != workers_->waiting_.end()) {
    workers_->waiting_.erase(own);
    lock.unlock();
    workers_->finish(job);
    lock.lock();
  }
  workers_->ended_.wait(lock, [&] { return job->done; });
  if (job->failure) std::rethrow_exception(job->failure);
}

}  // namespace simbatch
