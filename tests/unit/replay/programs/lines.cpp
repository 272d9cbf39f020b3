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

int main(int argc, char**) {
    shapes::Square square;
    std::printf("%d\n", square.area(argc) + plain_function(argc));
    return 0;
}
