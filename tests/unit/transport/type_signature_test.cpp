// Signatures of data: hashes that compose, prefixes, and where two descriptions disagree.
#include "transport/type_table.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace dampi::transport {
namespace {

constexpr Item int4 = make_item(ItemKind::signed_integer, 4);
constexpr Item real4 = make_item(ItemKind::floating, 4);
constexpr Item real8 = make_item(ItemKind::floating, 8);
constexpr Item byte1 = make_item(ItemKind::byte, 1);
constexpr Item packed = make_item(ItemKind::unknown, 1);

TypeDescription named(std::string name, std::vector<Item> items) {
    return {.maker = TypeMaker::named, .name = std::move(name), .items = std::move(items), .parts = {}};
}

TypeDescription made(TypeMaker maker, std::vector<TypePart> parts) {
    return {.maker = maker, .name = "", .items = {}, .parts = std::move(parts)};
}

/// A table with some datatypes.
struct Types {
    TypeTable table;
    TypeNumber integer = table.add(named("MPI_INT", {int4}));
    TypeNumber real = table.add(named("MPI_FLOAT", {real4}));
    TypeNumber pair = table.add(named("MPI_FLOAT_INT", {real4, int4}));
    TypeNumber byte = table.add(named("MPI_BYTE", {byte1}));
    TypeNumber unknown = table.add(named("MPI_PACKED", {packed}));
    TypeNumber nothing = table.add(made(TypeMaker::contiguous, {{.blocks = 0, .length = 1, .type = integer}}));

    [[nodiscard]] TypedData data(TypeNumber type, std::uint64_t count = 1) const { return table.data(type, count); }
};

TEST(Signature, ComposesWhateverTheOrder) {
    const Signature a = signature_of(int4);
    const Signature b = signature_of(real8);
    EXPECT_EQ(joined(joined(a, b), a), joined(a, joined(b, a)));
    EXPECT_NE(joined(a, b).hash, joined(b, a).hash);
    EXPECT_EQ(joined(a, Signature{}), a);
    EXPECT_EQ(joined(Signature{}, a), a);
}

TEST(Signature, RepeatedIsJoinedSoOften) {
    const Signature piece = joined(signature_of(int4), joined(signature_of(real8), signature_of(real4)));
    Signature all;
    for (std::uint64_t times = 0; times < 200; ++times) {
        ASSERT_EQ(repeated(piece, times), all) << times;
        all = joined(all, piece);
    }
    EXPECT_EQ(repeated(repeated(piece, 1'000'003), 12'345), repeated(piece, std::uint64_t{1'000'003} * 12'345));
    EXPECT_FALSE(repeated(piece, ~std::uint64_t{0}).comparable) << "nobody can count that";
}

TEST(Signature, BytesAndWhatIsPackedSayNothing) {
    EXPECT_FALSE(repeated(signature_of(byte1), 100).says_something());
    EXPECT_FALSE(Signature{}.says_something());
    EXPECT_TRUE(joined(signature_of(byte1), signature_of(int4)).says_something());
    EXPECT_FALSE(joined(signature_of(packed), signature_of(int4)).says_something());
}

TEST(TypeTable, RefusesWhatMakesNoSense) {
    TypeTable table;
    EXPECT_EQ(table.add(made(TypeMaker::vector, {{.blocks = 1, .length = 1, .type = 1}})), no_type) << "not there yet";
    EXPECT_EQ(table.add(made(TypeMaker::vector, {{.blocks = 1, .length = 1, .type = no_type}})), no_type);
    EXPECT_EQ(table.add(named("", {0})), no_type);
    EXPECT_EQ(table.add(made(static_cast<TypeMaker>(77), {})), no_type);
    EXPECT_EQ(table.add(made(TypeMaker::vector, std::vector<TypePart>(TypeTable::most_parts + 1))), no_type);
    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(table.data(3, 1), TypedData{});
}

TEST(TypeTable, IsNotNestedDeeperThanCanBeLookedInto) {
    Types types;
    TypeNumber inner = types.integer;
    for (unsigned depth = 0; depth < TypeTable::most_depth; ++depth) {
        inner = types.table.add(made(TypeMaker::contiguous, {{.blocks = 1, .length = 1, .type = inner}}));
        ASSERT_NE(inner, no_type);
    }
    EXPECT_EQ(types.table.add(made(TypeMaker::contiguous, {{.blocks = 1, .length = 1, .type = inner}})), no_type);
    EXPECT_TRUE(difference(types.table, types.data(inner, 2), types.table, types.data(types.real, 2)));
}

TEST(TypeTable, KnowsTheOnlyBasicDatatype) {
    Types types;
    const TypeNumber integers =
        types.table.add(made(TypeMaker::structure, {{.blocks = 4, .length = 1, .type = types.nothing},
                                                    {.blocks = 2, .length = 3, .type = types.integer}}));
    const TypeNumber nested = types.table.add(made(TypeMaker::vector, {{.blocks = 2, .length = 2, .type = integers}}));
    const TypeNumber mixed =
        types.table.add(made(TypeMaker::structure, {{.blocks = 1, .length = 1, .type = nested},
                                                    {.blocks = 1, .length = 1, .type = types.real}}));
    EXPECT_EQ(types.table.only_basic(types.integer), types.integer);
    EXPECT_EQ(types.table.only_basic(nested), types.integer);
    EXPECT_EQ(types.table.only_basic(mixed), no_type);
    EXPECT_EQ(types.table.only_basic(types.pair), no_type) << "two items";
    EXPECT_EQ(types.table.only_basic(types.nothing), no_type);
    EXPECT_EQ(types.table.only_basic(types.unknown), no_type);
    EXPECT_EQ(types.table.only_basic(no_type), no_type);
}

TEST(TypeTable, AShorterMessageAgreesWithTheFirstItems) {
    Types types;
    const TypeNumber vector =
        types.table.add(made(TypeMaker::vector, {{.blocks = 3, .length = 2, .type = types.pair}}));
    const TypeNumber whole =
        types.table.add(made(TypeMaker::structure, {{.blocks = 2, .length = 1, .type = types.real},
                                                    {.blocks = 1, .length = 3, .type = vector},
                                                    {.blocks = 4, .length = 1, .type = types.nothing},
                                                    {.blocks = 1, .length = 5, .type = types.integer}}));
    std::vector<Item> items{real4, real4};
    for (int i = 0; i < 18; ++i) {
        items.insert(items.end(), {real4, int4});
    }
    items.insert(items.end(), 5, int4);
    const TypedData three = types.data(whole, 3);
    ASSERT_EQ(three.items, 3 * items.size());
    Signature expected;
    for (std::uint64_t i = 0; i < three.items; ++i) {
        ASSERT_EQ(types.table.hash_of_first(three, i), expected.hash) << i;
        expected = joined(expected, signature_of(items[i % items.size()]));
    }
    EXPECT_EQ(three.hash, expected.hash);
}

TEST(TypeTable, EqualDataAgreeHoweverTheyAreMade) {
    Types types;
    const TypeNumber a = types.table.add(made(TypeMaker::vector, {{.blocks = 3, .length = 2, .type = types.integer}}));
    const TypeNumber b = types.table.add(made(TypeMaker::indexed, {{.blocks = 1, .length = 1, .type = types.integer},
                                                                   {.blocks = 1, .length = 5, .type = types.integer}}));
    EXPECT_TRUE(surely_agree(types.data(a, 2), types.table, types.data(b, 2)));
    EXPECT_TRUE(surely_agree(types.data(a), types.table, types.data(types.integer, 7)));
    EXPECT_FALSE(surely_agree(types.data(types.integer, 7), types.table, types.data(a))) << "longer: nobody knows";
    EXPECT_FALSE(difference(types.table, types.data(a), types.table, types.data(types.integer, 7)));
    EXPECT_FALSE(surely_agree(types.data(a), types.table, types.data(types.real, 6)));
    EXPECT_TRUE(surely_agree(types.data(types.byte, 6), types.table, types.data(types.real, 6)));
    EXPECT_TRUE(surely_agree(types.data(types.unknown, 6), types.table, types.data(types.real, 6)));
    EXPECT_TRUE(surely_agree(types.data(types.real, 6), types.table, types.data(types.unknown, 6)));
    EXPECT_TRUE(surely_agree(types.data(types.real, 0), types.table, types.data(types.integer, 6)));
}

TEST(TypeDifference, SaysWhereInBoth) {
    Types types;
    const TypeNumber vector =
        types.table.add(made(TypeMaker::vector, {{.blocks = 4, .length = 1, .type = types.integer}}));
    const TypeNumber whole = types.table.add(made(TypeMaker::structure, {{.blocks = 1, .length = 1, .type = types.real},
                                                                         {.blocks = 1, .length = 1, .type = vector}}));
    const TypeNumber other =
        types.table.add(made(TypeMaker::structure, {{.blocks = 1, .length = 1, .type = types.real},
                                                    {.blocks = 1, .length = 3, .type = types.integer},
                                                    {.blocks = 1, .length = 2, .type = types.real}}));
    const auto found = difference(types.table, types.data(whole), types.table, types.data(other));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->item, 4U);
    EXPECT_EQ(found->path, "struct[1].vector[3]");
    EXPECT_EQ(found->name, "MPI_INT");
    EXPECT_EQ(found->other_path, "struct[2][0]");
    EXPECT_EQ(found->other_name, "MPI_FLOAT");
    const auto several = difference(types.table, types.data(whole, 3), types.table, types.data(types.real, 2));
    ASSERT_TRUE(several);
    EXPECT_EQ(several->path, "[0].struct[1].vector[0]");
    EXPECT_EQ(several->other_path, "[1]");
    const auto plain = difference(types.table, types.data(types.integer), types.table, types.data(types.real));
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->path, "");
}

TEST(TypeDifference, BytesAgreeWithAnything) {
    Types types;
    const auto mixed = [&](std::uint64_t bytes, TypeNumber last) {
        return types.data(
            types.table.add(made(TypeMaker::structure, {{.blocks = 1, .length = 1, .type = types.integer},
                                                        {.blocks = 1, .length = bytes, .type = types.byte},
                                                        {.blocks = 1, .length = 1, .type = last}})));
    };
    const TypedData numbers = types.data(types.integer, 4);
    EXPECT_FALSE(difference(types.table, mixed(8, types.integer), types.table, numbers));
    EXPECT_FALSE(difference(types.table, numbers, types.table, mixed(8, types.integer)));
    EXPECT_TRUE(difference(types.table, mixed(8, types.real), types.table, numbers));
    EXPECT_FALSE(difference(types.table, mixed(6, types.real), types.table, numbers)) << "in the middle of a number";
    EXPECT_FALSE(difference(types.table, mixed(8, types.unknown), types.table, types.data(types.real, 9)));
}

TEST(TypeDifference, GivesUpAfterSoManySteps) {
    Types types;
    const TypedData pairs = types.data(types.pair, 1000);
    const TypeNumber singles =
        types.table.add(made(TypeMaker::structure, {{.blocks = 1, .length = 1, .type = types.real},
                                                    {.blocks = 1, .length = 1, .type = types.integer}}));
    const TypedData last =
        types.data(types.table.add(made(TypeMaker::structure, {{.blocks = 999, .length = 1, .type = singles},
                                                               {.blocks = 2, .length = 1, .type = types.real}})));
    EXPECT_TRUE(difference(types.table, pairs, types.table, last));
    EXPECT_FALSE(difference(types.table, pairs, types.table, last, 100));
}

/// Random descriptions, against their items one by one.
TEST(TypeDifference, IsThatOfTheItems) {
    std::mt19937 random(4711);
    const auto upto = [&](std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(random); };
    for (int round = 0; round < 2000; ++round) {
        TypeTable table;
        std::vector<std::vector<Item>> items;
        const auto add = [&](TypeDescription description, std::vector<Item> all) {
            ASSERT_EQ(table.add(std::move(description)), items.size() + 1);
            items.push_back(std::move(all));
        };
        add(named("a", {int4}), {int4});
        add(named("b", {real4}), {real4});
        add(named("c", {real4, int4}), {real4, int4});
        for (int i = 0; i < 5; ++i) {
            std::vector<TypePart> parts;
            std::vector<Item> all;
            for (std::uint64_t k = upto(2); k-- != 0;) {
                const TypePart part{
                    .blocks = upto(2), .length = upto(2), .type = static_cast<TypeNumber>(1 + upto(items.size() - 1))};
                parts.push_back(part);
                for (std::uint64_t n = part.blocks * part.length; n-- != 0;) {
                    all.insert(all.end(), items[part.type - 1].begin(), items[part.type - 1].end());
                }
            }
            add(made(TypeMaker::structure, parts), all);
        }
        const auto whole = [&](TypeNumber type, std::uint64_t count) {
            std::vector<Item> all;
            for (; count-- != 0;) {
                all.insert(all.end(), items[type - 1].begin(), items[type - 1].end());
            }
            return all;
        };
        const auto one = static_cast<TypeNumber>(1 + upto(items.size() - 1));
        const auto two = static_cast<TypeNumber>(1 + upto(items.size() - 1));
        const std::uint64_t count_one = upto(3);
        const std::uint64_t count_two = upto(3);
        const std::vector<Item> first = whole(one, count_one);
        const std::vector<Item> second = whole(two, count_two);
        std::uint64_t same = 0;
        while (same < first.size() && same < second.size() && first[same] == second[same]) {
            ++same;
        }
        const auto found = difference(table, table.data(one, count_one), table, table.data(two, count_two));
        ASSERT_EQ(found.has_value(), same < first.size() && same < second.size()) << round;
        if (found) {
            ASSERT_EQ(found->item, same);
        }
        const bool begins = first.size() <= second.size() && same == first.size();
        ASSERT_EQ(surely_agree(table.data(one, count_one), table, table.data(two, count_two)), begins || second.empty())
            << round;
    }
}

}  // namespace
}  // namespace dampi::transport
