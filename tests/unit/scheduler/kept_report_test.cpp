// What reports are made from, kept and read again, and what is damaged.
#include "scheduler/report/kept_report.hpp"
#include "scheduler/report/index_page.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/page_parts.hpp"
#include "scheduler/report/text_report.hpp"

#include "base/check.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;

class KeptReport : public testing::Test {
protected:
    KeptReport() {
        std::string name = fs::temp_directory_path() / "dampi-kept-XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~KeptReport() override { fs::remove_all(folder_); }

    ReportInputs inputs() const {
        ReportInputs inputs;
        inputs.options.program = "./app";
        inputs.options.arguments = {"<b>", "\xff"};
        inputs.options.processes = 2;
        inputs.options.output = folder_;
        inputs.options.corpus = "kept";
        inputs.options.bounds.mixing_bound = 3;
        inputs.clock = "vector";
        inputs.engine = "distributed";
        inputs.result.explored = 2;
        inputs.result.left_out = {{"time-limit", "the time was over", "", {}}};
        inputs.result.by_buffering[replay::Buffering::native] = {2, 0};
        Finding finding;
        finding.violation.kind = replay::ViolationKind::deadlock;
        finding.violation.message = "rank 0 waits";
        finding.violation.ranks = {0};
        finding.count = 1;
        inputs.result.findings = {finding};
        inputs.finding_files = {"decisions/deadlock-1.json"};
        inputs.corpus = {{"a.json", CorpusCase::State::fails, "", {0}}};
        inputs.passing.findings = {{.fingerprint = "0123", .known = true, .fails = false}};
        inputs.passing.exit_status = 0;
        return inputs;
    }

    fs::path folder_;
};

TEST_F(KeptReport, TheSameReportsAreMadeOfIt) {
    const ReportInputs then = inputs();
    keep_report(folder_, then, "build");
    const ReportInputs now = read_kept_report(folder_, "build");
    EXPECT_EQ(make_text_report(now), make_text_report(then));
    EXPECT_EQ(make_json_report(now).dump(2, ' ', false, nlohmann::json::error_handler_t::replace),
              make_json_report(then).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

TEST_F(KeptReport, AnotherBuildAndDamagedFilesAreRefused) {
    EXPECT_THROW((void)read_kept_report(folder_, "build"), Error);
    keep_report(folder_, inputs(), "build");
    EXPECT_THROW((void)read_kept_report(folder_, "other"), Error);
    const fs::path file = folder_ / kept_report_name;
    std::ostringstream content;
    content << std::ifstream(file, std::ios::binary).rdbuf();
    const std::string text = content.str();
    std::mt19937 random(3);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same files each time
    for (int i = 0; i < 500; ++i) {
        std::string damaged = text;
        if (i % 2 == 0) {
            damaged.resize(random() % text.size());
        } else {
            damaged[random() % text.size()] ^= static_cast<char>(1 + random() % 255);
        }
        std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
        try {
            (void)read_kept_report(folder_, "build");
            ADD_FAILURE() << "not seen: damage " << i;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(kept_report_name), std::string::npos) << error.what();
        }
    }
}

TEST_F(KeptReport, AnIndexHasNoMarkupOfThePrograms) {
    std::ofstream(folder_ / page_name) << "page";
    const std::array sweeps{inputs(), inputs()};
    const std::string page = make_index_page(sweeps, folder_);
    EXPECT_NE(page.find("default-src 'none'; style-src 'sha256-"), std::string::npos);
    EXPECT_NE(page.find("<style>" + std::string(page_style()) + "</style>"), std::string::npos);
    EXPECT_NE(page.find("./app &lt;b&gt;"), std::string::npos);
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    EXPECT_NE(page.find("<a href=\"./report.html\">"), std::string::npos) << page;
}

}  // namespace
}  // namespace dampi::scheduler
