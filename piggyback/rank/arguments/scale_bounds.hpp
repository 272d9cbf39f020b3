// Whether a collective has more data than the site's MPI library is known to take: the bounds that dampi-scale has
// found come in the rank's environment (scheduler/scale/scale_bounds.hpp). With the lock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::piggyback::arguments {

/// The variable that says them.
inline constexpr const char* scale_bounds_variable = "DAMPI_SCALE_BOUNDS";

/// Bounds as their text says (scale::words_of); what is not understood is left out.
class ScaleBounds {
public:
    explicit ScaleBounds(std::string_view text);

    [[nodiscard]] bool empty() const { return bounds_.empty(); }

    /// Why so many elements of so many bytes for each of so many processes are too many for the function, in words;
    /// empty: they are not, or it is not known. The variants with large counts and of persistent requests count as
    /// their function.
    [[nodiscard]] std::string exceeded(std::string_view function, std::int64_t processes, std::int64_t element,
                                       std::int64_t elements) const;

private:
    struct Bound {
        std::string function;
        int form = 0;  ///< scale::Form
        std::int64_t most = 0;
        std::int64_t processes = 0;
        std::int64_t element = 0;
    };

    std::vector<Bound> bounds_;
};

}  // namespace dampi::piggyback::arguments
