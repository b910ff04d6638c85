#include "app/image_io/formats/dicom_file.h"

#include <dcmtk/dcmdata/dcdicent.h>
#include <dcmtk/dcmdata/dcistrma.h>
#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

#include "app/image_io/decoding/decoding.h"
#include "gpu/core/free_memory.h"

namespace tonescope::image_io {
namespace {

struct DicomTag {
    uint16_t group, element;
    DcmEVR kind;
    const char* name;
};
/// What is read here of files that do not say what their values are. All else stays bytes that nobody looks at.
constexpr DicomTag kDicomTags[] = {
    {0x0008, 0x0060, EVR_CS, "Modality"},
    {0x0028, 0x0002, EVR_US, "SamplesPerPixel"},
    {0x0028, 0x0004, EVR_CS, "PhotometricInterpretation"},
    {0x0028, 0x0006, EVR_US, "PlanarConfiguration"},
    {0x0028, 0x0008, EVR_IS, "NumberOfFrames"},
    {0x0028, 0x0010, EVR_US, "Rows"},
    {0x0028, 0x0011, EVR_US, "Columns"},
    {0x0028, 0x0100, EVR_US, "BitsAllocated"},
    {0x0028, 0x0101, EVR_US, "BitsStored"},
    {0x0028, 0x0102, EVR_US, "HighBit"},
    {0x0028, 0x0103, EVR_US, "PixelRepresentation"},
    {0x0028, 0x1050, EVR_DS, "WindowCenter"},
    {0x0028, 0x1051, EVR_DS, "WindowWidth"},
    {0x0028, 0x1052, EVR_DS, "RescaleIntercept"},
    {0x0028, 0x1053, EVR_DS, "RescaleSlope"},
    {0x0028, 0x1054, EVR_LO, "RescaleType"},
    {0x0028, 0x1056, EVR_CS, "VOILUTFunction"},
    {0x0028, 0x1101, EVR_US, "RedPaletteColorLookupTableDescriptor"},
    {0x0028, 0x1102, EVR_US, "GreenPaletteColorLookupTableDescriptor"},
    {0x0028, 0x1103, EVR_US, "BluePaletteColorLookupTableDescriptor"},
    {0x0028, 0x1201, EVR_OW, "RedPaletteColorLookupTableData"},
    {0x0028, 0x1202, EVR_OW, "GreenPaletteColorLookupTableData"},
    {0x0028, 0x1203, EVR_OW, "BluePaletteColorLookupTableData"},
    {0x0028, 0x9132, EVR_SQ, "FrameVOILUTSequence"},
    {0x0028, 0x9145, EVR_SQ, "PixelValueTransformationSequence"},
    {0x5200, 0x9229, EVR_SQ, "SharedFunctionalGroupsSequence"},
    {0x5200, 0x9230, EVR_SQ, "PerFrameFunctionalGroupsSequence"},
    {0x7FE0, 0x0010, EVR_px, "PixelData"},
};

/// DCMTK's messages may hold what a file says of a patient, and its own dictionary takes 14 ms and a file to load.
void set_up_dcmtk() {
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);
    DcmDataDictionary& dictionary = dcmDataDict.wrlock();
    dictionary.reloadDictionaries(OFFalse, OFFalse);
    for (const DicomTag& tag : kDicomTags)
        dictionary.addEntry(new DcmDictEntry(tag.group, tag.element, DcmVR(tag.kind), tag.name, 1, DcmVariableVM,
                                             nullptr, OFTrue, nullptr));
    dcmDataDict.wrunlock();
}

std::once_flag is_set_up;

/// Of a stack of 8 MiB.
constexpr size_t kMostStack_bytes = size_t{1} << 20;
constexpr Uint32 kLoadedAtOnce_bytes = 4096;  // larger values stay in the file until somebody wants them

class DicomProducer final : public DcmProducer {
  public:
    DicomProducer(DicomBytes& bytes, uint64_t position) : bytes_(bytes), position_(position) {}

    OFBool good() const override { return !failed_; }
    OFCondition status() const override { return failed_ ? EC_InvalidStream : EC_Normal; }
    OFBool eos() override { return failed_ || position_ >= bytes_.size(); }
    offile_off_t avail() override { return failed_ ? 0 : offile_off_t(bytes_.size() - position_); }
    offile_off_t read(void* to, offile_off_t count) override {
        const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
        failed_ = failed_ || (bytes_.stack_top > here && bytes_.stack_top - here > kMostStack_bytes);
        if (failed_ || count <= 0) return 0;
        const size_t wanted = size_t(std::min<uint64_t>(uint64_t(count), bytes_.size() - position_));
        const size_t got = take({static_cast<uint8_t*>(to), wanted});
        position_ += got;
        failed_ = got < wanted;
        return offile_off_t(got);
    }
    offile_off_t skip(offile_off_t count) override {
        const auto skipped = std::min<uint64_t>(uint64_t(std::max<offile_off_t>(count, 0)), bytes_.size() - position_);
        position_ += skipped;
        return offile_off_t(skipped);
    }
    void putback(offile_off_t count) override {
        failed_ = failed_ || count < 0 || uint64_t(count) > position_;
        if (!failed_) position_ -= uint64_t(count);
    }
    uint64_t position() const { return position_; }
    DicomBytes& bytes() const { return bytes_; }

  private:
    /// Tags and lengths are read one by one.
    size_t take(std::span<uint8_t> to) {
        if (to.size() >= sizeof buffer_) return bytes_.read_at(position_, to);
        if (position_ < buffer_at_ || position_ + to.size() > buffer_at_ + buffered_) {
            buffer_at_ = position_;
            buffered_ = bytes_.read_at(position_, buffer_);
        }
        const size_t count = std::min(to.size(), buffered_);
        std::copy_n(buffer_ + (position_ - buffer_at_), count, to.data());
        return count;
    }

    DicomBytes& bytes_;
    uint64_t position_;
    bool failed_ = false;
    uint8_t buffer_[4096];
    uint64_t buffer_at_ = 0;
    size_t buffered_ = 0;
};

class DicomStream final : public DcmInputStream {
  public:
    DicomStream(DicomBytes& bytes, uint64_t position) : DcmInputStream(&producer_), producer_(bytes, position) {}
    DcmInputStreamFactory* newFactory() const override;
    uint64_t position() const { return producer_.position(); }

  private:
    DicomProducer producer_;
};

class DicomStreamFactory final : public DcmInputStreamFactory {
  public:
    DicomStreamFactory(DicomBytes& bytes, uint64_t position) : bytes_(bytes), position_(position) {}
    DcmInputStream* create() const override { return new DicomStream(bytes_, position_); }
    DcmInputStreamFactory* clone() const override { return new DicomStreamFactory(bytes_, position_); }
    DcmInputStreamFactoryType ident() const override { return DFT_DcmInputFileStreamFactory; }

  private:
    DicomBytes& bytes_;
    const uint64_t position_;
};

DcmInputStreamFactory* DicomStream::newFactory() const {
    return new DicomStreamFactory(producer_.bytes(), producer_.position());
}

}  // namespace

void prepare_decoding() {
    setenv("DCMDICTPATH", "/dev/null", 1);
    unsetenv("OPJ_NUM_THREADS");  // OpenJPEG would start threads, to which the process has no right
    std::call_once(is_set_up, set_up_dcmtk);
}

size_t DicomBytes::read_at(uint64_t offset, std::span<uint8_t> to) noexcept {
    if (inflated.empty()) return file.read_at(offset, to);
    if (offset >= inflated.size() || file.stopped()) return 0;
    const size_t count = std::min<size_t>(to.size(), inflated.size() - offset);
    std::copy_n(inflated.data() + offset, count, to.data());
    return count;
}

DicomFile::DicomFile(FileReader& file) : bytes_{file} {
    std::call_once(is_set_up, set_up_dcmtk);
    bytes_.stack_top = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    parse();
    bytes_.stack_top = 0;
    file.check();
}

void DicomFile::refuse(const OFCondition& condition) const {
    bytes_.file.check();
    if (condition == EC_MemoryExhausted) throw std::bad_alloc();
    refuse_damaged(condition == EC_StreamNotifyClient || condition == EC_InvalidStream || condition == EC_EndOfStream
                       ? "it ends too early"
                       : clean_text(condition.text()));
}

void DicomFile::parse() {
    DicomStream stream(bytes_, 0);
    head_.transferInit();
    const OFCondition head_read = head_.read(stream, EXS_Unknown, EGL_noChange, kLoadedAtOnce_bytes);
    head_.transferEnd();
    if (head_read.bad()) refuse(head_read);
    uid_ = text_in(head_, DCM_TransferSyntaxUID);
    DcmXfer syntax(uid_.c_str());
    if (!uid_.empty() && syntax.getXfer() == EXS_Unknown)
        throw UserError("DICOM with " + coding() + " is not supported; convert it with dcmdjpeg or gdcmconv");
    std::optional<DicomStream> inflated;
    if (syntax.getStreamCompression() == ESC_zlib) {
        inflate_from(stream.position());
        inflated.emplace(bytes_, 0);
        syntax = EXS_LittleEndianExplicit;
    }
    // Where it is not clear whether elements say what their values are, the first one shows it: some programs leave
    // that out where pixels are compressed too.
    E_TransferSyntax encoding = syntax.getXfer();
    std::array<uint8_t, 6> first{};
    if ((uid_.empty() || syntax.isEncapsulated()) && bytes_.read_at(stream.position(), first) == first.size()) {
        const auto is_capital = [](uint8_t c) { return c >= 'A' && c <= 'Z'; };
        if (!is_capital(first[4]) || !is_capital(first[5])) {
            encoding = EXS_LittleEndianImplicit;
        } else if (uid_.empty()) {
            encoding = EXS_LittleEndianExplicit;
        }
    }
    data_.transferInit();
    // What follows the pixels is of no use.
    const OFCondition read = data_.readUntilTag(inflated ? *inflated : stream, encoding, EGL_noChange,
                                                kLoadedAtOnce_bytes, DcmTagKey(0x7FE0, 0x0011));
    data_.transferEnd();
    if (read.bad()) refuse(read);
    syntax_ = syntax.isEncapsulated() ? syntax.getXfer() : data_.getOriginalXfer();
    DcmElement* element = nullptr;
    if (data_.findAndGetElement(DCM_PixelData, element).bad()) {
        if (has(DCM_FloatPixelData) || has(DCM_DoubleFloatPixelData))
            throw UserError("DICOM with floating-point pixels is not supported; save it as TIFF");
        throw UserError("this DICOM file holds no image");
    }
    pixels_ = dynamic_cast<DcmPixelData*>(element);
    if (pixels_ == nullptr) refuse_damaged("its pixels are of another kind");
    E_TransferSyntax original = EXS_Unknown;
    const DcmRepresentationParameter* parameter = nullptr;
    pixels_->getOriginalRepresentationKey(original, parameter);
    if (pixels_->getEncapsulatedRepresentation(original, parameter, fragments_).bad()) fragments_ = nullptr;
    if (DcmXfer(syntax_).isEncapsulated() != (fragments_ != nullptr))
        refuse_damaged("its pixels are not as its transfer syntax says");
}

void DicomFile::inflate_from(uint64_t offset) {
    std::vector<uint8_t> packed(size_t(bytes_.file.size_bytes() - std::min(offset, bytes_.file.size_bytes())));
    packed.resize(bytes_.file.read_at(offset, packed));
    bytes_.file.check();
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (!inflater) throw std::bad_alloc();
    std::vector<uint8_t> inflated;
    for (size_t room = 4 * packed.size() + kLoadedAtOnce_bytes;; room *= 4) {
        check_memory(room);
        inflated.resize(room);
        size_t done = 0;
        const libdeflate_result result = libdeflate_deflate_decompress(inflater.get(), packed.data(), packed.size(),
                                                                       inflated.data(), inflated.size(), &done);
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE) continue;
        if (result != LIBDEFLATE_SUCCESS || done == 0) refuse_damaged("what is deflated cannot be inflated");
        inflated.resize(done);
        break;
    }
    bytes_.inflated = std::move(inflated);
}

std::string DicomFile::coding() const {
    const DcmXfer syntax(uid_.c_str());
    std::string name = syntax.getXfer() == EXS_Unknown ? "the transfer syntax " + uid_ : syntax.getXferName();
    return clean_text(name);
}

std::optional<int> DicomFile::number_in(DcmItem& item, const DcmTagKey& tag) {
    DcmElement* element = nullptr;
    if (item.findAndGetElement(tag, element).bad()) return {};
    Uint16 word = 0;
    if (element->getUint16(word).good()) return word;
    Sint32 number = 0;
    if (element->getSint32(number).good()) return number;
    return {};
}

std::optional<double> DicomFile::decimal_in(DcmItem& item, const DcmTagKey& tag) {
    Float64 number = 0;
    if (item.findAndGetFloat64(tag, number).bad() || !std::isfinite(number)) return {};
    return number;
}

std::string DicomFile::text_in(DcmItem& item, const DcmTagKey& tag) {
    OFString text;
    if (item.findAndGetOFString(tag, text).bad()) return {};
    return clean_text({text.data(), text.size()});
}

std::vector<uint16_t> DicomFile::words(const DcmTagKey& tag) {
    DcmElement* element = nullptr;
    if (data_.findAndGetElement(tag, element).bad()) return {};
    std::vector<uint16_t> words(element->getLength() / 2);
    const OFCondition read =
        element->getPartialValue(words.data(), 0, Uint32(2 * words.size()), nullptr, gLocalByteOrder);
    if (read.bad()) refuse(read);
    return words;
}

DcmItem& DicomFile::group_of(int frame, const DcmTagKey& sequence) {
    DcmItem *groups = nullptr, *group = nullptr;
    for (const auto& [all, index] :
         {std::pair{DCM_PerFrameFunctionalGroupsSequence, frame}, {DCM_SharedFunctionalGroupsSequence, 0}})
        if (data_.findAndGetSequenceItem(all, groups, index).good() &&
            groups->findAndGetSequenceItem(sequence, group, 0).good())
            return *group;
    return data_;
}

uint64_t DicomFile::most_frames(uint64_t frame_bytes) const {
    if (is_encapsulated()) return fragments_->card() - std::min<uint64_t>(fragments_->card(), 1);
    return pixels_->getLength() / std::max<uint64_t>(frame_bytes, 1);
}

std::vector<uint8_t> DicomFile::compressed(int frame, int frames, int max_side_px) {
    // The first one is a table of where frames begin, which may be empty.
    std::vector<DcmPixelItem*> items;
    std::vector<uint64_t> begins;
    uint64_t end = 0;
    for (DcmObject* object = nullptr; (object = fragments_->nextInContainer(object)) != nullptr;) {
        auto* const item = dynamic_cast<DcmPixelItem*>(object);
        if (item == nullptr) refuse_damaged("its pixels are of another kind");
        if (!items.empty()) {
            begins.push_back(end);
            end += 8 + item->getLength();
        }
        items.push_back(item);
    }
    if (items.size() < 2) refuse_damaged("it has no pixels");
    const auto read = [&](DcmPixelItem& item, std::span<uint8_t> to) {
        const OFCondition done = item.getPartialValue(to.data(), 0, Uint32(to.size()), &cache_, EBO_LittleEndian);
        if (done.bad()) refuse(done);
    };
    size_t first = 0, last = begins.size();
    if (frames > 1 && begins.size() == size_t(frames)) {
        first = size_t(frame), last = first + 1;
    } else if (frames > 1) {
        std::vector<uint8_t> table(items[0]->getLength());
        if (table.size() != 4 * size_t(frames)) refuse_damaged("it does not say where its frames begin");
        read(*items[0], table);
        const auto find = [&](int of) {
            const auto found = std::ranges::find(begins, little_endian<4>(&table[4 * size_t(of)]));
            if (found == begins.end()) refuse_damaged("it does not say where its frames begin");
            return size_t(found - begins.begin());
        };
        first = find(frame);
        if (frame + 1 < frames) last = find(frame + 1);
    }
    uint64_t total = 0;
    for (size_t i = first; i < last; ++i) total += items[i + 1]->getLength();
    if (total == 0) refuse_damaged("a frame is empty");
    check_decoding(max_side_px, total);
    std::vector<uint8_t> bytes(total);
    size_t done = 0;
    for (size_t i = first; i < last; ++i) {
        read(*items[i + 1], std::span(bytes).subspan(done, items[i + 1]->getLength()));
        done += items[i + 1]->getLength();
    }
    return bytes;
}

void DicomFile::read_pixels(uint64_t offset, std::span<uint8_t> to) {
    if (offset + to.size() > pixels_->getLength()) refuse_damaged("it ends too early");
    const OFCondition read = pixels_->getPartialValue(to.data(), Uint32(offset), Uint32(to.size()), &cache_,
                                                      DcmXfer(syntax_).getPixelDataByteOrder());
    if (read.bad()) refuse(read);
}

}  // namespace tonescope::image_io
