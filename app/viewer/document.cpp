#include "app/viewer/document.h"

#include <algorithm>
#include <filesystem>

namespace tonescope {

std::string OpenImage::name() const {
    return std::filesystem::path(path).filename().string();
}

Document::Document(const RunSpec& initial) : op_(initial.op) {
    for (const OperatorInfo* op : operators()) {
        params_[op] = default_values(op->params);
        for (const VariantInfo* variant : variants_of(op->id))
            variant_params_[variant] = default_values(variant->params);
    }
    params_[initial.op] = initial.params;
    variant_params_[initial.variant] = initial.variant_params;
    set_variant(initial.variant);
}

OpenImage* Document::find(uint64_t id) {
    const int index = index_of(id);
    ++revision_;
    return index < 0 ? nullptr : &images_[size_t(index)];
}

int Document::index_of(uint64_t id) const {
    const auto found = std::ranges::find(images_, id, &OpenImage::id);
    return found == images_.end() ? -1 : int(found - images_.begin());
}

OpenImage& Document::add(const std::string& path) {
    ++revision_;
    OpenImage& image = images_.emplace_back();
    image.id = next_id_++;
    image.path = path;
    return image;
}

void Document::select(int index) {
    current_ = index;
    if (index >= 0) images_[size_t(index)].last_used = ++use_clock_;
}

void Document::close(int index) {
    ++revision_;
    images_[size_t(index)].loading.request_stop();
    images_.erase(images_.begin() + index);
    if (current_ > index || current_ == int(images_.size())) --current_;
}

OpenImage& Document::replace_current(const std::string& path) {
    ++revision_;
    OpenImage& image = images_[size_t(current_)];
    image.loading.request_stop();
    image = {};
    image.id = next_id_++;
    image.path = path;
    image.last_used = ++use_clock_;
    return image;
}

void Document::put_back(uint64_t in_place_of, OpenImage image) {
    if (OpenImage* now = find(in_place_of)) {
        now->loading.request_stop();
        *now = std::move(image);
        if (now->state != OpenImage::State::loading) return;
        now->state = now->image ? OpenImage::State::ready : OpenImage::State::waiting;  // its load was stopped
        now->stamp.reset();
    }
}

void Document::trim(size_t max_bytes) {
    while (true) {
        size_t held_bytes = 0;
        OpenImage* oldest = nullptr;
        for (OpenImage& image : images_) {
            if (!image.image) continue;
            held_bytes += image.image->size_bytes();
            if (&image != current() && (oldest == nullptr || image.last_used < oldest->last_used)) oldest = &image;
        }
        if (held_bytes <= max_bytes || oldest == nullptr) return;
        oldest->image.reset();
    }
}

const VariantInfo* Document::variant(BackendKind backend) const {
    const auto found = variants_.find({op_, backend});
    return found != variants_.end() ? found->second : preferred_variant(op_->id, backend);
}

void Document::set_variant(const VariantInfo* variant) {
    variants_[{find_operator(variant->op), variant->backend}] = variant;
}

void Document::set_param(const ParamInfo& info, bool of_variant, int32_t value, BackendKind backend) {
    ParamBlock& block = of_variant ? variant_params_[variant(backend)] : params_[op_];
    block.set(info, clamp_value(info, value));
}

void Document::reset_params(BackendKind backend) {
    params_[op_] = default_values(op_->params);
    if (const VariantInfo* current = variant(backend)) variant_params_[current] = default_values(current->params);
}

Document::Choice Document::choice(BackendKind backend) const {
    Choice choice{op_, variant(backend), params_.at(op_), {}, memory_};
    if (choice.variant != nullptr) choice.variant_params = variant_params_.at(choice.variant);
    return choice;
}

void Document::choose(const Choice& choice) {
    op_ = choice.op;
    params_[op_] = choice.params;
    memory_ = choice.memory;
    if (choice.variant == nullptr) return;
    set_variant(choice.variant);
    variant_params_[choice.variant] = choice.variant_params;
}

RunSpec Document::run_spec(BackendKind backend) const {
    RunSpec spec{.op = op_, .variant = variant(backend), .params = params_.at(op_)};
    if (spec.variant == nullptr) return spec;
    spec.variant_params = variant_params_.at(spec.variant);
    if (backend == BackendKind::cuda) spec.memory = spec.variant->memory.value_or(memory_);
    return spec;
}

std::vector<RunSpec> Document::run_specs() const {
    std::vector<RunSpec> specs;
    for (const VariantInfo* variant : variants_of(op_->id))
        specs.push_back(
            {op_, variant, params_.at(op_), variant_params_.at(variant), variant->memory.value_or(memory_)});
    return specs;
}

}  // namespace tonescope
