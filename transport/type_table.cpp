#include "transport/type_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace dampi::transport {

TypeNumber TypeTable::add(TypeDescription description) {
    const bool named = description.maker == TypeMaker::named;
    if (types_.size() == most_types || description.maker > last_type_maker || description.parts.size() > most_parts ||
        description.items.size() > most_parts || (named ? !description.parts.empty() : !description.items.empty()) ||
        !std::all_of(description.items.begin(), description.items.end(), is_item) ||
        std::any_of(description.parts.begin(), description.parts.end(),
                    [&](const TypePart& part) { return part.type == no_type || part.type > types_.size(); })) {
        return no_type;
    }
    unsigned depth = 0;
    for (const TypePart& part : description.parts) {
        depth = std::max(depth, types_[part.type - 1].depth + 1);
    }
    if (depth > most_depth) {
        return no_type;
    }
    Signature signature;
    for (const Item item : description.items) {
        signature = joined(signature, signature_of(item));
    }
    for (const TypePart& part : description.parts) {
        signature = joined(signature, repeated(repeated(types_[part.type - 1].signature, part.length), part.blocks));
    }
    types_.push_back({std::move(description), signature, depth});
    return static_cast<TypeNumber>(types_.size());
}

const Signature& TypeTable::signature(TypeNumber type) const {
    return type == no_type || type > types_.size() ? nothing_ : types_[type - 1].signature;
}

TypedData TypeTable::data(TypeNumber type, std::uint64_t count) const {
    const Signature all = repeated(signature(type), count);
    return all.says_something() ? TypedData{.hash = all.hash, .items = all.items, .type = type} : TypedData{};
}

TypeNumber TypeTable::only_basic(TypeNumber type) const {
    const Signature& all = signature(type);
    TypeNumber basic = type;
    while (basic != no_type && types_[basic - 1].description.maker != TypeMaker::named) {
        const std::vector<TypePart>& parts = types_[basic - 1].description.parts;
        const auto with_items = std::find_if(parts.begin(), parts.end(),
                                             [&](const TypePart& part) { return signature(part.type).items != 0; });
        basic = with_items == parts.end() ? no_type : with_items->type;
    }
    const bool alone =
        all.comparable && all.items != 0 && signature(basic).items == 1 && repeated(signature(basic), all.items) == all;
    return alone ? basic : no_type;
}

std::uint64_t TypeTable::hash_of_first(const TypedData& data, std::uint64_t items) const {
    const Signature& one = signature(data.type);
    if (one.items == 0) {
        return 0;
    }
    return joined(repeated(one, items / one.items), first_of(data.type, items % one.items)).hash;
}

/// Of fewer items than the datatype has.
Signature TypeTable::first_of(TypeNumber type, std::uint64_t items) const {
    Signature found;
    const TypeDescription& description = types_[type - 1].description;
    for (const Item item : description.items) {
        if (found.items == items) {
            return found;
        }
        found = joined(found, signature_of(item));
    }
    for (const TypePart& part : description.parts) {
        const Signature& each = types_[part.type - 1].signature;
        const std::uint64_t left = items - found.items;
        if (each.items == 0 || left == 0) {
            continue;
        }
        const std::uint64_t whole = std::min(left / each.items, part.blocks * part.length);
        found = joined(found, repeated(each, whole));
        if (whole < part.blocks * part.length) {
            return joined(found, first_of(part.type, items - found.items));
        }
    }
    return found;
}

bool begins_with(const TypeTable& table, const TypedData& received, const TypedData& sent) {
    return sent.items < received.items && table.hash_of_first(received, sent.items) == sent.hash;
}

/// The items of data one after the other. Basic datatypes of one item that follow one another are one step.
class TypeWalk {
public:
    TypeWalk(const TypeTable& table, const TypedData& data) : table_(table) {
        const std::uint64_t each = table.signature(data.type).items;
        if (each != 0) {
            whole_ = {.blocks = data.items / each, .length = 1, .type = data.type};
            enter(Frame{.maker = TypeMaker::named, .parts = &whole_, .end = &whole_ + 1, .whole = true});
        }
    }

    [[nodiscard]] bool over() const { return frames_.empty(); }
    [[nodiscard]] Item item() const { return leaf_->items[item_]; }
    /// Items like this one that follow without a break, this one included, and the bytes of them that are left.
    [[nodiscard]] std::uint64_t run() const { return leaf_->items.size() == 1 ? left_here() : 1; }
    [[nodiscard]] std::uint64_t bytes() const { return run() * size_of(item()) - offset_; }
    /// Whether bytes of the item are behind us already.
    [[nodiscard]] bool inside() const { return offset_ != 0; }

    /// At most run().
    void advance(std::uint64_t items) {
        if (leaf_->items.size() != 1) {
            if (++item_ != leaf_->items.size()) {
                return;
            }
            item_ = 0;
        }
        Frame& frame = frames_.back();
        frame.element += items;
        frame.block += frame.element / frame.parts->length;
        frame.element %= frame.parts->length;
        settle();
    }

    /// At most bytes().
    void advance_bytes(std::uint64_t bytes) {
        const std::uint64_t size = size_of(item());
        const std::uint64_t reached = offset_ + bytes;
        offset_ = reached % size;
        if (reached / size != 0) {
            advance(reached / size);
        }
    }

    [[nodiscard]] const std::string& name() const { return leaf_->name; }

    [[nodiscard]] std::string path() const {
        static constexpr std::array names{"", "contiguous", "vector", "indexed", "struct", "subarray", "darray"};
        std::string text;
        for (const Frame& frame : frames_) {
            if (frame.whole && frame.parts->blocks == 1) {
                continue;  // there is only one
            }
            text +=
                (text.empty() || frame.whole ? "" : ".") + std::string(names[static_cast<std::size_t>(frame.maker)]);
            text += "[" + std::to_string(frame.blocks_before + frame.block) + "]";
            if (frame.parts->length > 1) {
                text += "[" + std::to_string(frame.element) + "]";
            }
        }
        return text;
    }

private:
    /// Where the walk is in one datatype.
    struct Frame {
        TypeMaker maker;
        const TypePart* parts;  ///< the part that it is in
        const TypePart* end;
        bool whole = false;  ///< it is all of the data
        std::uint64_t blocks_before = 0;
        std::uint64_t block = 0;    ///< in the part
        std::uint64_t element = 0;  ///< in the block
    };

    [[nodiscard]] std::uint64_t left_here() const {
        const Frame& frame = frames_.back();
        return (frame.parts->blocks - frame.block) * frame.parts->length - frame.element;
    }

    void enter(const Frame& frame) {
        frames_.push_back(frame);
        settle();
    }

    /// Goes on to the next basic datatype that has items, from where the innermost frame stands.
    void settle() {
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            if (frame.parts != frame.end && (frame.block == frame.parts->blocks || frame.parts->length == 0 ||
                                             table_.signature(frame.parts->type).items == 0)) {
                frame.blocks_before += frame.parts->blocks;
                ++frame.parts;
                frame.block = frame.element = 0;
                continue;
            }
            if (frame.parts == frame.end) {
                frames_.pop_back();
                if (!frames_.empty()) {
                    Frame& outer = frames_.back();
                    if (++outer.element == outer.parts->length) {
                        outer.element = 0;
                        ++outer.block;
                    }
                }
                continue;
            }
            const TypeDescription& inner = table_.types_[frame.parts->type - 1].description;
            if (inner.maker == TypeMaker::named) {
                leaf_ = &inner;
                return;
            }
            frames_.push_back(
                {.maker = inner.maker, .parts = inner.parts.data(), .end = inner.parts.data() + inner.parts.size()});
        }
    }

    const TypeTable& table_;
    TypePart whole_;
    std::vector<Frame> frames_;
    const TypeDescription* leaf_ = nullptr;
    std::size_t item_ = 0;      ///< in the basic datatype
    std::uint64_t offset_ = 0;  ///< bytes of the item
};

std::optional<TypeDifference> difference(const TypeTable& table, const TypedData& data, const TypeTable& other_table,
                                         const TypedData& other, std::uint64_t most_steps) {
    if (!table.signature(data.type).says_something() || !other_table.signature(other.type).says_something()) {
        return std::nullopt;
    }
    TypeWalk one(table, data);
    TypeWalk two(other_table, other);
    for (std::uint64_t step = 0, item = 0; step != most_steps && !one.over() && !two.over(); ++step) {
        const bool aligned = !one.inside() && !two.inside();
        if (aligned && one.item() == two.item()) {
            const std::uint64_t same = std::min(one.run(), two.run());
            one.advance(same);
            two.advance(same);
            item += same;
            continue;
        }
        const bool bytes = kind_of(one.item()) == ItemKind::byte || kind_of(two.item()) == ItemKind::byte;
        if (aligned && !bytes) {
            return TypeDifference{.item = item,
                                  .path = one.path(),
                                  .name = one.name(),
                                  .other_path = two.path(),
                                  .other_name = two.name()};
        }
        // Behind MPI_BYTE nothing is said until both are at the beginning of an item again.
        const std::uint64_t skipped = std::min(one.bytes(), two.bytes());
        one.advance_bytes(skipped);
        two.advance_bytes(skipped);
        ++item;
    }
    return std::nullopt;
}

}  // namespace dampi::transport
