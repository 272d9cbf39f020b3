// What several sweeps found, as GitLab is told of it.
#include "scheduler/report/exports/code_quality.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

ReportInputs sweep(bool expects) {
    ReportInputs inputs;
    inputs.options.program = "./app";
    if (expects) {
        inputs.options.expect = {"deadlock"};
    }
    Finding& finding = inputs.result.findings.emplace_back();
    finding.violation.kind = replay::ViolationKind::deadlock;
    return inputs;
}

TEST(CodeQuality, WhatOneSweepExpectsIsAnErrorWhereAnotherDoesNot) {
    const auto severities = [](const std::vector<ReportInputs>& sweeps) {
        std::vector<std::string> all;
        for (const auto& entry : make_code_quality(sweeps, "/")) {
            all.push_back(entry.at("severity").get<std::string>());
        }
        return all;
    };
    using Severities = std::vector<std::string>;
    EXPECT_EQ(severities({sweep(true)}), Severities{"info"});
    EXPECT_EQ(severities({sweep(true), sweep(false)}), Severities{"major"});
    EXPECT_EQ(severities({sweep(false), sweep(true)}), Severities{"major"});
}

}  // namespace
}  // namespace dampi::scheduler
