// What the user has open and chosen: images, operator, variant and parameters. No pixels are computed here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/image_io/image_io.h"
#include "app/system/file_watch.h"
#include "gpu/core/backend.h"

namespace tonescope {

struct OpenImage {
    enum class State : uint8_t { waiting, loading, ready, failed };  // waiting: opened when it is selected
    uint64_t id = 0;
    std::string path;
    State state = State::waiting;
    std::string error;
    std::shared_ptr<const HostImage> image;  // may be given back when memory is short; loaded again when selected
    ImageSpec spec;
    ImageDetails details;
    std::optional<FileStamp> stamp;  // of the file, when it was read
    uint64_t last_used = 0;
    std::stop_source loading;
    std::shared_ptr<FileProgress> progress;  // of the newest load

    std::string name() const;  // of the file
};

class Document {
  public:
    explicit Document(const RunSpec& initial);

    // Images
    const std::vector<OpenImage>& images() const { return images_; }
    int current_index() const { return current_; }
    const OpenImage* current() const { return current_ < 0 ? nullptr : &images_[size_t(current_)]; }
    OpenImage* find(uint64_t id);
    /// Differs whenever an image may have been added, removed or changed.
    uint64_t revision() const { return revision_; }
    /// Its place in images(); -1 where it is not open.
    int index_of(uint64_t id) const;
    OpenImage& add(const std::string& path);
    void select(int index);
    void close(int index);
    /// Takes another file in place of the current one.
    OpenImage& replace_current(const std::string& path);
    /// Takes back one that replace_current() took away.
    void put_back(uint64_t in_place_of, OpenImage image);
    /// Forgets pixels of images not used lately until at most max_bytes are held. The current image stays.
    void trim(size_t max_bytes);

    // Operator, variant, parameters: each operator and each variant keeps its own while others are chosen.
    const OperatorInfo* op() const { return op_; }
    const VariantInfo* variant(BackendKind backend) const;
    void set_operator(const OperatorInfo* op) { op_ = op; }
    void set_variant(const VariantInfo* variant);
    /// For the variants that fix no mode.
    void set_memory(MemoryMode memory) { memory_ = memory; }
    /// Parameters of operator and variant go back to their defaults.
    void reset_params(BackendKind backend);
    void set_param(const ParamInfo& info, bool of_variant, int32_t value, BackendKind backend);
    RunSpec run_spec(BackendKind backend) const;
    /// What is chosen, to come back to it.
    struct Choice {
        const OperatorInfo* op = nullptr;
        const VariantInfo* variant = nullptr;  // null: the operator has none on this backend
        ParamBlock params, variant_params;
        MemoryMode memory = MemoryMode::pinned;
        bool operator==(const Choice&) const = default;
    };
    Choice choice(BackendKind backend) const;
    void choose(const Choice& choice);
    /// Of every variant of the operator, in the ladder's order.
    std::vector<RunSpec> run_specs() const;

  private:
    std::vector<OpenImage> images_;
    int current_ = -1;
    uint64_t next_id_ = 1, use_clock_ = 0;
    uint64_t revision_ = 1;
    const OperatorInfo* op_;
    MemoryMode memory_ = MemoryMode::pinned;
    std::map<const OperatorInfo*, ParamBlock> params_;
    std::map<const VariantInfo*, ParamBlock> variant_params_;
    std::map<std::pair<const OperatorInfo*, BackendKind>, const VariantInfo*> variants_;
};

}  // namespace tonescope
