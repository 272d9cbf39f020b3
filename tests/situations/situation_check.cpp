// Runs an MPI program in which each rank gets stuck somewhere and compares what is captured of each with the lines
// "SITUATION <rank>: ..." in the program's source.
//
// usage: situation_check LAYER SOURCE RANKS PROGRAM
#include "base/check.hpp"
#include "launch/job.hpp"
#include "launch/program/source_lines.hpp"
#include "scheduler/judgement/record_reader.hpp"
#include "scheduler/judgement/situation_capture.hpp"
#include "transport/memory/area.hpp"
#include "transport/memory/memory_view.hpp"

#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using dampi::replay::RankSituation;

std::map<int, std::string> expected_by(const std::string& source) {
    static const std::string mark = "SITUATION ";
    std::ifstream in(source);
    std::map<int, std::string> expected;
    for (std::string line; std::getline(in, line);) {
        const auto at = line.find(mark);
        const auto colon = line.find(": ", at);
        if (at != std::string::npos && colon != std::string::npos) {
            expected[std::stoi(line.substr(at + mark.size()))] = line.substr(colon + 2);
        }
    }
    return expected;
}

std::string text(const std::optional<RankSituation>& situation) {
    if (!situation) {
        return "nothing is known";
    }
    std::string result = "outside MPI";
    if (!situation->call.empty()) {
        result = situation->call + "(" + situation->arguments + ")";
    } else if (!situation->last_call.empty()) {
        result += " after " + situation->last_call;
    }
    result += (situation->where.function.empty() ? "" : " at ") + situation->where.function + ";";
    std::string last;
    for (const auto& frame : situation->stack) {
        // Which functions of the C library are known by name depends on the machine.
        const std::string name = frame.module.find("/libc.so") == std::string::npos ? frame.function : "libc";
        if (name != "libc" || last != "libc") {
            result += (last.empty() ? " " : " < ") + name;
        }
        last = name;
    }
    return result;
}

/// What each rank was doing some time after its start.
std::vector<std::string> captured(const std::string& layer, const std::string& program, int ranks,
                                  std::chrono::milliseconds time) {
    const auto area = dampi::transport::memory::Area::create(static_cast<std::uint32_t>(ranks), {});
    dampi::transport::memory::MemoryView view(area);
    dampi::launch::JobSpec spec;
    spec.program = program;
    spec.processes = ranks;
    spec.environment = {{"LD_PRELOAD", layer},
                        {dampi::transport::memory::environment_variable, area.file().attach_path()}};
    dampi::launch::Job job(spec);
    for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
        job.serve(10ms);
    }
    const auto stacks = dampi::scheduler::capture_situations(job, view);
    job.kill_all();
    dampi::launch::SourceLines lines;
    dampi::scheduler::RecordReader reader(view, lines);
    reader.read();
    std::vector<std::string> result;
    for (int rank = 0; rank < ranks; ++rank) {
        result.push_back(text(reader.situation(rank, stacks[static_cast<std::size_t>(rank)])));
    }
    return result;
}

int check(const std::string& layer, const std::string& source, int ranks, const std::string& program) {
    const auto expected = expected_by(source);
    if (expected.empty()) {
        std::cerr << source << " does not say what is expected\n";
        return 2;
    }
    // A busy machine may need longer until each rank is where it stays.
    for (auto time = 1000ms;; time *= 4) {
        const auto found = captured(layer, program, ranks, time);
        std::string differences;
        for (const auto& [rank, wanted] : expected) {
            const std::string& got = found.at(static_cast<std::size_t>(rank));
            if (got != wanted) {
                differences +=
                    "rank " + std::to_string(rank) + "\n  expected: " + wanted + "\n  captured: " + got + "\n";
            }
        }
        if (differences.empty()) {
            return 0;
        }
        std::cerr << "after " << time.count() << " ms:\n" << differences;
        if (time > 10s) {
            return 1;
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::cerr << "usage: situation_check LAYER SOURCE RANKS PROGRAM\n";
        return 2;
    }
    try {
        return check(argv[1], argv[2], std::stoi(argv[3]), argv[4]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
