// The place that a finding or a choice names: the user's.
#include "scheduler/judgement/users_place.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;
using Stack = std::vector<CodePlace>;

CodePlace in(const std::string& function, int line, const std::string& file = "a.c",
             const std::string& module = "/app") {
    return {
        .module = module, .offset = static_cast<std::uint64_t>(line), .function = function, .file = file, .line = line};
}

replay::Violation touch(const Stack& stack) {
    return {.kind = replay::ViolationKind::buffer_modified,
            .message = "m",
            .ranks = {0},
            .situations = {{.rank = 0, .call = "", .detail = "store", .where = stack.front(), .stack = stack}}};
}

TEST(UsersPlace, OfAStoreByALibraryIsTheProgramsOwn) {
    const CodePlace header = in("std::fill", 922, "/usr/include/c++/12/bits/stl_algobase.h");
    const CodePlace library = in("operator new", 0, "", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6");
    replay::Violation found = touch({library, header, in("post", 7), in("main", 20)});
    name_users_places(found, {});
    EXPECT_EQ(found.situations[0].where, in("post", 7));
    name_users_places(found, {"post"});
    EXPECT_EQ(found.situations[0].where, in("main", 20));
    replay::Violation no_other = touch({library, header});
    name_users_places(no_other, {});
    EXPECT_EQ(no_other.situations[0].where, library);
}

TEST(UsersPlace, OfACallStaysWhereItIsMade) {
    const Stack stack{in("send", 3, "/usr/include/wrapper.h"), in("main", 20)};
    replay::Violation found = touch(stack);
    found.situations[0].call = "MPI_Send";
    name_users_places(found, {});
    EXPECT_EQ(found.situations[0].where, stack.front());
    name_users_places(found, {"send"});
    EXPECT_EQ(found.situations[0].where, stack.back());
}

TEST(UsersPlace, OfAChoiceIsBehindWrappersAndBindings) {
    const CodePlace binding = in("mpi::recv", 0, "", "/usr/lib/libbinding.so");
    const std::vector<Stack> stacks{{binding, in("take", 7), in("main", 20)}, {binding}, {in("take", 8)}};
    std::vector<replay::Epoch> epochs(4);
    for (std::uint32_t i = 0; i < 3; ++i) {
        epochs[i].where = i == 2 ? in("poll", 9) : binding;
        epochs[i].context.stack = i;
    }
    epochs[3].where = binding;
    name_users_places(epochs, stacks, {"take"});
    EXPECT_EQ(epochs[0].where, in("main", 20));
    EXPECT_EQ(epochs[1].where, binding);
    EXPECT_EQ(epochs[2].where, in("poll", 9)) << "the stack is of another call";
    EXPECT_EQ(epochs[2].context.stack, replay::EpochContext::no_stack);
    EXPECT_EQ(epochs[3].where, binding);
}

}  // namespace
}  // namespace dampi::scheduler
