// Source for the format: System V ABI, "ELF-64 Object File Format", chapters 1-4; STB_GNU_UNIQUE: GNU extension.

#include "lib/sim/program/native/library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/core/number.hpp"
#include "lib/sim/program/codes.hpp"

namespace simbatch::sim {
namespace {

// A struct at an offset of the bytes; nothing if it does not fit.
template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

LibraryProblem not_a_library(std::string message) {
  return {&program_code::kLibrary, std::move(message) + "; make one with: simrun compile PROGRAM.cpp -o PROGRAM.so"};
}

// Encodes a number as slashes and dots in a path to the same file: the loader identifies libraries by name, and file
// descriptors are reused.
std::string path_of(int fd, std::uint64_t number) {
  std::string path = "/proc/self/fd/";
  for (; number > 0; number >>= 1) path += (number & 1) != 0 ? ".//" : "./";
  return path + number_text(static_cast<std::int64_t>(fd));
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

// The loader's message without the name of the anonymous file.
std::string cause(const char* text, const std::string& path) {
  std::string message = text != nullptr ? text : "unknown cause";
  if (const std::size_t found = message.find(path); found != std::string::npos) {
    message.erase(found, path.size());
    while (!message.empty() && (message.front() == ':' || message.front() == ' ')) message.erase(0, 1);
  }
  return message;
}

}  // namespace

LibraryCheck check_library(std::string_view bytes) {
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return {not_a_library("it is not a shared library (not an ELF file)"), false};
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != EM_X86_64)
    return {not_a_library("it is for another kind of processor than x86-64"), false};
  if (header->e_type != ET_DYN) return {not_a_library("it is an ELF file, but not a shared library"), false};

  // Only one table of each kind is read: the cost for a file with overlapping sections is bounded by its size.
  bool has_main = false, has_bind = false, hidden_main = false, unique = false, any = false, seen[2] = {false, false};
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) break;
    const bool dynamic = section->sh_type == SHT_DYNSYM;
    if ((!dynamic && section->sh_type != SHT_SYMTAB) || seen[dynamic]) continue;
    seen[dynamic] = true;
    const auto strings = at<Elf64_Shdr>(bytes, header->e_shoff + section->sh_link * sizeof(Elf64_Shdr));
    if (!strings || strings->sh_offset > bytes.size() || section->sh_offset > bytes.size()) continue;
    const std::string_view names = bytes.substr(strings->sh_offset, strings->sh_size);
    const std::string_view symbols = bytes.substr(section->sh_offset, section->sh_size);
    for (std::uint64_t offset = 0; const auto symbol = at<Elf64_Sym>(symbols, offset); offset += sizeof(Elf64_Sym)) {
      if (symbol->st_shndx == SHN_UNDEF || symbol->st_name >= names.size()) continue;
      const std::string_view rest = names.substr(symbol->st_name);
      // With the terminating zero.
      const auto is = [rest](std::string_view name) {
        return rest.starts_with(std::string_view(name.data(), name.size() + 1));
      };
      if (!dynamic) {
        hidden_main = hidden_main || is("main");
        continue;
      }
      any = true;
      has_main = has_main || is("main");
      has_bind = has_bind || is(SIMBATCH_BIND_NAME);
      unique = unique || ELF64_ST_BIND(symbol->st_info) == STB_GNU_UNIQUE;
    }
  }
  if (!any) return {not_a_library("it exports nothing, or is cut off"), false};
  if (!has_main) return {not_a_library(hidden_main ? "its main is hidden (-fvisibility=hidden)" : "it has no main"), false};
  if (!has_bind) return {not_a_library("it was linked without Simbatch's runtime"), false};
  return {std::nullopt, unique};
}

std::optional<LoadedLibrary> load_library(std::string_view bytes, const std::string& name, LibraryProblem& problem) {
  static std::uint64_t copies = 0;
  const int fd = ::memfd_create(name.substr(name.rfind('/') + 1).substr(0, 100).c_str(), MFD_CLOEXEC);
  if (fd < 0 || !write_all(fd, bytes)) {
    problem = {&program_code::kLibrary, std::string("cannot be copied into memory: ") + std::strerror(errno)};
    if (fd >= 0) ::close(fd);
    return std::nullopt;
  }
  const std::string path = path_of(fd, ++copies);
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* error = handle == nullptr ? ::dlerror() : nullptr;
  ::close(fd);
  if (handle == nullptr) {
    problem = {&program_code::kLibrary, "cannot be loaded: " + cause(error, path)};
    return std::nullopt;
  }
  LoadedLibrary library;
  library.main = reinterpret_cast<LoadedLibrary::Main>(::dlsym(handle, "main"));
  library.bind = reinterpret_cast<simbatch_bind_function>(::dlsym(handle, SIMBATCH_BIND_NAME));
  link_map* map = nullptr;
  if (library.main == nullptr || library.bind == nullptr || ::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
    problem = {&program_code::kLibrary, "has no main or no runtime"};
    return std::nullopt;
  }
  // Its segments.
  struct Search {
    std::uintptr_t base;
    LoadedLibrary* library;
  } search{map->l_addr, &library};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const auto& wanted = *static_cast<Search*>(data);
        if (info->dlpi_addr != wanted.base) return 0;
        wanted.library->begin = wanted.library->end = info->dlpi_addr;
        for (unsigned i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_LOAD)
            wanted.library->end = std::max<std::uintptr_t>(
                wanted.library->end, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
        return 1;
      },
      &search);
  return library;
}

std::optional<LibraryProblem> bind_library(const LoadedLibrary& library, const simbatch_host& host, simbatch_runtime& runtime) {
  const int version = library.bind(SIMBATCH_INTERFACE, &host, &runtime);
  if (version == SIMBATCH_INTERFACE) return std::nullopt;
  return LibraryProblem{&program_code::kInterface,
                        "it was compiled for interface " + number_text(static_cast<std::int64_t>(version)) + ", this is " +
                            number_text(static_cast<std::int64_t>(SIMBATCH_INTERFACE)) + ": compile it again"};
}

}  // namespace simbatch::sim
