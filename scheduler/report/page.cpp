// See page.hpp.
#include "scheduler/report/page.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "scheduler/report/page_data.hpp"
#include "scheduler/report/page_parts.hpp"
#include "scheduler/source_lines.hpp"

#include <charconv>
#include <string_view>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <fmt/format.h>
#include <zlib.h>

namespace dampi::scheduler {
namespace {

std::string base64(std::string_view bytes) {
    using boost::archive::iterators::base64_from_binary;
    using boost::archive::iterators::transform_width;
    using Digits = base64_from_binary<transform_width<const char*, 6, 8>>;
    std::string text(Digits(bytes.data()), Digits(bytes.data() + bytes.size()));
    text.append((3 - bytes.size() % 3) % 3, '=');
    return text;
}

std::string bytes_of(std::string_view digest) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digest.size(); i += 2) {
        unsigned value = 0;
        std::from_chars(digest.data() + i, digest.data() + i + 2, value, 16);
        bytes += static_cast<char>(value);
    }
    return bytes;
}

/// As zlib frames it (RFC 1950), which browsers call "deflate".
std::string deflated(std::string_view bytes) {
    uLongf size = compressBound(bytes.size());
    std::string packed(size, '\0');
    const int result = compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    DAMPI_CHECK(result == Z_OK);
    packed.resize(size);
    return packed;
}

/// JSON in which nothing can end the element that it stands in: "<" can only be in its strings.
std::string embedded(const nlohmann::json& data) {
    const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) {
        if (c == '<') {
            safe += "\\u003c";
        } else {
            safe += c;
        }
    }
    return safe;
}

std::string data_element(const nlohmann::json& data) {
    const std::string text = embedded(data);
    return text.size() > most_plain_data
               ? fmt::format(R"(<script id="data" type="text/plain">{}</script>)", base64(deflated(text)))
               : fmt::format(R"(<script id="data" type="application/json">{}</script>)", text);
}

}  // namespace

std::string policy_source(std::string_view digest) { return fmt::format("'sha256-{}'", base64(bytes_of(digest))); }

std::string make_page(const nlohmann::json& data) {
    const std::string policy =
        fmt::format("default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
                    policy_source(page_script_digest()), policy_source(page_style_digest()));
    std::string page;
    std::string_view rest = page_template();
    const auto put = [&](std::string_view mark, std::string_view part) {
        const std::size_t at = rest.find(mark);
        DAMPI_CHECK(at != std::string_view::npos);
        page.append(rest.substr(0, at)).append(part);
        rest.remove_prefix(at + mark.size());
    };
    put("@POLICY@", policy);
    put("@STYLE@", page_style());
    put("@DATA@", data_element(data));
    put("@SCRIPT@", page_script());
    return page.append(rest);
}

void write_page(const std::filesystem::path& path, const ReportInputs& inputs) {
    SourceLines sources;
    const nlohmann::json data = make_page_data(
        inputs, [&](const std::string& file, int first, int last) { return sources.lines(file, first, last); });
    base::write_file_atomically(path, make_page(data));
}

}  // namespace dampi::scheduler
