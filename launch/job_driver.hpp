// What a Job does, whoever starts its ranks: see job.hpp for what each of these means.
#pragma once

#include "launch/job_values.hpp"
#include "launch/program_snapshot.hpp"

#include <functional>
#include <memory>
#include <string>

namespace dampi::launch {

class JobDriver {
public:
    JobDriver() = default;
    virtual ~JobDriver() = default;
    JobDriver(const JobDriver&) = delete;
    JobDriver& operator=(const JobDriver&) = delete;

    virtual void serve(std::chrono::microseconds patience) = 0;
    virtual void kill_rank(base::Rank rank) = 0;
    virtual void kill_all() = 0;
    [[nodiscard]] virtual int size() const = 0;
    [[nodiscard]] virtual int running() const = 0;
    [[nodiscard]] virtual pid_t pid(base::Rank rank) const = 0;
    [[nodiscard]] virtual RankEnd end_of(base::Rank rank) const = 0;
    [[nodiscard]] virtual bool may_have_begun(base::Rank /*rank*/) const { return true; }
    [[nodiscard]] virtual const std::vector<AbortRequest>& abort_requests() const = 0;
    [[nodiscard]] virtual std::string launcher_state() const { return {}; }
    [[nodiscard]] virtual pid_t crew() const { return 0; }
    [[nodiscard]] virtual std::string output_failure() const = 0;
    [[nodiscard]] virtual std::string errors_of(base::Rank /*rank*/) const { return {}; }
    virtual void leave_processor() {}
    [[nodiscard]] virtual std::unique_ptr<ProgramSnapshot> snapshot(const std::function<void()>& /*tell*/,
                                                                    std::string& why_not) {
        why_not = "a launcher starts the ranks";
        return nullptr;
    }
};

}  // namespace dampi::launch
