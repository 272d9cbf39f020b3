// Arguments of MPI calls in words.
#include "piggyback/rank/argument_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace dampi::piggyback {
namespace {

/// Knows one of each, and counts how often it is asked.
class OneOfEach : public ObjectNames {
public:
    std::string datatype(MPI_Datatype handle) override {
        ++asked;
        return handle == 77 ? "column" : "a derived datatype";
    }
    std::string communicator(MPI_Comm handle) override {
        ++asked;
        return handle == 88 ? "rows" : "another communicator";
    }
    int asked = 0;
};

struct ArgumentTextTest : testing::Test {
    OneOfEach names;
    ArgumentText text{names};
};

TEST_F(ArgumentTextTest, is_empty_without_arguments) { EXPECT_EQ(text.text(), ""); }

TEST_F(ArgumentTextTest, lists_what_it_is_told_in_that_order) {
    text.number("count", 1);
    text.datatype("datatype", MPI_INT);
    text.peer("source", 2);
    text.tag("tag", 7);
    text.communicator("comm", MPI_COMM_WORLD);
    EXPECT_EQ(text.text(), "count 1, datatype MPI_INT, source 2, tag 7, comm MPI_COMM_WORLD");
    EXPECT_EQ(names.asked, 0);
}

TEST_F(ArgumentTextTest, calls_special_values_by_their_names) {
    text.peer("source", MPI_ANY_SOURCE);
    text.peer("dest", MPI_PROC_NULL);
    text.peer("root", MPI_ROOT);
    text.tag("tag", MPI_ANY_TAG);
    text.choice("color", MPI_UNDEFINED);
    text.choice("color", 3);
    EXPECT_EQ(
        text.text(),
        "source MPI_ANY_SOURCE, dest MPI_PROC_NULL, root MPI_ROOT, tag MPI_ANY_TAG, color MPI_UNDEFINED, color 3");
}

TEST_F(ArgumentTextTest, takes_numbers_for_numbers_where_they_mean_nothing_else) {
    text.number("key", -1);
    text.tag("tag", 0);
    text.number("count", 1LL << 40);
    EXPECT_EQ(text.text(), "key -1, tag 0, count 1099511627776");
}

TEST_F(ArgumentTextTest, counts_requests) {
    text.requests(1);
    text.requests(12);
    EXPECT_EQ(text.text(), "array of 1 request, array of 12 requests");
}

TEST_F(ArgumentTextTest, asks_for_the_names_of_the_programs_objects_only) {
    text.datatype("sendtype", 77);
    text.datatype("recvtype", MPI_DATATYPE_NULL);
    text.communicator("comm", 88);
    text.communicator("peer_comm", MPI_COMM_NULL);
    text.communicator("local_comm", MPI_COMM_SELF);
    EXPECT_EQ(text.text(),
              "sendtype column, recvtype MPI_DATATYPE_NULL, comm rows, peer_comm MPI_COMM_NULL, "
              "local_comm MPI_COMM_SELF");
    EXPECT_EQ(names.asked, 2);
}

TEST_F(ArgumentTextTest, knows_the_predefined_operators) {
    text.operation("op", MPI_MAXLOC);
    text.operation("op", 12345);
    EXPECT_EQ(text.text(), "op MPI_MAXLOC, op a user-defined operator");
}

TEST(PredefinedName, tells_datatypes_of_the_same_size_apart) {
    EXPECT_STREQ(predefined_name(MPI_LONG), "MPI_LONG");
    EXPECT_STREQ(predefined_name(MPI_LONG_LONG), "MPI_LONG_LONG");
    EXPECT_STREQ(predefined_name(MPI_INTEGER), "MPI_INTEGER");
    EXPECT_STREQ(predefined_name(MPI_DOUBLE_INT), "MPI_DOUBLE_INT");
    EXPECT_EQ(predefined_name(77), nullptr);
}

}  // namespace
}  // namespace dampi::piggyback
