// See index_page.hpp.
#include "scheduler/report/index_page.hpp"

#include "base/atomic_file.hpp"
#include "scheduler/report/exports/exported_text.hpp"
#include "scheduler/report/pass_criteria.hpp"

#include <algorithm>
#include <sstream>
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

void add_row(pugi::xml_node table, const ReportInputs& inputs, const fs::path& folder) {
    const Options& options = inputs.options;
    pugi::xml_node row = add(table, "tr");
    const fs::path page = options.output / page_name;
    std::error_code error;
    const std::string name = options.output.string();
    if (fs::exists(page, error)) {
        const fs::path there = fs::proximate(fs::weakly_canonical(page), fs::weakly_canonical(folder), error);
        pugi::xml_node link = add(add(row, "td"), "a", name);
        link.append_attribute("href").set_value(((there.is_absolute() ? "file://" : "./") + reference(there)).c_str());
    } else {
        add(row, "td", name);
    }
    add(row, "td",
        fmt::format("{}{}{}", options.program, options.arguments.empty() ? "" : " ",
                    fmt::join(options.arguments, " ")));
    add(row, "td", std::to_string(options.processes));
    add(row, "td", std::string(verdict_name(verdict_of(inputs))) + (inputs.cached.empty() ? "" : " (cached)"));
    add(row, "td", exit_status_of(inputs) == 0 ? "passes" : fmt::format("exit status {}", exit_status_of(inputs)));
    add(row, "td", inputs.error.empty() ? findings_text(inputs) : inputs.error);
    add(row, "td", std::to_string(inputs.result.explored));
    add(row, "td", fmt::format("{:.2f}", inputs.result.seconds));
}

}  // namespace

std::string make_index_page(std::span<const ReportInputs> sweeps, const fs::path& folder) {
    pugi::xml_document document;
    document.append_child(pugi::node_doctype).set_value("html");
    pugi::xml_node page = document.append_child("html");
    page.append_attribute("lang").set_value("en");
    pugi::xml_node head = add(page, "head");
    add(head, "meta").append_attribute("charset").set_value("utf-8");
    pugi::xml_node policy = add(head, "meta");
    policy.append_attribute("http-equiv").set_value("Content-Security-Policy");
    policy.append_attribute("content").set_value("default-src 'none'");
    add(head, "title", "dampi: sweeps");
    pugi::xml_node body = add(page, "body");
    add(body, "h1", fmt::format("{} sweep{}", sweeps.size(), sweeps.size() == 1 ? "" : "s"));
    pugi::xml_node table = add(body, "table");
    table.append_attribute("border").set_value("1");
    table.append_attribute("cellpadding").set_value("6");
    pugi::xml_node titles = add(table, "tr");
    for (const char* title :
         {"report", "program", "processes", "verdict", "as a test", "findings", "interleavings", "seconds"}) {
        add(titles, "th", title);
    }
    for (const ReportInputs& inputs : sweeps) {
        add_row(table, inputs, folder);
    }
    std::ostringstream out;
    document.save(out, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
    return out.str() + "\n";
}

void write_index_page(const fs::path& path, std::span<const ReportInputs> sweeps) {
    base::write_file_atomically(path, make_index_page(sweeps, fs::absolute(path).parent_path()));
}

}  // namespace dampi::scheduler
