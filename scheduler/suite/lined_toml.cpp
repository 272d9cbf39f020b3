// TOML as a LinedFile: what its parser knows of lines is kept beside the values.
#include "scheduler/suite/lined_toml.hpp"

#include "base/check.hpp"
#include "replay/terminal_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;

class Converter {
public:
    Json convert(const toml::node& node, const std::string& pointer) {
        lines_[pointer] = std::max<std::size_t>(node.source().begin.line, 1);
        if (const toml::table* const table = node.as_table()) {
            Json object = Json::object();
            for (const auto& [key, value] : *table) {
                object[std::string(key.str())] = convert(value, pointer + "/" + std::string(key.str()));
            }
            return object;
        }
        if (const toml::array* const array = node.as_array()) {
            Json list = Json::array();
            for (const toml::node& value : *array) {
                list.push_back(convert(value, fmt::format("{}/{}", pointer, list.size())));
            }
            return list;
        }
        if (const auto* const text = node.as_string()) {
            return text->get();
        }
        if (const auto* const truth = node.as_boolean()) {
            return truth->get();
        }
        if (const auto* const integer = node.as_integer()) {
            return integer->get();
        }
        const auto* const number = node.as_floating_point();
        return number != nullptr && std::isfinite(number->get()) ? Json(number->get()) : Json(nullptr);
    }

    [[nodiscard]] std::map<std::string, std::size_t> take_lines() { return std::move(lines_); }

private:
    std::map<std::string, std::size_t> lines_;
};

}  // namespace

replay::LinedFile read_lined_toml(std::string_view text, const std::string& name) {
    try {
        const toml::table root = toml::parse(text);
        Converter converter;
        Json value = converter.convert(root, "");
        return {name, std::move(value), converter.take_lines()};
    } catch (const toml::parse_error& error) {
        throw Error(fmt::format("{}:{}: this is not TOML: {}", name,
                                std::max<std::size_t>(error.source().begin.line, 1),
                                replay::printable(std::string(error.description()))));
    }
}

}  // namespace dampi::scheduler
