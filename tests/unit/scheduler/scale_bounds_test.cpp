// How much data collectives take: the form of a bound, what is tried, and the file.
#include "scheduler/scale/scale_bounds.hpp"

#include "base/check.hpp"
#include "scheduler/scale/measuring.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include <unistd.h>

namespace dampi::scheduler::scale {
namespace {

constexpr std::int64_t mega = std::int64_t{1} << 20;

Measured failing(int processes, std::int64_t element, std::int64_t passes) {
    return {.collective = "MPI_Gather",
            .processes = processes,
            .element = element,
            .passes = passes,
            .fails = passes + 1,
            .why = "it crashed"};
}

Bound bound(std::int64_t with_processes, std::int64_t with_element) {
    return bound_of(failing(48, 1, 42 * mega), failing(96, 1, with_processes), failing(48, 2, with_element));
}

TEST(ScaleBounds, TheFormFollowsFromThreeMeasurements) {
    EXPECT_EQ(bound(21 * mega, 21 * mega).form, Form::bytes_of_all);
    EXPECT_EQ(bound(21 * mega, 42 * mega).form, Form::elements_of_all);
    EXPECT_EQ(bound(42 * mega, 21 * mega).form, Form::bytes_of_one);
    EXPECT_EQ(bound(42 * mega, 42 * mega).form, Form::elements_of_one);
    EXPECT_EQ(bound(21 * mega, 42 * mega).most, 42 * mega * 48);
    EXPECT_EQ(bound(22 * mega, 41 * mega).form, Form::elements_of_all) << "the step is coarse";
}

TEST(ScaleBounds, WhatFitsNoFormIsBoundedWhereItWasMeasured) {
    // Problem 12 of the dissertation.
    const Bound odd = bound_of(failing(48, 1, 124 * mega), failing(96, 1, 62 * mega), failing(48, 2, 90 * mega));
    EXPECT_EQ(odd.form, Form::this_size);
    EXPECT_EQ(odd.most, 124 * mega);
    EXPECT_EQ(odd.processes, 48);
    EXPECT_EQ(odd.element, 1);
    EXPECT_EQ(bound_of(failing(4, 1, 10), std::nullopt, std::nullopt).form, Form::this_size);
    Measured right = failing(96, 1, 21 * mega);
    right.fails.reset();
    EXPECT_EQ(bound_of(failing(48, 1, 42 * mega), right, failing(48, 2, 42 * mega)).form, Form::this_size);
}

TEST(ScaleBounds, NumbersEndWithWhatMemoryAndIntAllow) {
    EXPECT_EQ(numbers_to_try("MPI_Bcast", 4, 1, 4 * 1000), (std::vector<std::int64_t>{1, 16, 256, 512, 1000}));
    EXPECT_EQ(numbers_to_try("MPI_Bcast", 2, 1, std::int64_t{1} << 50).back(), 2'147'483'647);
    EXPECT_EQ(numbers_to_try("MPI_Gatherv", 5, 1, std::int64_t{1} << 50).back(), 2'147'483'647 / 4);
    EXPECT_EQ(numbers_to_try("MPI_Ireduce", 2, 4, std::int64_t{1} << 50).back(), 2'147'483'647 / 4);
    EXPECT_EQ(numbers_to_try("MPI_Alltoall", 4, 8, 1'000'000).back(), 1'000'000 / (2 * 16 * 8));
    EXPECT_TRUE(numbers_to_try("MPI_Bcast", 4, 1, 3).empty());
    EXPECT_EQ(numbers_between(1000, 2000).size(), 16U);
    EXPECT_EQ(numbers_between(10, 12), (std::vector<std::int64_t>{11}));
    EXPECT_TRUE(numbers_between(10, 11).empty());
}

TEST(ScaleBounds, EachCollectiveIsKnownByItsName) {
    EXPECT_EQ(known_collectives().size(), 24U);
    for (const std::string& name : known_collectives()) {
        EXPECT_TRUE(memory_of(name, 3, 2, 5)) << name;
    }
    EXPECT_EQ(memory_of("MPI_Igatherv", 3, 2, 5), 2 * 3 * 2 * 5);
    EXPECT_FALSE(memory_of("MPI_Barrier", 3, 2, 5));
    EXPECT_FALSE(memory_of("", 3, 2, 5));
}

class ScaleBoundsFile : public ::testing::Test {
protected:
    ScaleBoundsFile() {
        std::string name = std::filesystem::temp_directory_path() / "scale-bounds-XXXXXX";
        folder_ = mkdtemp(name.data());
        bounds_.library = "MPICH \"4\"";
        bounds_.measured = {failing(4, 1, 7),
                            {.collective = "MPI_Ibcast", .processes = 4, .element = 1, .passes = 9, .why = "x"}};
        bounds_.bounds = {bound(21 * mega, 42 * mega)};
    }
    ~ScaleBoundsFile() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::filesystem::path file() const { return folder_ / "bounds.json"; }
    void write(const std::string& text) const { std::ofstream(file()) << text; }
    [[nodiscard]] std::string text() const {
        std::ostringstream all;
        all << std::ifstream(file()).rdbuf();
        return all.str();
    }
    [[nodiscard]] std::string refusal() const {
        try {
            (void)read_scale_bounds(file());
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    std::filesystem::path folder_;
    ScaleBounds bounds_;
};

TEST_F(ScaleBoundsFile, IsReadAsItWasWritten) {
    write_scale_bounds(file(), bounds_);
    EXPECT_EQ(read_scale_bounds(file()), bounds_);
    EXPECT_EQ(words_of(bounds_.bounds), "MPI_Gather 1 2113929216 0 0;");
}

TEST_F(ScaleBoundsFile, ABrokenOneIsRefusedWithWhatIsWrong) {
    EXPECT_NE(refusal().find("cannot read"), std::string::npos);
    write_scale_bounds(file(), bounds_);
    const std::string good = text();
    const auto broken = [&](const std::string& what, const std::string& by) {
        std::string bad = good;
        bad.replace(bad.find(what), what.size(), by);
        write(bad);
        return refusal();
    };
    EXPECT_NE(broken("\"dampi_scale\": 1", "\"dampi_scale\": 2").find("another version"), std::string::npos);
    EXPECT_NE(broken("MPI_Ibcast", "MPI_Barrier").find("MPI_Barrier"), std::string::npos);
    EXPECT_NE(broken("\"nP\"", "\"np\"").find("np"), std::string::npos);
    EXPECT_NE(broken("\"most\": 2", "\"most\": -2").find("most"), std::string::npos);
    EXPECT_NE(broken("\"library\"", "\"libary\"").find("library"), std::string::npos);
    EXPECT_NE(broken("{", "").find("is not what dampi-scale writes"), std::string::npos);
}

TEST_F(ScaleBoundsFile, RandomChangesAreReadOrRefused) {
    write_scale_bounds(file(), bounds_);
    const std::string good = text();
    std::mt19937 random(3);
    int refused = 0;
    for (int i = 0; i < 500; ++i) {
        std::string bad = good;
        for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
            bad[random() % bad.size()] = static_cast<char>(random());
        }
        write(bad);
        refused += refusal().empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace dampi::scheduler::scale
