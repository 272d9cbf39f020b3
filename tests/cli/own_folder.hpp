// A test in an empty folder of its own, which is named after it.
#pragma once

#include <filesystem>

#include <gtest/gtest.h>

namespace dampi::harness {

class InOwnFolder : public testing::Test {
protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        work_ = std::filesystem::path(DAMPI_CLI_WORK) / info->test_suite_name() / info->name();
        std::filesystem::remove_all(work_);
        std::filesystem::create_directories(work_);
    }

    std::filesystem::path work_;
};

}  // namespace dampi::harness
