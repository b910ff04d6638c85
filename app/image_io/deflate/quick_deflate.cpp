#include "app/image_io/deflate/quick_deflate.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace tonescope::image_io {
namespace {

constexpr int kLiterals = 286, kDistances = 30, kLengthCodes = 19, kEndOfBlock = 256;
constexpr int kLongestCode = 12;  // so that four codes fit into a word beside seven bits that wait
constexpr int kLongestLengthCode = 7;
constexpr size_t kHeads_bytes = 4096;            // of blocks and codes, at most
constexpr size_t kShortest = 8, kLongest = 258;  // repetitions; shorter ones gain nothing beside short codes
constexpr uint64_t kHash = 0x9E3779B97F4A7C15;

uint64_t load_8(const uint8_t* from) {
    uint64_t word;
    std::memcpy(&word, from, 8);
    return word;
}

/// Of a length of a repetition or of a distance: the symbol, and what follows it.
struct Extra {
    uint16_t symbol;
    uint8_t bits;
    uint16_t base;
};

/// RFC 1951, 3.2.5: two symbols a bit for distances, four for lengths.
template <int kPerBit>
constexpr Extra extra_of(int from_0) {
    constexpr int kShift = std::countr_zero(unsigned(kPerBit));
    if (from_0 < 2 * kPerBit) return {uint16_t(from_0), 0, uint16_t(from_0)};
    const int bits = std::bit_width(unsigned(from_0)) - 1 - kShift;
    const int step = from_0 >> bits;
    return {uint16_t(bits * kPerBit + step), uint8_t(bits), uint16_t(step << bits)};
}

Extra length_code(size_t length) {
    if (length == kLongest) return {285, 0, 255};
    Extra extra = extra_of<4>(int(length) - 3);
    extra.symbol = uint16_t(extra.symbol + 257);
    return extra;
}

/// A prefix code; a symbol that does not occur has no length.
template <int kSymbols>
struct Code {
    std::array<uint8_t, kSymbols> lengths{};
    std::array<uint16_t, kSymbols> codes{};  // the first bit lowest
};

/// Lengths by Huffman's algorithm over sorted counts (two queues), then shortened to `longest` at the least loss that
/// moving single leaves allows.
template <int kSymbols>
Code<kSymbols> make_code(const std::array<uint32_t, kSymbols>& counts, int longest) {
    std::array<std::pair<uint32_t, uint16_t>, kSymbols> leaves;  // rarest first
    size_t used = 0;
    for (int s = 0; s < kSymbols; ++s)
        if (counts[size_t(s)] > 0) leaves[used++] = {counts[size_t(s)], uint16_t(s)};
    Code<kSymbols> code;
    if (used == 0) return code;
    std::sort(leaves.begin(), leaves.begin() + ptrdiff_t(used));

    std::array<int, 64> of_length{};  // codes
    if (used == 1) {
        of_length[1] = 1;
    } else {
        std::array<uint32_t, size_t{2} * kSymbols> weight{};
        std::array<uint16_t, size_t{2} * kSymbols> parent{};
        for (size_t i = 0; i < used; ++i) weight[i] = leaves[i].first;
        size_t leaf = 0, inner = used;
        for (size_t made = used; made < 2 * used - 1; ++made)
            for (int child = 0; child < 2; ++child) {
                const bool takes_leaf = leaf < used && (inner == made || weight[leaf] <= weight[inner]);
                const size_t taken = takes_leaf ? leaf++ : inner++;
                weight[made] += weight[taken];
                parent[taken] = uint16_t(made);
            }
        std::array<uint8_t, size_t{2} * kSymbols> depth{};
        for (size_t i = 2 * used - 2; i-- > 0;) {
            depth[i] = uint8_t(depth[parent[i]] + 1);
            if (i < used) ++of_length[size_t(std::min(int(depth[i]), 63))];
        }
    }
    for (size_t length = of_length.size() - 1; length > size_t(longest); --length)
        of_length[size_t(longest)] += std::exchange(of_length[length], 0);
    int64_t space = 0;
    for (int length = 1; length <= longest; ++length) space += int64_t(of_length[size_t(length)]) << (longest - length);
    for (; space > int64_t{1} << longest; --space) {
        int length = longest - 1;
        while (of_length[size_t(length)] == 0) --length;
        --of_length[size_t(length)];
        of_length[size_t(length) + 1] += 2;
        --of_length[size_t(longest)];
    }

    size_t next = 0;
    for (int length = longest; length > 0; --length)
        for (int i = 0; i < of_length[size_t(length)]; ++i) code.lengths[leaves[next++].second] = uint8_t(length);
    std::array<uint16_t, 16> first{};
    for (int length = 1; length < 15; ++length)
        first[size_t(length) + 1] = uint16_t((first[size_t(length)] + of_length[size_t(length)]) << 1);
    for (int s = 0; s < kSymbols; ++s) {
        const int length = code.lengths[size_t(s)];
        if (length == 0) continue;
        unsigned value = first[size_t(length)]++, reversed = 0;
        for (int i = 0; i < length; ++i, value >>= 1) reversed = reversed << 1 | (value & 1);
        code.codes[size_t(s)] = uint16_t(reversed);
    }
    return code;
}

/// The lengths of both codes, packed by RFC 1951, 3.2.7: symbols with what follows them.
std::vector<Extra> pack_lengths(std::span<const uint8_t> lengths) {
    std::vector<Extra> packed;
    for (size_t i = 0; i < lengths.size();) {
        const uint8_t length = lengths[i];
        size_t run = 1;
        while (i + run < lengths.size() && lengths[i + run] == length) ++run;
        i += run;
        if (length == 0) {
            while (run >= 3) {
                const size_t taken = std::min<size_t>(run, 138);
                if (taken >= 11)
                    packed.push_back({18, 7, uint16_t(taken - 11)});
                else
                    packed.push_back({17, 3, uint16_t(taken - 3)});
                run -= taken;
            }
        } else {
            packed.push_back({length, 0, 0});
            for (--run; run >= 3;) {
                const size_t taken = std::min<size_t>(run, 6);
                packed.push_back({16, 2, uint16_t(taken - 3)});
                run -= taken;
            }
        }
        packed.insert(packed.end(), run, {length, 0, 0});
    }
    return packed;
}

template <int kSymbols>
uint64_t bits_of(const std::array<uint32_t, kSymbols>& counts, const Code<kSymbols>& code) {
    uint64_t bits = 0;
    for (size_t s = 0; s < kSymbols; ++s) bits += uint64_t{counts[s]} * code.lengths[s];
    return bits;
}

}  // namespace

QuickDeflate::QuickDeflate(std::function<void(std::span<const uint8_t>)> write)
    : write_(std::move(write)),
      input_(kWindow_bytes + kBlock_bytes),
      last_seen_(size_t{1} << kHashBits),
      // Blocks are stored where their codes would take more.
      output_(kWindow_bytes + kBlock_bytes + kHeads_bytes) {
    out_ = output_.data();
    *out_++ = 0x78;  // deflate, 32 KiB
    *out_++ = 0x01;  // the fastest level, and the check
}

void QuickDeflate::add(std::span<const uint8_t> bytes) {
    checksum_ = libdeflate_adler32(checksum_, bytes.data(), bytes.size());
    while (!bytes.empty()) {
        if (filled_ == input_.size()) compress(false);
        const size_t taken = std::min(bytes.size(), input_.size() - filled_);
        std::memcpy(&input_[filled_], bytes.data(), taken);
        filled_ += taken;
        bytes = bytes.subspan(taken);
    }
}

void QuickDeflate::finish() {
    compress(true);
    put(0, -bit_count_ & 7);
    for (int shift = 24; shift >= 0; shift -= 8) put(checksum_ >> shift & 255, 8);
    write_out();
}

/// Makes a block of what has come since the last one, and keeps a window of it.
void QuickDeflate::compress(bool is_last) {
    find_sequences(filled_);
    write_block(is_last, filled_);
    write_out();
    const size_t dropped = filled_ - std::min(filled_, kWindow_bytes);
    if (dropped == 0) {
        begin_ = filled_;
        return;
    }
    std::memmove(input_.data(), &input_[dropped], filled_ - dropped);
    for (uint32_t& seen : last_seen_) seen = seen > dropped ? seen - uint32_t(dropped) : 0;
    filled_ -= dropped;
    begin_ = filled_;
}

/// Bits of a byte that is not whole yet wait.
void QuickDeflate::write_out() {
    write_({output_.data(), size_t(out_ - output_.data())});
    out_ = output_.data();
}

void QuickDeflate::find_sequences(size_t end) {
    constexpr int kMissesPerStep = 32, kLongestStep = 16;
    sequences_.clear();
    const uint8_t* const in = input_.data();
    size_t literal_from = begin_, at = begin_, misses = 0;
    while (at + kShortest <= end) {
        const uint64_t word = load_8(in + at);
        uint32_t& seen = last_seen_[word * kHash >> (64 - kHashBits)];
        const size_t before = std::exchange(seen, uint32_t(at + 1));
        if (before == 0 || at - (before - 1) > kWindow_bytes || load_8(in + before - 1) != word) {
            at += std::min<size_t>(1 + misses++ / kMissesPerStep, kLongestStep);
            continue;
        }
        misses = 0;
        size_t from = before - 1;
        const size_t distance = at - from;
        while (at > literal_from && from > 0 && in[at - 1] == in[from - 1]) --at, --from;
        size_t to = at + kShortest;
        while (to + 8 <= end) {
            const uint64_t differing = load_8(in + to) ^ load_8(in + to - distance);
            if (differing != 0) {
                to += size_t(std::countr_zero(differing)) / 8;
                break;
            }
            to += 8;
        }
        sequences_.push_back({uint32_t(at - literal_from), 0, uint32_t(distance)});
        for (size_t left = to - at; left > 0;) {
            // What is left behind a part must not be too short to be one.
            const size_t length = left <= kLongest ? left : std::min(kLongest, left - 3);
            if (left < to - at) sequences_.push_back({0, 0, uint32_t(distance)});
            sequences_.back().length = uint32_t(length);
            left -= length;
        }
        at = literal_from = to;
    }
    sequences_.push_back({uint32_t(end - literal_from), 0, 0});
}

void QuickDeflate::put(uint64_t bits, int count) {
    bits_ |= bits << bit_count_;
    bit_count_ += count;
    std::memcpy(out_, &bits_, 8);
    out_ += bit_count_ >> 3;
    bits_ >>= bit_count_ & ~7;
    bit_count_ &= 7;
}

void QuickDeflate::write_block(bool is_last, size_t end) {
    std::array<uint32_t, kLiterals> counts{};
    std::array<uint32_t, kDistances> distance_counts{};
    {
        // Equal bytes that follow each other would wait for one counter.
        std::array<std::array<uint32_t, 256>, 4> parts{};
        const uint8_t* at = &input_[begin_];
        for (const Sequence& sequence : sequences_) {
            uint32_t i = 0;
            for (; i + 4 <= sequence.literals; i += 4)
                for (size_t k = 0; k < 4; ++k) ++parts[k][at[i + k]];
            for (; i < sequence.literals; ++i) ++parts[0][at[i]];
            at += sequence.literals + sequence.length;
            if (sequence.length == 0) continue;
            ++counts[length_code(sequence.length).symbol];
            ++distance_counts[extra_of<2>(int(sequence.distance) - 1).symbol];
        }
        for (size_t v = 0; v < 256; ++v) counts[v] = parts[0][v] + parts[1][v] + parts[2][v] + parts[3][v];
    }
    counts[kEndOfBlock] = 1;
    const auto literals = make_code<kLiterals>(counts, kLongestCode);
    const auto distances = make_code<kDistances>(distance_counts, kLongestCode);

    const auto used = [](const auto& lengths, size_t least) {
        size_t n = lengths.size();
        while (n > least && lengths[n - 1] == 0) --n;
        return n;
    };
    const size_t literals_used = used(literals.lengths, 257), distances_used = used(distances.lengths, 1);
    std::vector<uint8_t> both(literals.lengths.begin(), literals.lengths.begin() + ptrdiff_t(literals_used));
    both.insert(both.end(), distances.lengths.begin(), distances.lengths.begin() + ptrdiff_t(distances_used));
    const std::vector<Extra> packed = pack_lengths(both);
    std::array<uint32_t, kLengthCodes> length_counts{};
    for (const Extra& symbol : packed) ++length_counts[symbol.symbol];
    const auto lengths = make_code<kLengthCodes>(length_counts, kLongestLengthCode);

    uint64_t bits = bits_of<kLiterals>(counts, literals) + bits_of<kDistances>(distance_counts, distances);
    for (const Sequence& sequence : sequences_)
        if (sequence.length > 0)
            bits += length_code(sequence.length).bits + extra_of<2>(int(sequence.distance) - 1).bits;
    if (bits / 8 >= end - begin_) return write_stored(is_last, end);

    put(is_last ? 1 : 0, 1);
    put(2, 2);  // codes of its own
    put(literals_used - 257, 5);
    put(distances_used - 1, 5);
    constexpr std::array<uint8_t, kLengthCodes> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                          11, 4,  12, 3, 13, 2, 14, 1, 15};
    size_t ordered = kOrder.size();
    while (ordered > 4 && lengths.lengths[kOrder[ordered - 1]] == 0) --ordered;
    put(ordered - 4, 4);
    for (size_t i = 0; i < ordered; ++i) put(lengths.lengths[kOrder[i]], 3);
    for (const Extra& symbol : packed) {
        put(lengths.codes[symbol.symbol], lengths.lengths[symbol.symbol]);
        put(symbol.base, symbol.bits);
    }

    std::array<uint32_t, 256> code_and_length;  // one look-up a byte
    for (size_t v = 0; v < 256; ++v) code_and_length[v] = uint32_t{literals.codes[v]} << 8 | literals.lengths[v];
    const uint8_t* at = &input_[begin_];
    for (const Sequence& sequence : sequences_) {
        const uint8_t* const literals_end = at + sequence.literals;
        for (; literals_end - at >= 4; at += 4) {
            uint64_t word = 0;
            uint32_t count = 0;
            for (int k = 0; k < 4; ++k) {
                const uint32_t entry = code_and_length[at[k]];
                word |= uint64_t{entry >> 8} << count;
                count += entry & 255;
            }
            put(word, int(count));
        }
        for (; at < literals_end; ++at) put(literals.codes[*at], literals.lengths[*at]);
        if (sequence.length == 0) continue;
        const Extra length = length_code(sequence.length), distance = extra_of<2>(int(sequence.distance) - 1);
        put(literals.codes[length.symbol], literals.lengths[length.symbol]);
        put(sequence.length - 3 - length.base, length.bits);
        put(distances.codes[distance.symbol], distances.lengths[distance.symbol]);
        put(sequence.distance - 1 - distance.base, distance.bits);
        at += sequence.length;
    }
    put(literals.codes[kEndOfBlock], literals.lengths[kEndOfBlock]);
}

/// As they are, in parts whose length 16 bits hold.
void QuickDeflate::write_stored(bool is_last, size_t end) {
    constexpr size_t kMost = 65535;
    for (size_t at = begin_; true;) {
        const size_t count = std::min(kMost, end - at);
        put(is_last && at + count == end ? 1 : 0, 1);
        put(0, 2);
        put(0, -bit_count_ & 7);
        put(count, 16);
        put(~count & 0xFFFF, 16);
        std::memcpy(out_, &input_[at], count);
        out_ += count;
        at += count;
        if (at == end) return;
    }
}

}  // namespace tonescope::image_io
