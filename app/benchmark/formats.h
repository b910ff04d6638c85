// The files that what was measured is written to.
#pragma once

#include <span>
#include <string>

#include "ui/model/files.h"

namespace tonescope {

using ExportFormats = std::span<const ui::SavedFormat>;

/// Of the comparison of variants, and of experiments.
ExportFormats benchmark_formats();

/// Of its rooflines.
ExportFormats roofline_formats();

/// Whether the path's ending is that of one of the formats.
bool can_export(const std::string& path, ExportFormats formats);
/// ".csv, .json or .md"
std::string endings_of(ExportFormats formats);
/// "CSV, JSON or Markdown"
std::string names_of(ExportFormats formats);

}  // namespace tonescope
