// What several sweeps found, as GitLab is told of it.
#include "scheduler/report/exports/code_quality.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

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

TEST(CodeQuality, TheSameLineOfAnotherFileIsAnEntryOfItsOwn) {
    std::vector<ReportInputs> sweeps{sweep(false), sweep(false), sweep(false)};
    sweeps[0].options.program = "/one";
    sweeps[1].options.program = "/other";
    sweeps[2].options.program = "/one";
    std::set<std::string> prints;
    std::vector<std::string> files;
    for (const auto& entry : make_code_quality(sweeps, "/somewhere")) {
        prints.insert(entry.at("fingerprint").get<std::string>());
        files.push_back(entry.at("location").at("path").get<std::string>());
    }
    EXPECT_EQ(files, (std::vector<std::string>{"/one", "/other"}));
    EXPECT_EQ(prints.size(), 2U);
}

}  // namespace
}  // namespace dampi::scheduler
