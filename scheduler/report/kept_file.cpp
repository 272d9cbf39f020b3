// See kept_file.hpp.
#include "scheduler/report/kept_file.hpp"

#include "base/atomic_file.hpp"
#include "base/digest.hpp"

#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

/// Up to the end of the line, which is taken off the text; nothing where it has no end.
std::optional<std::string_view> take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

}  // namespace

std::string check_sum(std::string_view text) {
    const base::Digest digest = base::digest_of(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

std::string kept_bytes(const std::filesystem::path& path, const std::string& advice) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad()) {
        throw Error(fmt::format("{}: the file cannot be read: {}", path.string(), advice));
    }
    return bytes;
}

void KeptFile::write(const std::string& build, std::string_view bytes) const {
    const std::string rest = fmt::format("{}\n{}", build, bytes);
    base::write_file_atomically(path, fmt::format("{}\n{}\n{}", first_line, check_sum(rest), rest));
}

std::optional<std::string> KeptFile::read(const std::string& build, const std::string& advice) const {
    const std::string text = kept_bytes(path, advice);
    std::string_view rest = text;
    if (take_line(rest) != first_line) {
        throw damaged(1, advice);
    }
    if (const auto sum = take_line(rest); sum != check_sum(rest)) {
        throw damaged(2, advice);
    }
    const auto by = take_line(rest);
    if (!by) {
        throw damaged(3, advice);
    }
    return *by == build ? std::optional<std::string>(rest) : std::nullopt;
}

Error KeptFile::damaged(int line, const std::string& advice) const {
    return Error(fmt::format("{}:{}: the file is damaged: {}", path.string(), line, advice));
}

}  // namespace dampi::scheduler
