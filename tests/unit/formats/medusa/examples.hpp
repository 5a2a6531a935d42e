#pragma once
/// The two example missions of the format's documentation, and small missions for single problems.
#include <string>

namespace simbatch::medusa::test_data {

inline const std::string kLawnMower =
    "#Version\n3\n#Xrefpoint Yrefpoint UTM Zone\n491890.163 4290832.905 29S\n"
    "# Mission from vehicle -1\n"
    "LINE -20.26 -20.26 -20.26 10.13 0.30 -1\n"
    "ARC -20.26 10.13 -10.13 10.13 0.00 10.13 0.30 -1 10.13 -1\n"
    "LINE 0.00 10.13 0.00 -10.13 0.30 -1\n"
    "ARC 0.00 -10.13 10.13 -10.13 20.26 -10.13 0.30 1 10.13 -1\n"
    "LINE 20.26 -10.13 20.26 20.26 0.30 -1\n";

inline const std::string kFormation =
    "#Version\n3\n#Xrefpoint Yrefpoint UTM Zone\n491854.338 4290819.848 29S\n"
    "FORMATION 1 0 -3 2 0 0 3 0 3\n"
    "# Mission from vehicle -1\n"
    "LINE -24.57 -24.57 -24.57 12.29 0.30 -1\n"
    "ARC -24.57 12.29 -12.29 12.29 0.00 12.29 0.30 -1 12.29 -1\n"
    "LINE 0.00 12.29 0.00 -12.29 0.30 -1\n"
    "ARC 0.00 -12.29 12.29 -12.29 24.57 -12.29 0.30 1 12.29 -1\n"
    "LINE 24.57 -12.29 24.57 24.57 0.30 -1\n";

/// A mission of version 3 with these lines after the header (which has two lines).
inline std::string with(const std::string& lines) { return "3\n491890.163 4290832.905 29S\n" + lines; }

}  // namespace simbatch::medusa::test_data
