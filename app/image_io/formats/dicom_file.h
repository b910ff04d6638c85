// A DICOM file as DCMTK parses it: attributes, and the bytes of frames as they are stored.
#pragma once

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcfcache.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dctk.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/image_io/internal.h"

namespace tonescope::image_io {

/// What DCMTK reads: the file, or what was inflated of it.
struct DicomBytes {
    FileReader& file;
    std::vector<uint8_t> inflated = {};
    /// Of the frame that began to parse. Nested sequences are parsed by recursion, which a file must not drive too far.
    uintptr_t stack_top = 0;

    uint64_t size() const { return inflated.empty() ? file.size_bytes() : inflated.size(); }
    size_t read_at(uint64_t offset, std::span<uint8_t> to) noexcept;
};

class DicomFile {
  public:
    /// Throws UserError where this is no DICOM file, or a damaged one, Canceled, std::bad_alloc.
    explicit DicomFile(FileReader& file);

    /// "JPEG Baseline", or the UID where nobody knows its name.
    std::string coding() const;
    E_TransferSyntax syntax() const { return syntax_; }
    bool has(const DcmTagKey& tag) { return data_.tagExists(tag); }

    std::optional<int> number(const DcmTagKey& tag) { return number_in(data_, tag); }
    std::optional<double> decimal(const DcmTagKey& tag) { return decimal_in(data_, tag); }
    std::string text(const DcmTagKey& tag) { return text_in(data_, tag); }
    /// Numbers of 16 bits; none where there are none or more than the file can hold.
    std::vector<uint16_t> words(const DcmTagKey& tag);
    /// The item that holds what is said of a frame: that of the frame's own or of the shared functional group with this
    /// sequence, or all of the file.
    DcmItem& group_of(int frame, const DcmTagKey& sequence);

    static std::optional<int> number_in(DcmItem& item, const DcmTagKey& tag);
    static std::optional<double> decimal_in(DcmItem& item, const DcmTagKey& tag);
    static std::string text_in(DcmItem& item, const DcmTagKey& tag);

    /// Whether frames are compressed, each into a stream of its own.
    bool is_encapsulated() const { return fragments_ != nullptr; }
    /// How many frames there may be at most; `frame_bytes`: of one that is not compressed.
    uint64_t most_frames(uint64_t frame_bytes) const;
    /// Of the compressed frame. Throws UserError where the file does not tell them from those of others.
    std::vector<uint8_t> compressed(int frame, int frames, int max_side_px);
    /// A part of the pixels that are not compressed, as they are stored.
    void read_pixels(uint64_t offset, std::span<uint8_t> to);
    bool pixels_are_big_endian() const { return DcmXfer(syntax_).getPixelDataByteOrder() == EBO_BigEndian; }
    /// Whether the pixels are words of 16 bits, of which the order of bytes depends.
    bool pixels_are_words() const { return pixels_->getTag().getEVR() == EVR_OW; }

  private:
    void parse();
    void inflate_from(uint64_t offset);
    [[noreturn]] void refuse(const OFCondition& condition) const;

    DicomBytes bytes_;
    DcmMetaInfo head_;
    DcmDataset data_;
    std::string uid_;
    E_TransferSyntax syntax_ = EXS_Unknown;
    DcmPixelData* pixels_ = nullptr;
    DcmPixelSequence* fragments_ = nullptr;
    DcmFileCache cache_;
};

}  // namespace tonescope::image_io
