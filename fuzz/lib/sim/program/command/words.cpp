// Words of commands: each is not empty, and is made of bytes of the command.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/sim/program/command/command_words.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view command(reinterpret_cast<const char*>(data), size);
  std::size_t letters = 0;
  for (const std::string& word : simbatch::sim::words_of_command(command)) letters += word.size();
  if (letters > 2 * command.size()) std::abort();  // the part after `=` is a word again
  return 0;
}
