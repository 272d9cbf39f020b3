// Which parts in a collective contradict each other, and which only look different.
#include "transport/collective_mismatch.hpp"

#include "transport/collective_operation.hpp"

#include <gtest/gtest.h>

namespace dampi::transport::memory {
namespace {

Contribution part(Collective collective, CollectiveForm form = CollectiveForm::blocking) {
    return {.operation = operation_number(collective, form)};
}

/// Of ranks 0 and 1, from both sides.
Difference compared(const Contribution& zero, const Contribution& one) {
    const Difference found = difference(0, zero, 1, one);
    EXPECT_EQ(difference(1, one, 0, zero), found);
    return found;
}

TEST(CollectiveMismatch, Operations) {
    EXPECT_EQ(compared(part(Collective::bcast), part(Collective::bcast)), Difference::none);
    EXPECT_EQ(compared(part(Collective::bcast), part(Collective::barrier)), Difference::operation);
    EXPECT_EQ(compared(part(Collective::bcast), part(Collective::bcast, CollectiveForm::nonblocking)),
              Difference::operation);
    EXPECT_TRUE(breaks_order(Difference::operation));
    EXPECT_FALSE(breaks_order(Difference::amount));
}

TEST(CollectiveMismatch, Roots) {
    Contribution zero = part(Collective::bcast);
    Contribution one = zero;
    zero.root = 0;
    one.root = 1;
    EXPECT_EQ(compared(zero, one), Difference::root);
    EXPECT_EQ(differing_property(Difference::root, one), "root 1");
    one.root = unknown_root;
    EXPECT_EQ(compared(zero, one), Difference::none) << "a bystander in the group of the root";
    zero.root = 1;
    EXPECT_EQ(compared(zero, one), Difference::root) << "the one that is meant says that it is not";
    EXPECT_EQ(differing_property(Difference::root, one), "root MPI_PROC_NULL");
}

TEST(CollectiveMismatch, Operators) {
    Contribution zero = part(Collective::allreduce);
    Contribution one = zero;
    zero.reduction = static_cast<std::uint32_t>(Reduction::sum);
    EXPECT_EQ(compared(zero, one), Difference::none) << "it is not known";
    one.reduction = static_cast<std::uint32_t>(Reduction::user_defined);
    EXPECT_EQ(compared(zero, one), Difference::reduction);
    EXPECT_EQ(differing_property(Difference::reduction, zero), "MPI_SUM");
    EXPECT_EQ(compared(one, one), Difference::none);
}

TEST(CollectiveMismatch, Arguments) {
    Contribution zero = part(Collective::cart_create);
    Contribution one = zero;
    one.arguments = 17;
    EXPECT_EQ(compared(zero, one), Difference::none) << "they are not known";
    zero.arguments = 18;
    EXPECT_EQ(compared(zero, one), Difference::arguments);
    EXPECT_EQ(differing_property(Difference::arguments, one), "");
    EXPECT_FALSE(breaks_order(Difference::arguments));
    EXPECT_EQ(compared(one, one), Difference::none);
}

TEST(CollectiveMismatch, Amounts) {
    Contribution root = part(Collective::gather);
    Contribution leaf = root;
    root.received = 8;
    EXPECT_EQ(compared(root, leaf), Difference::none) << "it is not known";
    leaf.sent = 8;
    EXPECT_EQ(compared(root, leaf), Difference::none);
    leaf.sent = 1;
    EXPECT_EQ(compared(root, leaf), Difference::amount);
    EXPECT_EQ(differing_property(Difference::amount, root), "8 bytes received per rank");
    EXPECT_EQ(differing_property(Difference::amount, leaf), "1 byte sent per rank");
    Contribution other_leaf = leaf;
    other_leaf.sent = 2;
    EXPECT_EQ(compared(leaf, other_leaf), Difference::amount) << "both must equal what the root expects";
    leaf.sent = 0;
    EXPECT_EQ(compared(root, leaf), Difference::amount);

    Contribution all = part(Collective::allreduce);
    all.sent = all.received = 4;
    EXPECT_EQ(compared(all, all), Difference::none);
    EXPECT_EQ(differing_property(Difference::amount, all), "4 bytes");
    Contribution odd = part(Collective::allgather);
    Contribution even = odd;
    even.sent = even.received = 4;
    odd.sent = 8;
    odd.received = 4;
    EXPECT_EQ(compared(odd, even), Difference::amount);
    EXPECT_EQ(differing_property(Difference::amount, odd), "8 bytes sent and 4 bytes received per rank");
}

TEST(CollectiveMismatch, TheFirstOfSeveralCounts) {
    Contribution zero = part(Collective::reduce);
    Contribution one = zero;
    zero.sent = zero.received = 4;
    one.sent = one.received = 8;
    zero.reduction = static_cast<std::uint32_t>(Reduction::sum);
    one.reduction = static_cast<std::uint32_t>(Reduction::prod);
    EXPECT_EQ(compared(zero, one), Difference::reduction);
    zero.root = 0;
    one.root = 1;
    EXPECT_EQ(compared(zero, one), Difference::root);
}

TEST(CollectiveMismatch, TypesAreComparedWhereTheAmountsAgree) {
    TypeTable table;
    const auto data = [&](ItemKind kind) {
        return table.data(
            table.add({.maker = TypeMaker::named, .name = "", .items = {make_item(kind, 4)}, .parts = {}}), 2);
    };
    Contribution root{.operation = operation_number(Collective::bcast, CollectiveForm::blocking), .root = 0};
    Contribution leaf = root;
    root.sent = leaf.received = 8;
    root.sent_data = data(ItemKind::floating);
    leaf.received_data = data(ItemKind::signed_integer);
    EXPECT_EQ(difference(0, root, 1, leaf), Difference::types);
    EXPECT_EQ(difference(1, leaf, 0, root), Difference::types);
    EXPECT_EQ(differing_data(root, leaf), std::pair(root.sent_data, leaf.received_data));
    leaf.received = 4;
    EXPECT_EQ(difference(0, root, 1, leaf), Difference::amount);
    leaf.received = 8;
    leaf.received_data = data(ItemKind::floating);
    leaf.received_data.type += 1;  // the number is the rank's own
    EXPECT_EQ(difference(0, root, 1, leaf), Difference::none);
    leaf.received_data = {};
    EXPECT_EQ(difference(0, root, 1, leaf), Difference::none) << "nothing is known of it";
}

}  // namespace
}  // namespace dampi::transport::memory
