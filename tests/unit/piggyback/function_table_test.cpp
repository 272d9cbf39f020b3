// The reader of the table that classifies the MPI functions.
#include "piggyback/interception/function_table.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

namespace dampi::piggyback {
namespace {

std::string error_of(std::string_view text) {
    try {
        (void)parse_table(text, "t.def");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(FunctionTable, ReadsEntriesAndComments) {
    const auto table = parse_table(
        "// a comment\n\nFUNCTION(MPI_Send, point_to_point)\n  FUNCTION( MPI_Wtime , pass_through )  // local\n",
        "t.def");
    ASSERT_EQ(table.size(), 2U);
    EXPECT_EQ(table[0].function, "MPI_Send");
    EXPECT_EQ(table[0].call_class, CallClass::point_to_point);
    EXPECT_EQ(table[0].line, 3);
    EXPECT_EQ(table[1].function, "MPI_Wtime");
    EXPECT_EQ(table[1].call_class, CallClass::pass_through);
}

TEST(FunctionTable, RefusesDuplicatesUnknownClassesAndOtherText) {
    EXPECT_EQ(error_of("FUNCTION(MPI_A, tracked)\nFUNCTION(MPI_A, tracked)"),
              "t.def:2: MPI_A was already classified in line 1");
    EXPECT_EQ(error_of("FUNCTION(MPI_A, tracke)"), "t.def:1: unknown class 'tracke' of MPI_A");
    EXPECT_EQ(error_of("\nMPI_A tracked"),
              "t.def:2: expected FUNCTION(MPI_name, class) or FUNCTION(MPI_name, class, treatment), or NEWER, found: "
              "MPI_A tracked");
    EXPECT_EQ(error_of("FUNCTION(MPI_A, tracked, refuse)"), "t.def:1: unknown treatment 'refuse' of MPI_A");
    EXPECT_NE(error_of("FUNCTION(PMPI_A, tracked)"), "");
}

TEST(FunctionTable, LeavesOutNewerFunctionsThatTheHeadersDoNotDeclare) {
    const auto table = parse_table(
        "FUNCTION(MPI_A, tracked)\nNEWER(MPI_B, completion, refused)\nNEWER(MPI_C, polling)\n"
        "FUNCTION(MPI_D, tracked)\n",
        "t.def");
    ASSERT_EQ(table.size(), 4U);
    EXPECT_FALSE(table[0].newer);
    EXPECT_TRUE(table[1].newer);
    EXPECT_EQ(table[1].treatment, Treatment::refused);
    EXPECT_EQ(error_of("FUNCTION(MPI_A, tracked)\nNEWER(MPI_A, tracked)"),
              "t.def:2: MPI_A was already classified in line 1");

    const auto declared = without_undeclared_newer(table, {{"MPI_A", {}}, {"MPI_C", {}}});
    ASSERT_EQ(declared.size(), 3U);
    EXPECT_EQ(declared[1].function, "MPI_C");
    EXPECT_EQ(declared[2].function, "MPI_D") << "that is for the generator to complain of";
}

TEST(FunctionTable, TheTreatmentFollowsFromTheClassUnlessItIsSaid) {
    const auto table = parse_table(
        "FUNCTION(MPI_A, tracked)\nFUNCTION(MPI_B, tracked, answered)\nFUNCTION(MPI_C, one_sided)\n"
        "FUNCTION(MPI_D, pass_through , refused )\nFUNCTION(MPI_E, polling)\n",
        "t.def");
    ASSERT_EQ(table.size(), 5U);
    EXPECT_EQ(table[0].treatment, Treatment::shared);
    EXPECT_EQ(table[1].treatment, Treatment::answered);
    EXPECT_EQ(table[2].treatment, Treatment::refused);
    EXPECT_EQ(table[3].treatment, Treatment::refused);
    EXPECT_EQ(table[4].treatment, Treatment::answered);
}

TEST(FunctionTable, EveryClassHasANameThatLeadsBack) {
    for (int i = 0; i <= static_cast<int>(CallClass::not_exported); ++i) {
        const auto call_class = static_cast<CallClass>(i);
        EXPECT_EQ(call_class_from(to_string(call_class)), call_class);
    }
    EXPECT_FALSE(call_class_from("").has_value());
}

TEST(FunctionTable, SaysWhichClassesAreWrapped) {
    EXPECT_FALSE(has_wrapper(CallClass::pass_through));
    EXPECT_FALSE(has_wrapper(CallClass::not_exported));
    EXPECT_FALSE(has_wrapper(CallClass::by_hand)) << "none that is generated";
    EXPECT_TRUE(has_wrapper(CallClass::not_modelled));
    EXPECT_FALSE(has_body(CallClass::not_modelled));
    EXPECT_TRUE(has_body(CallClass::lifecycle));
    EXPECT_TRUE(has_body(CallClass::tracked));
}

TEST(FunctionTable, SaysWhichClassesEndASequenceOfPollingCalls) {
    EXPECT_FALSE(ends_polling(CallClass::polling));
    EXPECT_FALSE(ends_polling(CallClass::time)) << "a program polls until some time has passed";
    EXPECT_FALSE(ends_polling(CallClass::pass_through)) << "not seen";
    EXPECT_TRUE(ends_polling(CallClass::completion));
    EXPECT_TRUE(ends_polling(CallClass::not_modelled));
    EXPECT_TRUE(ends_polling(CallClass::lifecycle));
    EXPECT_TRUE(has_body(CallClass::polling));
    EXPECT_TRUE(has_body(CallClass::time));
}

TEST(FunctionTable, NamesBodiesAfterFunctions) {
    EXPECT_EQ(body_name("MPI_Irecv"), "irecv");
    EXPECT_EQ(body_name("MPI_Comm_create_group"), "comm_create_group");
}

}  // namespace
}  // namespace dampi::piggyback
