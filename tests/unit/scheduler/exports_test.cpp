// What is asked before a sweep for which reports are to be written to files.
#include "scheduler/cli/exports.hpp"

#include "base/check.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;

class ExportsTest : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_ / "sub"); }
    void TearDown() override { fs::remove_all(folder_); }

    static std::string refusal(const ExportFiles& files, const std::vector<fs::path>& kept = {}) {
        try {
            require_writable(files, kept);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    fs::path folder_ = fs::temp_directory_path() / ("dampi-exports-" + std::to_string(::getpid()));
};

TEST_F(ExportsTest, WhatCannotBeWrittenIsSaidBefore) {
    EXPECT_EQ(refusal({.junit = folder_ / "a.xml", .sarif = folder_ / "b.sarif", .code_quality = {}, .trace = {}}), "");
    EXPECT_EQ(refusal({.junit = {}, .sarif = {}, .code_quality = {}, .trace = {}}), "");
    EXPECT_NE(
        refusal({.junit = folder_ / "none/a.xml", .sarif = {}, .code_quality = {}, .trace = {}}).find("make it first"),
        std::string::npos);
    EXPECT_NE(refusal({.junit = {}, .sarif = folder_, .code_quality = {}, .trace = {}}).find("is a directory"),
              std::string::npos);
}

TEST_F(ExportsTest, NoReportIsWrittenOverAnother) {
    EXPECT_NE(refusal({.junit = folder_ / "a", .sarif = {}, .code_quality = folder_ / "sub/../a", .trace = {}})
                  .find("each a file of its own"),
              std::string::npos);
    EXPECT_NE(
        refusal({.junit = folder_ / "sub/../app", .sarif = {}, .code_quality = {}, .trace = {}}, {folder_ / "app"})
            .find("needed itself"),
        std::string::npos);
    EXPECT_EQ(refusal({.junit = "/dev/null", .sarif = "/dev/null", .code_quality = {}, .trace = {}}), "");
}

}  // namespace
}  // namespace dampi::scheduler
