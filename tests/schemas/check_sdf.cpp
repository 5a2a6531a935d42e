// Loads worlds with libsdformat, as Gazebo does; prints its complaints.
#include <cstdio>
#include <sdf/sdf.hh>

int main(int argc, char** argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; ++i) {
    sdf::Root root;
    for (const auto& error : root.Load(argv[i])) {
      std::printf("%s: %s\n", argv[i], error.Message().c_str());
      good = false;
    }
    good = good && root.WorldCount() == 1;
  }
  return good ? 0 : 1;
}
