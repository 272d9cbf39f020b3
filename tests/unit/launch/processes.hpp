// What tests of launching ask about processes.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::launch {

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Neither gone nor a zombie that waits for its parent.
inline bool alive(pid_t pid) {
    const std::string status = text_of("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t parenthesis = status.rfind(')');
    return parenthesis != std::string::npos && status.size() > parenthesis + 2 && status[parenthesis + 2] != 'Z';
}

inline bool dies_soon(pid_t pid) {
    for (int i = 0; i < 6000; ++i) {
        if (!alive(pid)) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

/// A child process that does `what`; killed at the end.
class Child {
public:
    template <typename What>
    explicit Child(What what) : process_(fork()) {
        if (process_ == 0) {
            what();
            _exit(0);
        }
    }
    ~Child() {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    [[nodiscard]] pid_t process() const { return process_; }

private:
    pid_t process_;
};

}  // namespace dampi::launch
