#include "base/core/input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/core/mapped_files.hpp"
#include "base/core/read_files.hpp"

namespace simbatch {
namespace {

constexpr std::size_t kMapFrom = std::size_t{1} << 20;
// Inputs without a size are held in memory, and may be endless (/dev/zero).
constexpr std::size_t kMaxStream = std::size_t{1} << 32;

void unmap(const char* data, std::size_t size) {
  forget_mapping(data);
  ::munmap(const_cast<char*>(data), size);
}

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd > 0) ::close(fd);
  }
};

std::string read_all(int fd, const std::string& name, std::size_t expected, std::size_t max_bytes) {
  std::string bytes;
  bytes.resize(expected + 1);
  std::size_t size = 0;
  for (;;) {
    if (size == bytes.size()) bytes.resize(std::min(bytes.size() * 2 + 65536, max_bytes + 1));
    const ssize_t got = ::read(fd, bytes.data() + size, bytes.size() - size);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      throw IoError::from_errno(name, "cannot read", errno);
    }
    size += static_cast<std::size_t>(got);
    if (size > max_bytes) throw IoError(name, "larger than the limit of " + std::to_string(max_bytes) + " bytes");
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

IoError IoError::from_errno(const std::string& file, const std::string& action, int error_number) {
  return {file, action + ": " + std::generic_category().message(error_number), error_number};
}

IoError IoError::truncated(const std::string& file) { return {file, "was truncated while it was being read"}; }

bool IoError::reader_gone() const { return error_number_ == EPIPE && file_ == "<stdout>"; }

Input Input::open(const std::string& file, std::size_t max_bytes) {
  if (file == "-") return read("<stdin>", 0, false, max_bytes);
  return read(file, ::open(file.c_str(), O_RDONLY | O_CLOEXEC), false, max_bytes);
}

Input Input::open_regular(const std::string& file, std::size_t max_bytes) {
  return read(file, ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), true, max_bytes);
}

Input Input::read(std::string name, int fd, bool regular_only, std::size_t max_bytes) {
  const Descriptor descriptor{fd};
  Input input;
  input.name_ = std::move(name);
  if (descriptor.fd < 0) throw IoError::from_errno(input.name_, "cannot open", errno);
  struct stat status {};
  if (::fstat(descriptor.fd, &status) != 0) throw IoError::from_errno(input.name_, "cannot open", errno);
  if (S_ISDIR(status.st_mode)) throw IoError(input.name_, "is a folder, not a file");
  if (S_ISREG(status.st_mode)) note_read_file(status.st_dev, status.st_ino);
  if (regular_only && !S_ISREG(status.st_mode)) throw IoError(input.name_, "is a pipe or a device, not a regular file");
  const std::size_t size = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  if (size > max_bytes) throw IoError(input.name_, "larger than the limit of " + std::to_string(max_bytes) + " bytes");
  if (size >= kMapFrom && descriptor.fd != 0) {
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.fd, 0);
    if (memory != MAP_FAILED) {
      ::madvise(memory, size, MADV_SEQUENTIAL);
      input.data_ = static_cast<const char*>(memory);
      input.size_ = size;
      input.mapped_ = true;
      note_mapping(memory, size, input.name_);
      return input;
    }
  }
  input.owned_ =
      read_all(descriptor.fd, input.name_, size, S_ISREG(status.st_mode) ? max_bytes : std::min(max_bytes, kMaxStream));
  input.data_ = input.owned_.data();
  input.size_ = input.owned_.size();
  return input;
}

Input::Input(Input&& other) noexcept { *this = std::move(other); }

Input& Input::operator=(Input&& other) noexcept {
  if (this == &other) return *this;
  if (mapped_) unmap(data_, size_);
  name_ = std::move(other.name_);
  owned_ = std::move(other.owned_);
  mapped_ = std::exchange(other.mapped_, false);
  data_ = mapped_ ? other.data_ : owned_.data();  // moving a short string copies its bytes
  size_ = std::exchange(other.size_, 0);
  other.data_ = "";
  return *this;
}

void Input::release(std::size_t from, std::size_t bytes) const noexcept {
  constexpr std::size_t kPage = 4096;
  const std::size_t end = std::min(from + bytes, size_) / kPage * kPage;
  from = from / kPage * kPage;  // the bytes before were passed earlier
  if (mapped_ && from < end) ::madvise(const_cast<char*>(data_) + from, end - from, MADV_DONTNEED);
}

Input::~Input() {
  if (mapped_) unmap(data_, size_);
}

}  // namespace simbatch
