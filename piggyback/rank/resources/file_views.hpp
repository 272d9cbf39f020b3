// What the etype of each open file's view is, where the program has set one. Without one it is MPI_BYTE, with which all
// data agrees.
#pragma once

#include "transport/type_table.hpp"

#include <unordered_map>

#include <mpi.h>

namespace dampi::piggyback {

struct FileView {
    transport::TypedData etype;  ///< one of it
    MPI_Count bytes = 0;         ///< in that
};

class FileViews {
public:
    /// Nothing is kept of an etype of which nothing is to be said.
    void set(MPI_File file, const FileView& view) {
        if (view.etype.type == transport::no_type || view.bytes <= 0) {
            forget(file);
        } else {
            views_[file] = view;
        }
    }
    /// It is opened or closed.
    void forget(MPI_File file) { views_.erase(file); }

    /// Null where nothing is to be said of what the view asks for.
    [[nodiscard]] const FileView* find(MPI_File file) const {
        const auto found = views_.find(file);
        return found == views_.end() ? nullptr : &found->second;
    }

private:
    std::unordered_map<MPI_File, FileView> views_;
};

/// Of this rank. With the lock of the layer's calls.
inline FileViews& file_views() {
    static auto& views = *new FileViews;  // never gone: MPI_Finalize may come after static objects are
    return views;
}

}  // namespace dampi::piggyback
