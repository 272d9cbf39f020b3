// The workers of one sweep, as --workers asks for them: makes the secret, listens, tells where, starts them, and makes
// the engine that runs interleavings on them. All ends with this.
#pragma once

#include "scheduler/cli/settled_request.hpp"
#include "scheduler/engines/engines.hpp"
#include "scheduler/workers/pool.hpp"
#include "scheduler/workers/processes.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace dampi::scheduler {

class Crew {
public:
    /// `request` has options.workers. `output`: for what the program prints; `say` is told what people should know,
    /// `detail` what they may want to. Throws dampi::Error.
    Crew(const SettledRequest& request, const std::filesystem::path& output, const std::filesystem::path& layer,
         std::function<void(const std::string&)> say, std::function<void(const std::string&)> detail);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Must end before this. `repeats` as for make_automatic_engine().
    [[nodiscard]] Engine engine(const SettledRequest& request, bool repeats);
    [[nodiscard]] WorkersAccount account() const { return pool_->account(); }

private:
    [[nodiscard]] AutomaticEngine::Part part(workers::Purpose purpose);
    /// With the address that it is for.
    void remove_secret() const;

    std::filesystem::path folder_;  ///< for who joins: address and secret
    std::function<void(const std::string&)> say_;
    std::optional<workers::Pool> pool_;
    std::optional<workers::Processes> processes_;
};

}  // namespace dampi::scheduler
