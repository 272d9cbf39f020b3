// The reader of MPI prototypes: whatever way a header writes them.
#include "piggyback/interception/prototypes.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

namespace dampi::piggyback {
namespace {

Prototype only(std::string_view text) {
    const auto prototypes = parse_prototypes(text);
    EXPECT_EQ(prototypes.size(), 1U) << text;
    return prototypes.empty() ? Prototype{} : prototypes.front();
}

TEST(Prototypes, ReadsOneOverSeveralLinesWithAttributeMacros) {
    const auto p = only(
        "int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,\n"
        "             int tag, MPI_Comm comm) MPICH_ATTR_POINTER_WITH_TYPE_TAG(1,3)\n"
        "    MPICH_API_PUBLIC;\n");
    EXPECT_EQ(p.name, "MPI_Send");
    EXPECT_EQ(p.return_type, "int");
    EXPECT_FALSE(p.variadic);
    ASSERT_EQ(p.parameters.size(), 6U);
    EXPECT_EQ(p.parameters[0].declaration, "const void *buf");
    EXPECT_EQ(p.parameters[0].name, "buf");
    EXPECT_EQ(p.parameters[2].name, "datatype");
    EXPECT_EQ(p.parameters[5].name, "comm");
}

TEST(Prototypes, ReadsGnuAttributesBeforeAndBehind) {
    const auto p = only(
        "extern __attribute__((deprecated(\"use (another) one\"))) int MPI_Type_lb(MPI_Datatype datatype, "
        "MPI_Aint *displacement) __attribute__((visibility(\"default\")));");
    EXPECT_EQ(p.name, "MPI_Type_lb");
    EXPECT_EQ(p.return_type, "int");
    ASSERT_EQ(p.parameters.size(), 2U);
    EXPECT_EQ(p.parameters[1].name, "displacement");
}

TEST(Prototypes, ReadsVoidAndOtherReturnTypes) {
    const auto time = only("double MPI_Wtime(void) MPICH_API_PUBLIC;");
    EXPECT_EQ(time.return_type, "double");
    EXPECT_TRUE(time.parameters.empty());
    EXPECT_EQ(only("MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp);").return_type, "MPI_Aint");
    EXPECT_EQ(only("char *MPI_Text();").return_type, "char *");
}

TEST(Prototypes, ReadsArraysAndPointersToPointers) {
    const auto p = only("int MPI_F(int *argc, char ***argv, int ranges[][3], const MPI_Datatype types[]);");
    ASSERT_EQ(p.parameters.size(), 4U);
    EXPECT_EQ(p.parameters[1].name, "argv");
    EXPECT_EQ(p.parameters[2].declaration, "int ranges[][3]");
    EXPECT_EQ(p.parameters[2].name, "ranges");
    EXPECT_EQ(p.parameters[3].name, "types");
}

TEST(Prototypes, ReadsPointersToFunctions) {
    const auto p = only("int MPI_F(int (*copy)(MPI_Comm, int), void (*)(int, int), int last);");
    ASSERT_EQ(p.parameters.size(), 3U);
    EXPECT_EQ(p.parameters[0].name, "copy");
    EXPECT_EQ(p.parameters[1].name, "argument_2");
    EXPECT_EQ(p.parameters[1].declaration, "void (*argument_2)(int, int)");
    EXPECT_EQ(p.parameters[2].name, "last");
}

TEST(Prototypes, NamesUnnamedParameters) {
    const auto p = only("int MPI_F(MPI_Comm, const void *, unsigned long, const int [], struct s *, unsigned x);");
    ASSERT_EQ(p.parameters.size(), 6U);
    EXPECT_EQ(p.parameters[0].declaration, "MPI_Comm argument_1");
    EXPECT_EQ(p.parameters[1].declaration, "const void * argument_2");
    EXPECT_EQ(p.parameters[2].declaration, "unsigned long argument_3");
    EXPECT_EQ(p.parameters[3].declaration, "const int argument_4[]");
    EXPECT_EQ(p.parameters[4].declaration, "struct s * argument_5");
    EXPECT_EQ(p.parameters[5].name, "x");
}

TEST(Prototypes, MarksVariadicFunctions) {
    const auto p = only("int MPI_Pcontrol(const int level, ...);");
    EXPECT_TRUE(p.variadic);
    ASSERT_EQ(p.parameters.size(), 1U);
    EXPECT_EQ(p.parameters[0].name, "level");
}

TEST(Prototypes, SkipsWhatIsNoMpiFunction) {
    EXPECT_TRUE(parse_prototypes("int PMPI_Send(int a); int QMPI_Send(int a); int MPIX_Send(MPI_Comm c);").empty());
    EXPECT_TRUE(parse_prototypes("typedef int (MPI_Copy_function)(MPI_Comm, int);").empty());
    EXPECT_TRUE(parse_prototypes("typedef int MPI_Type(void);").empty());
    EXPECT_TRUE(
        parse_prototypes("#define MPI_Comm_c2f(comm) (MPI_Fint)(comm)\nextern int * const MPI_UNWEIGHTED;").empty());
    EXPECT_TRUE(parse_prototypes("#define MPI_A(x) \\\n  int MPI_B(x);\n").empty());
    EXPECT_TRUE(parse_prototypes("/* int MPI_A(int a); */ // int MPI_B(int b);\n").empty());
    EXPECT_TRUE(parse_prototypes("int register_it(int (*MPI_F)(int), MPI_Comm (x));").empty());
}

TEST(Prototypes, LooksInsideExternC) {
    const auto prototypes = parse_prototypes("extern \"C\" {\nint MPI_A(int a);\nint MPI_B(int b);\n}\n");
    ASSERT_EQ(prototypes.size(), 2U);
    EXPECT_EQ(prototypes[0].name, "MPI_A");
    EXPECT_EQ(prototypes[1].name, "MPI_B");
}

TEST(Prototypes, TakesTheFirstOfTwoDeclarations) {
    const auto p = only("int MPI_A(int first);\n#ifdef X\nint MPI_A(int second);\n#endif\n");
    EXPECT_EQ(p.parameters.at(0).name, "first");
}

TEST(Prototypes, IgnoresCommentsAmongParameters) {
    const auto p = only("int MPI_A(int a /* the (first), */, int b // the second\n);");
    ASSERT_EQ(p.parameters.size(), 2U);
    EXPECT_EQ(p.parameters[1].name, "b");
}

TEST(Prototypes, RefusesWhatItCannotUnderstand) {
    EXPECT_THROW((void)parse_prototypes("int MPI_A(int a;"), Error);
    EXPECT_THROW((void)parse_prototypes("MPI_A(int a);"), Error);
    EXPECT_THROW((void)parse_prototypes("int MPI_A(int a,, int b);"), Error);
}

TEST(Prototypes, SurvivesTextThatEndsEarly) {
    for (const auto* text : {"", "/*", "\"", "#define A \\", "int MPI_A(", "# /*", "\"\\"}) {
        EXPECT_TRUE(parse_prototypes(text).empty()) << text;
    }
}

}  // namespace
}  // namespace dampi::piggyback
