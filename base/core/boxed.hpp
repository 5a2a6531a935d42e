#pragma once
/// Large members that few objects of a kind have.

#include <memory>
#include <optional>
#include <utility>

namespace simbatch {

/// Like std::optional, but takes only a pointer while there is no value.
template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : held_(std::make_unique<T>(std::move(value))) {}
  Boxed(std::optional<T> value) : held_(value ? std::make_unique<T>(std::move(*value)) : nullptr) {}
  Boxed(const Boxed& other) : held_(other.held_ ? std::make_unique<T>(*other.held_) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(Boxed other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }
  ~Boxed() = default;

  explicit operator bool() const { return has_value(); }
  bool has_value() const { return held_ != nullptr; }
  T& operator*() { return *held_; }
  const T& operator*() const { return *held_; }
  T* operator->() { return held_.get(); }
  const T* operator->() const { return held_.get(); }
  const T* get() const { return held_.get(); }
  T& emplace() {
    held_ = std::make_unique<T>();
    return *held_;
  }
  void reset() { held_.reset(); }
  friend bool operator==(const Boxed& a, const Boxed& b) { return a && b ? *a == *b : !a && !b; }

 private:
  std::unique_ptr<T> held_;
};

/// A member that few objects use, which takes only a pointer while it has its default value. It behaves like a value: a copy of
/// its own is allocated on first write.
template <class T>
class Rare {
 public:
  const T& operator*() const {
    static const T kDefault;
    return value_ ? *value_ : kDefault;
  }
  T& operator*() { return value_ ? *value_ : value_.emplace(); }
  const T* operator->() const { return &**this; }
  T* operator->() { return &**this; }
  friend bool operator==(const Rare& a, const Rare& b) { return *a == *b; }

 private:
  Boxed<T> value_;
};

}  // namespace simbatch
