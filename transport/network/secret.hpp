// The secret that a sweep shares with those who join it, and how each side proves to the other that it has it without
// saying it: a keyed digest (HMAC-SHA-256) over random numbers of both. That comes before anything else on a
// connection, and nothing that came before it is looked at otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dampi::transport::network {

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

/// The dampi-run of the sweep sends it first: whom the other side is to prove itself to.
inline constexpr std::string_view greeting_word = "dampi/1\n";
inline constexpr std::size_t greeting_bytes = greeting_word.size() + nonce_bytes;
inline constexpr std::size_t answer_bytes = nonce_bytes + proof_bytes;

enum class Side : std::uint8_t { coordinator, worker };

/// What `side` shows for these numbers.
[[nodiscard]] Proof proof_of(std::string_view secret, Side side, const Nonce& coordinators, const Nonce& joining);
/// In a time that says nothing of where they differ.
[[nodiscard]] bool same_proof(const Proof& a, const Proof& b);

}  // namespace dampi::transport::network
