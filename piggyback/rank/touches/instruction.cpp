#include "piggyback/rank/touches/instruction.hpp"

#include "launch/program/preload.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include <Zydis/Zydis.h>
#include <cpuid.h>
#include <dlfcn.h>

namespace dampi::piggyback {
namespace {

/// Parts of what XSAVE saves, by their numbers.
enum Part : unsigned { upper_halves = 2, masks = 5, upper_of_lower_16 = 6, upper_16 = 7 };
constexpr std::size_t parts = 8;
constexpr std::size_t legacy_xmm = 160;
constexpr std::size_t legacy_size = 512;  ///< behind it stands which parts are there

struct {
    decltype(&ZydisDecoderDecodeFull) decode = nullptr;
    ZydisDecoder decoder{};
    std::array<std::uint32_t, parts> offsets{};  ///< of the parts; 0: the processor has none
} constinit known;

struct Decoded {
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
};

/// Of the registers that addresses are made of; nothing for others.
std::optional<std::uint64_t> value_of(ZydisRegister name, const gregset_t& registers) {
    constexpr std::array<int, 16> places{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                         REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    if (name == ZYDIS_REGISTER_NONE) {
        return 0;
    }
    if (name >= ZYDIS_REGISTER_RAX && name <= ZYDIS_REGISTER_R15) {
        return static_cast<std::uint64_t>(registers[places[name - ZYDIS_REGISTER_RAX]]);
    }
    if (name >= ZYDIS_REGISTER_EAX && name <= ZYDIS_REGISTER_R15D) {
        return static_cast<std::uint32_t>(registers[places[name - ZYDIS_REGISTER_EAX]]);
    }
    return std::nullopt;
}

// ---- vectors and masks -----------------------------------------------------------------------------------

/// `size` bytes at `offset` of a part; zeros where the processor has not saved it, for then it is in its first state.
bool copy_part(const SavedRegisters& registers, Part part, std::size_t offset, std::size_t size, std::uint8_t* into) {
    std::uint64_t present = 0;
    if (registers.extended_size < legacy_size + sizeof present || known.offsets[part] == 0 ||
        known.offsets[part] + offset + size > registers.extended_size) {
        return false;
    }
    std::memcpy(&present, registers.extended + legacy_size, sizeof present);
    if ((present >> part & 1) == 0) {
        std::memset(into, 0, size);
    } else {
        std::memcpy(into, registers.extended + known.offsets[part] + offset, size);
    }
    return true;
}

using Vector = std::array<std::uint8_t, 64>;

std::optional<Vector> vector_of(ZydisRegister name, const SavedRegisters& registers) {
    Vector value{};
    std::size_t number = 0;
    std::size_t size = 0;
    for (const auto& [first, length] :
         {std::pair(ZYDIS_REGISTER_XMM0, 16), {ZYDIS_REGISTER_YMM0, 32}, {ZYDIS_REGISTER_ZMM0, 64}}) {
        if (name >= first && name < first + 32) {
            number = static_cast<std::size_t>(name - first);
            size = static_cast<std::size_t>(length);
        }
    }
    if (size == 0 || registers.extended_size < legacy_size) {
        return std::nullopt;
    }
    if (number >= 16) {
        return copy_part(registers, upper_16, (number - 16) * 64, size, value.data()) ? std::optional(value)
                                                                                      : std::nullopt;
    }
    std::memcpy(value.data(), registers.extended + legacy_xmm + 16 * number, 16);
    const bool known_well = (size < 32 || copy_part(registers, upper_halves, 16 * number, 16, value.data() + 16)) &&
                            (size < 64 || copy_part(registers, upper_of_lower_16, 32 * number, 32, value.data() + 32));
    return known_well ? std::optional(value) : std::nullopt;
}

/// One bit for each element of which `name` says that it counts, a mask or a vector whose elements' highest bits do.
std::optional<std::uint64_t> mask_of(ZydisRegister name, std::size_t element_size, std::size_t elements,
                                     const SavedRegisters& registers) {
    const std::uint64_t all = elements >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << elements) - 1;
    if (name >= ZYDIS_REGISTER_K0 && name <= ZYDIS_REGISTER_K7) {
        std::uint64_t bits = 0;
        const auto number = static_cast<std::size_t>(name - ZYDIS_REGISTER_K0);
        return copy_part(registers, masks, sizeof bits * number, sizeof bits, reinterpret_cast<std::uint8_t*>(&bits))
                   ? std::optional(bits & all)
                   : std::nullopt;
    }
    const auto vector = vector_of(name, registers);
    if (!vector || element_size == 0 || element_size * elements > vector->size()) {
        return std::nullopt;
    }
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < elements; ++i) {
        bits |= std::uint64_t{((*vector)[(i + 1) * element_size - 1] & 0x80U) != 0 ? 1U : 0U} << i;
    }
    return bits;
}

bool selects_by_vector(ZydisMnemonic mnemonic) {
    return mnemonic == ZYDIS_MNEMONIC_VMASKMOVPS || mnemonic == ZYDIS_MNEMONIC_VMASKMOVPD ||
           mnemonic == ZYDIS_MNEMONIC_VPMASKMOVD || mnemonic == ZYDIS_MNEMONIC_VPMASKMOVQ;
}

/// Those whose elements lie elsewhere in memory than in the vector.
bool is_packed_by_mask(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_VCOMPRESSPD:
        case ZYDIS_MNEMONIC_VCOMPRESSPS:
        case ZYDIS_MNEMONIC_VPCOMPRESSB:
        case ZYDIS_MNEMONIC_VPCOMPRESSW:
        case ZYDIS_MNEMONIC_VPCOMPRESSD:
        case ZYDIS_MNEMONIC_VPCOMPRESSQ:
        case ZYDIS_MNEMONIC_VEXPANDPD:
        case ZYDIS_MNEMONIC_VEXPANDPS:
        case ZYDIS_MNEMONIC_VPEXPANDB:
        case ZYDIS_MNEMONIC_VPEXPANDW:
        case ZYDIS_MNEMONIC_VPEXPANDD:
        case ZYDIS_MNEMONIC_VPEXPANDQ:
            return true;
        default:
            return false;
    }
}

bool has_mask(const ZydisDecodedInstruction& instruction) {
    return instruction.avx.mask.reg != ZYDIS_REGISTER_NONE && instruction.avx.mask.reg != ZYDIS_REGISTER_K0;
}

/// Which register says which elements count; none: all do.
ZydisRegister selecting_register(const Decoded& decoded) {
    constexpr std::size_t of_vectors = 1;  // behind the destination
    return selects_by_vector(decoded.instruction.mnemonic) ? decoded.operands[of_vectors].reg.value
           : has_mask(decoded.instruction)                 ? decoded.instruction.avx.mask.reg
                                                           : ZYDIS_REGISTER_NONE;
}

// ---- addresses -------------------------------------------------------------------------------------------

/// Of the operand, but for its index.
std::optional<std::uint64_t> base_of(const Decoded& decoded, const ZydisDecodedOperand& operand,
                                     const SavedRegisters& registers) {
    const ZydisDecodedOperandMem& memory = operand.mem;
    const bool counts_from_here = memory.base == ZYDIS_REGISTER_RIP || memory.base == ZYDIS_REGISTER_EIP;
    const auto base =
        counts_from_here
            ? std::optional(static_cast<std::uint64_t>(registers.general[REG_RIP]) + decoded.instruction.length)
            : value_of(memory.base, registers.general);
    if (!base || memory.segment == ZYDIS_REGISTER_GS) {
        return std::nullopt;
    }
    return *base + (memory.disp.has_displacement != 0 ? static_cast<std::uint64_t>(memory.disp.value) : 0);
}

std::uint64_t in_segment(const Decoded& decoded, const ZydisDecodedOperand& operand, const SavedRegisters& registers,
                         std::uint64_t address) {
    if (decoded.instruction.address_width == 32) {
        address &= 0xffff'ffff;
    }
    return operand.mem.segment == ZYDIS_REGISTER_FS ? address + registers.thread : address;
}

std::optional<std::uint64_t> address_of(const Decoded& decoded, const ZydisDecodedOperand& operand,
                                        const SavedRegisters& registers) {
    const ZydisDecodedOperandMem& memory = operand.mem;
    const auto base = base_of(decoded, operand, registers);
    const auto index = value_of(memory.index, registers.general);
    if (!base || !index) {
        return std::nullopt;
    }
    std::uint64_t address = *base + *index * memory.scale;
    const bool on_stack = memory.base == ZYDIS_REGISTER_RSP;
    const bool is_hidden = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    const std::uint64_t size = operand.size / 8;
    if (on_stack && is_hidden && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) {
        address -= size;  // what is pushed
    } else if (on_stack && !is_hidden && decoded.instruction.mnemonic == ZYDIS_MNEMONIC_POP) {
        address += size;
    }
    return in_segment(decoded, operand, registers, address);
}

bool is_repeated(const ZydisDecodedInstruction& instruction) {
    constexpr ZydisInstructionAttributes any = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    return (instruction.attributes & any) != 0;
}

/// Makes of the first of its elements all that are surely looked at.
void repeat(const ZydisDecodedInstruction& instruction, const gregset_t& registers, MemoryAccess& access) {
    const std::uint64_t times = instruction.address_width == 32 ? static_cast<std::uint32_t>(registers[REG_RCX])
                                                                : static_cast<std::uint64_t>(registers[REG_RCX]);
    // Those that compare may end early.
    constexpr ZydisInstructionAttributes compares = ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    const std::uint64_t certain = (instruction.attributes & compares) != 0 ? std::min<std::uint64_t>(times, 1) : times;
    constexpr std::int64_t downwards = 0x400;
    std::uint64_t size = 0;
    if (certain == 0 || __builtin_mul_overflow(certain, access.size, &size)) {
        access.size = 0;
        return;
    }
    if ((registers[REG_EFL] & downwards) != 0) {
        access.begin -= size - access.size;
    }
    access.size = size;
}

void add(InstructionAccesses& found, const MemoryAccess& access) {
    if (access.size == 0) {
        return;
    }
    if (found.count == InstructionAccesses::most) {
        found.is_partial = true;
        return;
    }
    found.all[found.count++] = access;
}

/// The operand's elements lie where a vector says, each elsewhere.
void add_scattered(const Decoded& decoded, const ZydisDecodedOperand& operand, const SavedRegisters& registers,
                   MemoryAccess access, InstructionAccesses& found) {
    // Zydis tells the size of one.
    const ZydisRegister index_name = operand.mem.index;
    const auto base = base_of(decoded, operand, registers);
    const auto indices = vector_of(index_name, registers);
    const bool by_vector = decoded.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;
    const ZydisRegister selecting = by_vector ? decoded.operands[2].reg.value : decoded.instruction.avx.mask.reg;
    const ZydisMnemonic name = decoded.instruction.mnemonic;
    const bool wide_index = name == ZYDIS_MNEMONIC_VPGATHERQD || name == ZYDIS_MNEMONIC_VPGATHERQQ ||
                            name == ZYDIS_MNEMONIC_VGATHERQPS || name == ZYDIS_MNEMONIC_VGATHERQPD ||
                            name == ZYDIS_MNEMONIC_VPSCATTERQD || name == ZYDIS_MNEMONIC_VPSCATTERQQ ||
                            name == ZYDIS_MNEMONIC_VSCATTERQPS || name == ZYDIS_MNEMONIC_VSCATTERQPD;
    const bool wide_element = name == ZYDIS_MNEMONIC_VPGATHERDQ || name == ZYDIS_MNEMONIC_VPGATHERQQ ||
                              name == ZYDIS_MNEMONIC_VGATHERDPD || name == ZYDIS_MNEMONIC_VGATHERQPD ||
                              name == ZYDIS_MNEMONIC_VPSCATTERDQ || name == ZYDIS_MNEMONIC_VPSCATTERQQ ||
                              name == ZYDIS_MNEMONIC_VSCATTERDPD || name == ZYDIS_MNEMONIC_VSCATTERQPD;
    const std::size_t vector = decoded.instruction.avx.vector_length / 8;
    const std::size_t index_size = wide_index ? 8 : 4;
    access.size = wide_element ? 8 : 4;
    const std::size_t elements = vector / std::max<std::size_t>(index_size, access.size);
    const auto selected = mask_of(selecting, access.size, elements, registers);
    if (!base || !indices || !selected) {
        found.is_partial = true;
        return;
    }
    for (std::size_t i = 0; i < elements; ++i) {
        if ((*selected >> i & 1) == 0) {
            continue;
        }
        std::int64_t index = 0;
        if (wide_index) {
            std::memcpy(&index, indices->data() + 8 * i, sizeof index);
        } else {
            std::int32_t narrow = 0;
            std::memcpy(&narrow, indices->data() + 4 * i, sizeof narrow);
            index = narrow;
        }
        access.begin =
            in_segment(decoded, operand, registers, *base + static_cast<std::uint64_t>(index) * operand.mem.scale);
        add(found, access);
    }
}

/// Only those elements that a register selects; where these are several pieces, each.
void add_selected(const Decoded& decoded, const ZydisDecodedOperand& operand, ZydisRegister selecting,
                  const SavedRegisters& registers, MemoryAccess access, InstructionAccesses& found) {
    const std::size_t elements = operand.element_count;
    const std::size_t element_size = operand.element_size / 8;
    const bool is_broadcast = decoded.instruction.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID;
    const auto selected = elements == 0 || element_size == 0 || is_broadcast || elements > 64
                              ? std::nullopt
                              : mask_of(selecting, element_size, elements, registers);
    if (!selected) {
        found.is_partial = true;
        return;
    }
    const std::uint64_t begin = access.begin;
    if (is_packed_by_mask(decoded.instruction.mnemonic)) {
        access.size = static_cast<std::uint64_t>(std::popcount(*selected)) * element_size;
        add(found, access);
        return;
    }
    for (std::size_t i = 0; i < elements;) {
        const auto skipped = static_cast<std::size_t>(std::countr_zero(*selected >> i));
        i += skipped;
        if (i >= elements) {
            break;
        }
        const auto length = static_cast<std::size_t>(std::countr_one(*selected >> i));
        access.begin = begin + i * element_size;
        access.size = length * element_size;
        add(found, access);
        i += length;
    }
}

void add_operand(const Decoded& decoded, const ZydisDecodedOperand& operand, const SavedRegisters& registers,
                 InstructionAccesses& found) {
    const ZydisDecodedInstruction& instruction = decoded.instruction;
    MemoryAccess access{.begin = 0,
                        .size = std::uint64_t{operand.size} / 8,
                        .reads = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0,
                        .writes = (operand.actions & ZYDIS_OPERAND_ACTION_WRITE) != 0};
    // What is written if a mask says so, or as often as a counter says.
    const bool may_write = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
        access.writes = may_write;
        add_scattered(decoded, operand, registers, access, found);
        return;
    }
    const auto address = operand.mem.type == ZYDIS_MEMOP_TYPE_MEM && operand.size != 0
                             ? address_of(decoded, operand, registers)
                             : std::nullopt;
    const bool is_unknown = instruction.mnemonic == ZYDIS_MNEMONIC_MASKMOVQ ||
                            instruction.mnemonic == ZYDIS_MNEMONIC_MASKMOVDQU ||
                            instruction.mnemonic == ZYDIS_MNEMONIC_VMASKMOVDQU;
    if (!address || is_unknown) {
        found.is_partial = true;
        return;
    }
    access.begin = *address;
    if (const ZydisRegister selecting = selecting_register(decoded); selecting != ZYDIS_REGISTER_NONE) {
        access.writes = may_write;
        add_selected(decoded, operand, selecting, registers, access, found);
        return;
    }
    if (is_repeated(instruction)) {
        access.writes = may_write;
        repeat(instruction, registers.general, access);
    }
    add(found, access);
}

/// What the flag that stops the processor would be seen in, or keeps from being seen.
bool steps(const ZydisDecodedInstruction& instruction) {
    constexpr std::array others{ZYDIS_MNEMONIC_PUSHF, ZYDIS_MNEMONIC_PUSHFQ,  ZYDIS_MNEMONIC_POPF,
                                ZYDIS_MNEMONIC_POPFQ, ZYDIS_MNEMONIC_SYSCALL, ZYDIS_MNEMONIC_INT,
                                ZYDIS_MNEMONIC_INT1,  ZYDIS_MNEMONIC_INT3,    ZYDIS_MNEMONIC_IRETQ};
    return !is_repeated(instruction) && std::find(others.begin(), others.end(), instruction.mnemonic) == others.end();
}

template <typename Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

void find_offsets() noexcept {
    constexpr unsigned leaf = 13;
    for (const Part part : {upper_halves, masks, upper_of_lower_16, upper_16}) {
        unsigned size = 0;
        unsigned offset = 0;
        unsigned ignored = 0;
        if (__get_cpuid_count(leaf, part, &size, &offset, &ignored, &ignored) != 0 && size != 0) {
            known.offsets[part] = offset;
        }
    }
}

}  // namespace

SavedRegisters registers_of(const ucontext_t& context) noexcept {
    // As the kernel leaves them (its struct _fpx_sw_bytes, at the end of the part that is always there).
    constexpr std::size_t description = 464;
    constexpr std::uint32_t magic = 0x4650'5853;
    struct {
        std::uint32_t magic;
        std::uint32_t extended_size;
        std::uint64_t features;
        std::uint32_t size;
    } told{};
    SavedRegisters registers{.general = context.uc_mcontext.gregs,
                             .thread = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer())};
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.fpregs);
    if (bytes != nullptr) {
        std::memcpy(&told, bytes + description, sizeof told);
        registers.extended = bytes;
        registers.extended_size = told.magic == magic ? told.size : legacy_size;
    }
    return registers;
}

bool find_decoder() noexcept {
    if (known.decode == nullptr) {
        void* const library = dlopen(launch::decoder_library, RTLD_NOW | RTLD_NOLOAD);
        decltype(&ZydisDecoderInit) begin = nullptr;
        decltype(&ZydisDecoderDecodeFull) decode = nullptr;
        if (library != nullptr && find(library, "ZydisDecoderInit", begin) &&
            find(library, "ZydisDecoderDecodeFull", decode) &&
            ZYAN_SUCCESS(begin(&known.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64))) {
            known.decode = decode;
            find_offsets();
        }
    }
    return known.decode != nullptr;
}

InstructionAccesses accesses_of(const std::uint8_t* bytes, std::size_t size, const SavedRegisters& registers) noexcept {
    InstructionAccesses found;
    Decoded decoded;
    if (!ZYAN_SUCCESS(known.decode(&known.decoder, bytes, std::min<std::size_t>(size, ZYDIS_MAX_INSTRUCTION_LENGTH),
                                   &decoded.instruction, decoded.operands.data()))) {
        found.is_partial = true;
        found.steps = false;
        return found;
    }
    found.steps = steps(decoded.instruction);
    for (std::size_t i = 0; i < decoded.instruction.operand_count; ++i) {
        const ZydisDecodedOperand& operand = decoded.operands[i];
        if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN) {
            add_operand(decoded, operand, registers, found);
        }
    }
    return found;
}

}  // namespace dampi::piggyback
