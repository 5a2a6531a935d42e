#pragma once
/// Threads that are kept for work in parts. To start a thread can take the system milliseconds; to wake one takes microseconds.

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace simbatch {

/// A fixed number of threads, besides the caller's, that take up tasks in the order in which they were given.
class Workers {
  struct Job;

 public:
  /// A piece of work under way. It has ended when this object has: what it uses must live as long.
  class Task {
   public:
    Task() = default;
    Task(Task&&) noexcept = default;
    Task& operator=(Task&& other) noexcept;
    ~Task();
    /// Returns when the work is done: by a worker, or, if none has begun it, by the caller, here. Does nothing for an empty task
    /// or the second time. @throws what the work has thrown
    void wait();

   private:
    friend class Workers;
    Task(Workers* workers, std::shared_ptr<Job> job) : workers_(workers), job_(std::move(job)) {}
    Workers* workers_ = nullptr;
    std::shared_ptr<Job> job_;
  };

  /// Starts `count` threads; with 0 of them, tasks are done where they are waited for. @throws std::system_error when the system
  /// gives no more threads
  explicit Workers(unsigned count);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();
  unsigned count() const { return static_cast<unsigned>(threads_.size()); }
  /// Gives a piece of work to the first worker that is free. Any thread may ask, a worker too.
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
