// Lines of the program's source files, where they are there: for reports that show a place with the lines around it.
// Reads regular files of a sensible size and nothing else; whatever cannot be read is just not there.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// For one thread.
class SourceLines {
public:
    /// Lines `first` to `last` (from 1) as far as the file has them, without their ends; empty where there are none.
    [[nodiscard]] std::vector<std::string> lines(const std::string& file, int first, int last);

    /// All of them; empty where there are none. The reference holds as long as the object.
    [[nodiscard]] const std::vector<std::string>& all(const std::string& file);

private:
    std::map<std::string, std::vector<std::string>> files_;
    std::size_t bytes_ = 0;  ///< of all files
};

}  // namespace dampi::scheduler
