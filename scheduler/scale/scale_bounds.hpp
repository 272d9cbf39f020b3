// How much data the collectives of a site's MPI library take: what dampi-scale has measured, the file that keeps it,
// and the form of what must not be exceeded, which tells of numbers of processes and sizes that nobody has tried. After
// H. Li, dissertation, 2018, chapter 4. Runs nothing (measuring.hpp), and warns of nothing (piggyback/rank/arguments).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler::scale {

/// Of one collective, with one number of processes and elements of one size.
struct Measured {
    std::string collective;  ///< "MPI_Gather"
    int processes = 0;
    std::int64_t element = 0;           ///< bytes
    std::int64_t passes = 0;            ///< the most elements of a rank with which it was right; 0: none
    std::optional<std::int64_t> fails;  ///< the fewest with which it was not; nothing: it was as far as was looked
    std::string why;                    ///< what went wrong then, or else what did not let us look further

    bool operator==(const Measured&) const = default;
};

/// What is bounded, of n elements of s bytes for each of P processes (section 4.3.2; `this_size`: its class X, of which
/// only is known what was measured).
enum class Form : std::uint8_t { bytes_of_all, elements_of_all, bytes_of_one, elements_of_one, this_size };

struct Bound {
    std::string collective;
    Form form = Form::this_size;
    std::int64_t most = 0;     ///< of what the form says, that was right
    int processes = 0;         ///< this_size: with so many
    std::int64_t element = 0;  ///< likewise, and such

    bool operator==(const Bound&) const = default;
};

struct ScaleBounds {
    std::string library;  ///< as MPI_Get_library_version says, its first line
    std::vector<Measured> measured;
    std::vector<Bound> bounds;

    bool operator==(const ScaleBounds&) const = default;
};

/// Three measurements of one collective that has failed in the first: `twice_processes` and `twice_element` differ in
/// that from it. Two numbers of elements are the same where they differ by less than an eighth.
[[nodiscard]] Bound bound_of(const Measured& base, const std::optional<Measured>& twice_processes,
                             const std::optional<Measured>& twice_element);

/// The most bytes that all ranks together need for their buffers, of n elements for each rank (or block); nothing for
/// what is no collective that dampi-scale knows.
[[nodiscard]] std::optional<std::int64_t> memory_of(const std::string& collective, int processes, std::int64_t element,
                                                    std::int64_t elements);

/// "MPI_Gather" and so on, those that dampi-scale knows.
[[nodiscard]] const std::vector<std::string>& known_collectives();

/// Throws dampi::Error that names the file, and what is wrong in it.
[[nodiscard]] ScaleBounds read_scale_bounds(const std::filesystem::path& file);
/// As it was, or whole. Throws dampi::Error.
void write_scale_bounds(const std::filesystem::path& file, const ScaleBounds& bounds);

/// The bounds as the layer of a rank reads them: "MPI_Gather 0 6243221504 0 0;" for each, that is collective, form,
/// most, processes and element.
[[nodiscard]] std::string words_of(const std::vector<Bound>& bounds);

/// "bytes of all ranks (s*n*P)".
[[nodiscard]] const char* text_of(Form form);

}  // namespace dampi::scheduler::scale
