#include "transport/network/secret.hpp"

#include "base/check.hpp"
#include "base/system_error.hpp"
#include "base/unique_fd.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::transport::network {
namespace {

constexpr std::size_t fewest_characters = 16;
constexpr std::size_t most_characters = 1024;

void fill_randomly(std::uint8_t* bytes, std::size_t size) {
    while (size != 0) {
        const ssize_t got = ::getrandom(bytes, size, 0);
        if (got < 0 && errno != EINTR) {
            base::fail("the system has no random numbers", errno);
        }
        bytes += std::max<ssize_t>(got, 0);
        size -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
}

/// Byte by byte: what comes after the line is not ours.
std::string first_line(int descriptor) {
    std::string line;
    for (char next = 0; line.size() <= most_characters;) {
        const ssize_t got = ::read(descriptor, &next, 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0 || next == '\n') {
            break;
        }
        line.push_back(next);
    }
    return line;
}

}  // namespace

Nonce make_nonce() {
    Nonce nonce{};
    fill_randomly(nonce.data(), nonce.size());
    return nonce;
}

std::string make_secret() {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string secret;
    for (const std::uint8_t byte : make_nonce()) {
        secret.push_back(digits[byte >> 4U]);
        secret.push_back(digits[byte & 15U]);
    }
    return secret;
}

std::string read_secret(const std::filesystem::path& file) {
    std::string secret;
    if (file == "-") {
        secret = first_line(STDIN_FILENO);
    } else {
        const base::UniqueFd opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat status {};
        if (!opened || ::fstat(opened.get(), &status) != 0) {
            base::fail("the secret of the sweep cannot be read from " + file.string(), errno);
        }
        if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
            throw Error("others may read the secret in " + file.string() +
                        ": take that right from them, with chmod 600");
        }
        secret = first_line(opened.get());
    }
    if (secret.size() < fewest_characters || secret.size() > most_characters) {
        throw Error((file == "-" ? std::string("standard input") : file.string()) +
                    " holds no secret of a sweep: give the file that dampi-run has written");
    }
    return secret;
}

Proof proof_of(std::string_view secret, Side side, const Nonce& coordinators, const Nonce& joining) {
    hmac_sha256_ctx context;
    hmac_sha256_set_key(&context, secret.size(), reinterpret_cast<const std::uint8_t*>(secret.data()));
    const auto who = static_cast<std::uint8_t>(side);
    hmac_sha256_update(&context, 1, &who);
    hmac_sha256_update(&context, coordinators.size(), coordinators.data());
    hmac_sha256_update(&context, joining.size(), joining.data());
    Proof proof{};
    hmac_sha256_digest(&context, proof.size(), proof.data());
    return proof;
}

bool same_proof(const Proof& a, const Proof& b) { return memeql_sec(a.data(), b.data(), a.size()) != 0; }

}  // namespace dampi::transport::network
