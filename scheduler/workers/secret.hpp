// The secret that a sweep shares with its workers, and how each side proves to the other that it has it without saying
// it: a keyed digest (HMAC-SHA-256) over random numbers of both.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dampi::scheduler::workers {

inline constexpr std::size_t nonce_bytes = 32;
inline constexpr std::size_t proof_bytes = 32;
using Nonce = std::array<std::uint8_t, nonce_bytes>;
using Proof = std::array<std::uint8_t, proof_bytes>;

/// Random, in letters and digits.
[[nodiscard]] std::string make_secret();
[[nodiscard]] Nonce make_nonce();

/// The first line of the file, or of standard input for "-". Throws dampi::Error where others may read the file, or
/// there is no secret in it.
[[nodiscard]] std::string read_secret(const std::filesystem::path& file);

enum class Side : std::uint8_t { coordinator, worker };

/// What `side` shows for these numbers.
[[nodiscard]] Proof proof_of(std::string_view secret, Side side, const Nonce& coordinators, const Nonce& workers);
/// In a time that says nothing of where they differ.
[[nodiscard]] bool same_proof(const Proof& a, const Proof& b);

}  // namespace dampi::scheduler::workers
