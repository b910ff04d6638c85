#include "app/document.h"

#include <algorithm>
#include <filesystem>

namespace tonescope {

std::string OpenImage::name() const {
    return std::filesystem::path(path).filename().string();
}

Document::Document(const RunSpec& initial) : op_(initial.op) {
    for (const OperatorInfo* op : operators()) {
        params_[op] = default_values(op->params);
        for (const RungInfo* rung : rungs_of(op->id)) rung_params_[rung] = default_values(rung->params);
    }
    params_[initial.op] = initial.params;
    rung_params_[initial.rung] = initial.rung_params;
    set_rung(initial.rung);
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

const RungInfo* Document::rung(BackendKind backend) const {
    const auto found = rungs_.find({op_, backend});
    return found != rungs_.end() ? found->second : preferred_rung(op_->id, backend);
}

void Document::set_rung(const RungInfo* rung) {
    rungs_[{find_operator(rung->op), rung->backend}] = rung;
}

void Document::set_param(const ParamInfo& info, bool of_rung, int32_t value, BackendKind backend) {
    ParamBlock& block = of_rung ? rung_params_[rung(backend)] : params_[op_];
    block.set(info, clamp_value(info, value));
}

void Document::reset_params(BackendKind backend) {
    params_[op_] = default_values(op_->params);
    if (const RungInfo* current = rung(backend)) rung_params_[current] = default_values(current->params);
}

Document::Choice Document::choice(BackendKind backend) const {
    Choice choice{op_, rung(backend), params_.at(op_), {}, memory_};
    if (choice.rung != nullptr) choice.rung_params = rung_params_.at(choice.rung);
    return choice;
}

void Document::choose(const Choice& choice) {
    op_ = choice.op;
    params_[op_] = choice.params;
    memory_ = choice.memory;
    if (choice.rung == nullptr) return;
    set_rung(choice.rung);
    rung_params_[choice.rung] = choice.rung_params;
}

RunSpec Document::run_spec(BackendKind backend) const {
    RunSpec spec{.op = op_, .rung = rung(backend), .params = params_.at(op_)};
    if (spec.rung == nullptr) return spec;
    spec.rung_params = rung_params_.at(spec.rung);
    if (backend == BackendKind::cuda) spec.memory = spec.rung->memory.value_or(memory_);
    return spec;
}

std::vector<RunSpec> Document::run_specs() const {
    std::vector<RunSpec> specs;
    for (const RungInfo* rung : rungs_of(op_->id))
        specs.push_back({op_, rung, params_.at(op_), rung_params_.at(rung), rung->memory.value_or(memory_)});
    return specs;
}

}  // namespace tonescope
