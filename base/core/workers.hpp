#pragma once
/// A pool of threads. Starting a thread can take milliseconds; waking one takes microseconds.

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace simbatch {

/// A fixed number of threads, besides the caller's, that execute tasks in the order of submission.
class Workers {
  struct Job;

 public:
  /// A submitted task. The destructor waits for its end, so the data it uses must outlive this object.
  class Task {
   public:
    Task() = default;
    Task(Task&&) noexcept = default;
    Task& operator=(Task&& other) noexcept;
    ~Task();
    /// Returns when the task is complete, executed by a worker or, if no worker has begun it, by the calling thread. Does
    /// nothing for an empty task or when called again. @throws the task's exception
    void wait();

   private:
    friend class Workers;
    Task(Workers* workers, std::shared_ptr<Job> job) : workers_(workers), job_(std::move(job)) {}
    Workers* workers_ = nullptr;
    std::shared_ptr<Job> job_;
  };

  /// Starts `count` threads; with 0, tasks run in the thread that waits for them. @throws std::system_error if a thread cannot
  /// be created
  explicit Workers(unsigned count);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();
  unsigned count() const { return static_cast<unsigned>(threads_.size()); }
  /// Submits a task to the first idle worker. May be called by any thread, including workers.
  Task start(std::function<void()> work);

 private:
  void run();
  void close();
  void finish(const std::shared_ptr<Job>& job);

  std::mutex mutex_;
  std::condition_variable given_, ended_;
  std::deque<std::shared_ptr<Job>> waiting_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace simbatch
