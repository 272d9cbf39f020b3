// See index_page.hpp.
#include "scheduler/report/index_page.hpp"

#include "base/atomic_file.hpp"
#include "scheduler/report/exports/exported_text.hpp"
#include "scheduler/report/page.hpp"
#include "scheduler/report/page_parts.hpp"
#include "scheduler/report/pass_criteria.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;

pugi::xml_node add(pugi::xml_node node, const char* element, const std::string& text = "") {
    pugi::xml_node made = node.append_child(element);
    if (!text.empty()) {
        made.text().set(valid_text(text).c_str());
    }
    return made;
}

/// A path as a reference: all bytes but those that stand for themselves are escaped.
std::string reference(const fs::path& path) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    std::string text;
    for (const char each : path.string()) {
        text += plain.find(each) != std::string_view::npos ? std::string(1, each)
                                                           : fmt::format("%{:02X}", static_cast<unsigned char>(each));
    }
    return text;
}

/// The kinds, each once, with how many findings it has.
std::string findings_text(const ReportInputs& inputs) {
    std::vector<std::string> kinds;
    for (const Finding& finding : inputs.result.findings) {
        kinds.emplace_back(text_of(finding.violation.kind));
    }
    std::sort(kinds.begin(), kinds.end());
    std::vector<std::string> parts;
    if (kinds.empty()) {
        return "none";
    }
    for (auto at = kinds.begin(); at != kinds.end();) {
        const auto end = std::upper_bound(at, kinds.end(), *at);
        parts.push_back(end - at == 1 ? *at : fmt::format("{} ({})", *at, end - at));
        at = end;
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// How the sweep stands as a test, and the badge's colour for that.
std::pair<const char*, std::string> standing(const ReportInputs& inputs) {
    const int status = exit_status_of(inputs);
    return status == 0                                  ? std::pair("badge good", std::string("passes"))
           : status == exit_status(Verdict::incomplete) ? std::pair("badge maybe", std::string("incomplete"))
           : status == exit_status(Verdict::violations) ? std::pair("badge bad", std::string("fails"))
                                                        : std::pair("badge bad", std::string("error"));
}

void add_badge(pugi::xml_node cell, const char* look, const std::string& text) {
    add(cell, "span", text).append_attribute("class").set_value(look);
}

void add_row(pugi::xml_node table, const ReportInputs& inputs, const fs::path& folder) {
    const Options& options = inputs.options;
    pugi::xml_node row = add(table, "tr");
    const auto [look, word] = standing(inputs);
    add_badge(add(row, "td"), look, word);
    const fs::path page = options.output / page_name;
    std::error_code error;
    const fs::path there = fs::proximate(fs::weakly_canonical(page), fs::weakly_canonical(folder), error);
    const std::string name = error || there.is_absolute() || !there.has_parent_path() ? options.output.string()
                                                                                      : there.parent_path().string();
    if (fs::exists(page, error)) {
        pugi::xml_node link = add(add(row, "td"), "a", name);
        link.append_attribute("href").set_value(((there.is_absolute() ? "file://" : "./") + reference(there)).c_str());
    } else {
        add(row, "td", name);
    }
    add(add(row, "td"), "code",
        fmt::format("{}{}{}", options.program, options.arguments.empty() ? "" : " ",
                    fmt::join(options.arguments, " ")));
    add(row, "td", std::to_string(options.processes));
    add(row, "td", std::string(verdict_name(verdict_of(inputs))) + (inputs.cached.empty() ? "" : " (cached)"));
    add(row, "td", inputs.error.empty() ? findings_text(inputs) : inputs.error);
    add(row, "td", std::to_string(inputs.result.explored));
    add(row, "td", fmt::format("{:.2f}", inputs.result.seconds));
}

/// How many sweeps stand in each way, the worst first.
void add_summary(pugi::xml_node body, std::span<const ReportInputs> sweeps) {
    pugi::xml_node line = add(body, "p");
    for (const char* word : {"error", "fails", "incomplete", "passes"}) {
        const char* look = "";
        std::size_t count = 0;
        for (const ReportInputs& inputs : sweeps) {
            const auto [its_look, its_word] = standing(inputs);
            if (its_word == word) {
                look = its_look;
                ++count;
            }
        }
        if (count != 0) {
            add_badge(line, look, fmt::format("{}: {}", word, count));
        }
    }
}

}  // namespace

std::string make_index_page(std::span<const ReportInputs> sweeps, const fs::path& folder) {
    constexpr std::string_view style_mark = "@STYLE@";
    pugi::xml_document document;
    document.append_child(pugi::node_doctype).set_value("html");
    pugi::xml_node page = document.append_child("html");
    page.append_attribute("lang").set_value("en");
    pugi::xml_node head = add(page, "head");
    add(head, "meta").append_attribute("charset").set_value("utf-8");
    const auto add_meta = [&head](const char* kind, const char* name, const std::string& content) {
        pugi::xml_node meta = add(head, "meta");
        meta.append_attribute(kind).set_value(name);
        meta.append_attribute("content").set_value(content.c_str());
    };
    add_meta("http-equiv", "Content-Security-Policy",
             fmt::format("default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'",
                         policy_source(page_style_digest())));
    add_meta("name", "viewport", "width=device-width, initial-scale=1");
    add_meta("name", "color-scheme", "light dark");
    add(head, "title", "dampi: sweeps");
    add(head, "style", std::string(style_mark));
    pugi::xml_node body = add(page, "body");
    add(body, "h1", fmt::format("{} sweep{}", sweeps.size(), sweeps.size() == 1 ? "" : "s"));
    add_summary(body, sweeps);
    pugi::xml_node wide = add(body, "div");
    wide.append_attribute("class").set_value("wide");
    pugi::xml_node table = add(wide, "table");
    pugi::xml_node titles = add(table, "tr");
    for (const char* title :
         {"as a test", "report", "program", "processes", "verdict", "findings", "interleavings", "seconds"}) {
        add(titles, "th", title);
    }
    for (const ReportInputs& inputs : sweeps) {
        add_row(table, inputs, folder);
    }
    std::ostringstream out;
    document.save(out, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
    std::string text = out.str() + "\n";
    // As it is, since its hash is in the policy: XML's writer would escape it.
    return text.replace(text.find(style_mark), style_mark.size(), page_style());
}

void write_index_page(const fs::path& path, std::span<const ReportInputs> sweeps) {
    base::write_file_atomically(path, make_index_page(sweeps, fs::absolute(path).parent_path()));
}

}  // namespace dampi::scheduler
