// The test looks for the line numbers in this file by their markers.
#include <cstdio>

namespace shapes {
struct Square {
    int area(int side) {
        return side * side;  // marker: area
    }
};
}  // namespace shapes

extern "C" int plain_function(int value) {
    return value + 1;  // marker: plain
}

namespace {
int volatile seen;

inline __attribute__((always_inline)) void innermost(int value) {
    seen = value;  // marker: innermost
}

inline __attribute__((always_inline)) void middle(int value) {
    innermost(value);  // marker: middle
}
}  // namespace

extern "C" void outermost_function(int value) {
    middle(value);  // marker: outermost
    middle(value + 1);
}

int main(int argc, char**) {
    shapes::Square square;
    std::printf("%d\n", square.area(argc) + plain_function(argc));
    return 0;
}
