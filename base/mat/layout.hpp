#pragma once
/// Numbers of MAT-files of level 5.

namespace simbatch::mat::detail {

enum DataType { kInt8 = 1, kUint16 = 4, kInt32 = 5, kUint32 = 6, kDouble = 9, kMatrix = 14, kCompressed = 15, kUtf8 = 16 };
enum ArrayClass { kStructure = 2, kCharacters = 4, kNumbers = 6 };

}  // namespace simbatch::mat::detail
