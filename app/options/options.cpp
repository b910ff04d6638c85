#include "app/options/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>

#include "app/image_io/formats.h"
#include "app/options/preset.h"
#include "gpu/core/benchmark/contents.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

constexpr int kMinWidth_px = 320, kMinHeight_px = 200, kMaxSide_px = 16384;
constexpr int kMaxFrames = 100000;
constexpr int kMaxDevice = 1023;

/// What stands on the command line, before any check.
struct Arguments {
    std::vector<std::string> images, inputs, sets;
    std::string backend = "auto", device, memory, size, frames, page, preset, jobs, image_format = "gray",
                axes = "auto", window, code, figures, region, feather;
    std::map<std::string_view, std::string> save_options;
    bool headless = false, compare = false, suggest = false, list = false, info = false;
};

void refuse_if(bool wrong, const std::string& why) {
    if (wrong) throw UsageError(why);
}

std::vector<std::string> code_targets() {
    std::vector<std::string> ids;
    for (const CodeTargetInfo& target : kCodeTargets) ids.emplace_back(target.id);
    return ids;
}

std::vector<std::string> figure_ids() {
    std::vector<std::string> ids;
    for (const FigureInfo& figure : figures()) ids.emplace_back(figure.id);
    return ids;
}

void declare(CLI::App& app, Arguments& args, Options& options) {
    app.get_formatter()->label("Positionals", "Arguments");
    app.set_help_flag("-h,--help", "Prints this help");
    app.set_version_flag("--version", std::string("tonescope ") + TONESCOPE_VERSION, "Prints the version");
    app.add_option("images", args.images, "Images, folders and a session (.tonescope) to open in the window")
        ->type_name("");
    app.add_flag("--list", args.list, "Lists operators, parameters and variants");
    app.add_flag("--json", options.json, "Makes --list and --suggest print JSON");
    app.add_option("--source", options.source,
                   "Prints the source of a variant of --op, compared with the one that it builds on")
        ->type_name("VARIANT")
        ->take_last();
    app.add_option("--code", args.code,
                   "Prints a program that does what --op, --preset and --set say with another library: " +
                       spell_out(code_targets(), "or"))
        ->type_name("LIBRARY")
        ->take_last();
    app.add_flag("--info", args.info, "Prints the versions and which backends, GPU and OpenGL are available");

    const auto option = [&](const std::string& names, std::string& target, const std::string& help,
                            const std::string& type, const std::string& group) {
        // The last one counts, as in most programs: a script's own options can be overridden behind them.
        return app.add_option(names, target, help)->type_name(type)->group(group)->take_last();
    };
    const std::string headless = "Without a window";
    app.add_flag("--headless", args.headless, "Filters files and exits")->group(headless);
    app.add_option("-i", args.inputs, "Images to filter")->type_name("IN")->group(headless);
    option("-o", options.output, "The result: a file, whose name may contain {stem}, or an existing folder", "OUT",
           headless);
    for (const auto& [info, formats] : image_io::save_options()) {
        std::vector<std::string> names;
        for (const image_io::Format* format : formats) names.emplace_back(format->name);
        option("--" + std::string(info->id), args.save_options[info->id],
               std::string(info->help) + " (" + spell_out(names) + "; " + allowed_values(*info) +
                   ", default: " + format_value(*info, info->default_value) + ")",
               "N", headless);
    }
    option(
        "--figures", args.figures,
        "Figures of each result, printed and in the report: " + spell_out(figure_ids()) + ", or all (docs/figures.md)",
        "ID,...|all", headless);
    option("--report", options.report, "Writes times, bytes, backend and variant to a JSON file", "FILE", headless);
    option("--jobs", args.jobs, "Images under way at a time, 1 to 64 (default: what cores and memory allow)", "N",
           headless);
    app.add_flag("--resume", options.resume, "Skips images whose output is there and not older than they are")
        ->group(headless);
    app.add_flag("--suggest", args.suggest,
                 "Prints values at which figures of the result say something, for each parameter that takes such "
                 "suggestions, with the curves that say it (docs/figures.md)")
        ->group(headless);
    app.add_flag("--compare", args.compare,
                 "Verifies and times every variant, and writes a .csv, .json, .md, .svg or .png file; without "
                 "--headless, opens the window with the benchmark")
        ->group(headless);
    app.add_flag(
           "--roofline", options.roofline,
           "Makes --compare draw what limits each variant: instructions for each byte against the machine's roofs")
        ->group(headless);
    app.add_flag("--memory-modes", options.memory_modes,
                 "Makes --compare time one variant, the one of --variant, in every memory mode")
        ->group(headless);
    app.add_flag(
           "--timeline", options.timeline,
           "Makes --compare time one variant, the one of --variant, and the one that it builds on, and write what "
           "a run of each does when, to a .json file for Perfetto or an .svg file")
        ->group(headless);

    const std::string experiment = "Experiments: cases for --compare to go over (each combination)";
    const auto list = [&](const std::string& name, std::vector<std::string>& target, const std::string& help,
                          const std::string& type) {
        app.add_option(name, target, help)->type_name(type)->group(experiment)->delimiter(',')->allow_extra_args(false);
    };
    app.add_option("--sweep", options.sweeps,
                   "Values of a parameter of the operator or of variants; may be repeated. Without --compare, each "
                   "result with its figures, into a folder, a table (.csv, .json, .md) or a contact sheet (.png)")
        ->type_name("NAME=V,...")
        ->group(experiment)
        ->allow_extra_args(false);
    list("--experiment", options.experiments,
         "An experiment by its id, as --list names them; with --headless -o FILE, else in the window. With --headless "
         "also several of them or \"all\", and -o FOLDER, which gets a file of each format",
         "ID,...");
    list("--content", options.contents, "Images of this content: " + content_names(), "CONTENT,...");
    list("--image-size", options.image_sizes,
         "Sizes of the contents, and of input images, which are mirrored to fill them: " + size_names() +
             " (default: reports for contents, their own for images)",
         "SIZE,...");
    option("--image-format", args.image_format, "The format of the contents: gray or rgb (default: gray)", "FORMAT",
           experiment);
    option("--axes", args.axes, "The axes of the charts: linear, log or auto (default: log where values are far apart)",
           "KIND", experiment);

    const std::string what = "What is computed";
    option("--op", options.op, "The operator (default: clahe); none, which works with --headless, writes what was read",
           "ID", what);
    option("--variant", options.variant, "The variant of the operator (default: the fastest one)", "ID", what);
    option("--preset", args.preset,
           "Takes the operator and its parameters from a preset, given by name or as a file, or from a session",
           "NAME|FILE.json", what);
    app.add_option("--set", args.sets, "Sets a parameter of the operator or the variant")
        ->type_name("NAME=VALUE")
        ->group(what)
        ->allow_extra_args(false);
    option("--backend", args.backend,
           "The backend: auto, cpu or cuda (default: auto, which without a window takes what is faster)", "NAME", what);
    option("--device", args.device, "The CUDA device (default: the one that drives OpenGL, else the first)", "N", what);
    option(
        "--memory", args.memory,
        "How pixels reach the GPU: pageable, pinned, mapped, managed or overlapped (default: pinned, without a window "
        "overlapped)",
        "MODE", what);
    option("--page", args.page,
           "The page of files that have several, or all, which without a window go into one TIFF file or, where OUT "
           "contains {page}, into a file each (default: 1)",
           "N|all", what);
    option("--window", args.window,
           "The samples that are shown from black to white, by their center and width, or auto: 0.5 to 99.5 % of them; "
           "without a window, the result is written in 8 bits through it",
           "CENTER,WIDTH|auto", what);

    option(
        "--region", args.region,
        "Filters this rectangle alone, in pixels: its left upper corner and its size. The operator sees it as an image "
        "of its own; around it the image stays as it is",
        "X,Y,W,H", what);
    option("--feather", args.feather,
           "The result fades in over so many pixels inside the edge of --region: 0 to " +
               std::to_string(kMaxFeather_px) + " (default: 0)",
           "N", what);
    option(
        "--mask", options.part.mask_path,
        "An image of the same size that says where the result takes the image's place: not where it is black, wholly "
        "where it is white, in part between; of colors their luma. Values of 0 and 1 alone are black and white. "
        "Without a window each image may have one of its own: the name then contains {stem}, or is a folder that holds "
        "{stem}.png",
        "FILE", what);
    app.add_flag("--mask-inverse", options.part.mask_inverse, "Takes black in the mask for white and white for black")
        ->group(what);

    option(
        "--reference", options.reference,
        "An image that the result is compared with in place of the one that was filtered, such as another program's "
        "result, or one for each image: the name then contains {stem}, or is a folder that holds {stem}.png; without "
        "a window its figures are printed",
        "FILE", what);

    const std::string window = "Window";
    option("--screenshot", options.screenshot, "Draws the window, saves it as a PNG file and exits", "FILE.png",
           window);
    option("--size", args.size, "The size of the window in pixels (default: 1280x800)", "WxH", window);
    option("--frames", args.frames, "The number of frames before the screenshot (default: until the result is there)",
           "N", window);
    option("--ui-state", options.ui_state, "Rewrites a JSON file after each frame that changed something", "FILE",
           window);
}

/// One line out of whatever the parser has to say.
std::string parse_problem(const CLI::ParseError& error) {
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return text.substr(0, text.find(':')) + " needs a value (see tonescope --help)";
    return text + " (see tonescope --help)";
}

void choose_mode(const CLI::App& app, const Arguments& args, Options& options) {
    std::vector<std::string> modes;
    const auto mode = [&](bool given, const char* name, Options::Mode value) {
        if (!given) return;
        modes.emplace_back(name);
        options.mode = value;
    };
    const bool has_experiment = app.count("--experiment") > 0;
    mode(args.headless, "--headless",
         args.compare || has_experiment ? Options::Mode::compare
         : args.suggest                 ? Options::Mode::suggest
         : options.sweeps.empty()       ? Options::Mode::headless
                                        : Options::Mode::sweep);
    mode(args.list, "--list", Options::Mode::list);
    mode(app.count("--source") > 0, "--source", Options::Mode::source);
    mode(app.count("--code") > 0, "--code", Options::Mode::code);
    mode(args.info, "--info", Options::Mode::info);
    mode(app.count("--screenshot") > 0, "--screenshot", Options::Mode::screenshot);
    refuse_if(modes.size() > 1, spell_out(modes) + " cannot be combined; give only one of them");
    const bool needs_headless = !args.headless;
    for (const char* name : {"-i", "-o", "--report", "--figures"})
        refuse_if(needs_headless && app.count(name) > 0, std::string(name) + " works only with --headless; add that");
    refuse_if(options.json && !args.list && !args.suggest, "--json works only with --list and --suggest");
    refuse_if(args.suggest && !args.headless, "--suggest works only with --headless; add that");
    for (const char* name : {"--compare", "--sweep", "--experiment", "-o", "--report"})
        refuse_if(args.suggest && app.count(name) > 0,
                  std::string("--suggest prints what it finds; leave ") + name + " out");
    const bool has_window = options.mode == Options::Mode::window || options.mode == Options::Mode::screenshot;
    options.compare = args.compare && has_window;
    refuse_if(args.compare && !has_window && !args.headless, "--compare works only with --headless or the window");
    refuse_if(args.compare && !args.headless && args.images.empty(), "--compare needs an image");
    refuse_if(options.roofline && !args.compare, "--roofline works only with --compare");
    refuse_if(options.memory_modes && !args.compare, "--memory-modes works only with --compare");
    refuse_if(options.memory_modes && app.count("--memory") > 0,
              "--memory-modes takes every memory mode; leave --memory out");
    refuse_if(options.timeline && !args.compare, "--timeline works only with --compare");
    refuse_if(options.timeline && options.roofline, "--timeline and --roofline cannot be combined; give only one");
    refuse_if(options.timeline && options.memory_modes,
              "--timeline shows one memory mode, that of --memory; leave --memory-modes out");
    refuse_if(!args.headless && app.count("--sweep") > 0, "--sweep works only with --headless; add that");
    refuse_if(options.mode == Options::Mode::sweep && app.count("--report") > 0,
              "--report: the results of a sweep and their figures go to -o FILE.json; leave it out");
    for (const char* name : {"--content", "--image-size", "--image-format", "--axes"})
        refuse_if(options.mode != Options::Mode::compare && app.count(name) > 0,
                  std::string(name) + " works only with --headless --compare; add that");
    refuse_if(has_experiment && !has_window && !args.headless, "--experiment works only with --headless or the window");
    refuse_if(has_window && (options.experiments.size() > 1 || options.experiments == std::vector<std::string>{"all"}),
              "the window shows one experiment; several work only with --headless");
    for (const char* name : {"--compare", "-i", "--op", "--variant", "--preset", "--set", "--memory-modes", "--memory",
                             "--sweep", "--content", "--image-size", "--image-format"})
        refuse_if(has_experiment && app.count(name) > 0,
                  std::string("--experiment sets what is measured; leave ") + name + " out");
    refuse_if(!has_window && app.count("--size") > 0, "--size works only with the window or --screenshot");
    refuse_if(options.mode != Options::Mode::screenshot && app.count("--frames") > 0,
              "--frames works only with --screenshot");
    if (args.headless) {
        if (!args.images.empty()) throw UsageError(args.images[0] + ": input images must be given with -i");
        refuse_if(args.inputs.empty() && options.contents.empty() && !has_experiment,
                  "--headless needs an input image: -i IN");
        refuse_if(app.count("-o") == 0 && !args.suggest, "--headless needs an output: -o OUT");
        options.inputs = args.inputs;
        for (const auto& [name, given] : {std::pair("--timeline", options.timeline), {"--roofline", options.roofline}})
            refuse_if(given && options.is_experiment(),
                      name + std::string(" shows one case: give one -i, and no --sweep, --content or --image-size"));
    } else {
        if (!has_window && !args.images.empty()) throw UsageError(modes[0] + " takes no images");
        options.inputs = args.images;
    }
    for (const char* name : {"-o", "--report", "--figures", "--reference", "--mask", "--screenshot", "--ui-state",
                             "--op", "--variant", "--preset", "--source"})
        refuse_if(app.count(name) > 0 && app[name]->as<std::string>().empty(), std::string(name) + " is empty");
    for (const std::string& input : options.inputs) refuse_if(input.empty(), "the name of an input image is empty");
}

/// Which figures are wanted, and whether they can be had.
void check_figures(const Arguments& args, Options& options) {
    const bool has_window = options.mode == Options::Mode::window || options.mode == Options::Mode::screenshot;
    const bool is_run = options.mode == Options::Mode::headless || options.mode == Options::Mode::sweep;
    refuse_if(!options.reference.empty() && !has_window && !is_run,
              "--reference works only with the window, or with --headless and images as output");
    refuse_if(!args.figures.empty() && !is_run, "--figures works only with --headless and images as output");
    const OperatorInfo* op = find_operator(options.op);
    if (is_run && op != nullptr && op->makes_bins)
        for (const auto& [name, given] : {std::pair("--reference", options.reference),
                                          {"--figures", args.figures},
                                          {"--sweep", options.sweeps.empty() ? "" : options.sweeps[0]}})
            refuse_if(!given.empty(),
                      std::string(name) + ": the result of " + options.op + " is no image; leave it out");
    if (args.figures.empty() || args.figures == "all") {
        for (const FigureInfo& figure : figures())
            if (!args.figures.empty() ||
                (options.mode == Options::Mode::headless && !options.reference.empty() && figure.of_difference))
                options.figures.push_back(&figure);
        return;
    }
    for (const std::string& id : split(args.figures, ',')) {
        const FigureInfo* figure = find_figure(id);
        refuse_if(figure == nullptr, "--figures " + id + ": expected " + spell_out(figure_ids()) + ", or all");
        options.figures.push_back(figure);
    }
}

/// "60,40,320,240". Throws UsageError.
Rect parse_region(const std::string& text) {
    const std::vector<std::string> parts = split(text, ',');
    constexpr int kLeast[] = {0, 0, 1, 1};
    int values[4] = {};
    for (size_t k = 0; k < 4; ++k) {
        const std::optional<int> value =
            parts.size() == 4 ? parse_int(parts[k], kLeast[k], tonescope::kMaxSide_px) : std::nullopt;
        refuse_if(!value, "--region " + text + ": expected X,Y,W,H in pixels, such as 60,40,320,240");
        values[k] = *value;
    }
    return {values[0], values[1], values[2], values[3]};
}

/// What of the image is filtered.
void check_part(const Arguments& args, Options& options) {
    const bool has_window = options.mode == Options::Mode::window || options.mode == Options::Mode::screenshot;
    const bool is_run = options.mode == Options::Mode::headless || options.mode == Options::Mode::sweep;
    const bool is_code = options.mode == Options::Mode::code, is_suggest = options.mode == Options::Mode::suggest;
    const OperatorInfo* op = find_operator(options.op);
    for (const auto& [name, given] :
         {std::pair("--region", args.region), {"--feather", args.feather}, {"--mask", options.part.mask_path}}) {
        if (given.empty()) continue;
        const bool is_region = name == std::string_view("--region");
        refuse_if(is_code && name == std::string_view("--mask"), "--mask cannot be part of --code; leave it out");
        refuse_if(options.mode == Options::Mode::compare,
                  std::string(name) + ": variants are compared on whole images; leave it out");
        refuse_if(
            is_suggest && !is_region,
            std::string(name) + ": suggestions are of all that is filtered; leave it out, or give --region alone");
        refuse_if(!has_window && !is_run && !is_code && !is_suggest,
                  std::string(name) + " works only with the window, --code, or --headless and images");
        refuse_if(is_run && options.op == kNoOperator,
                  std::string(name) + ": --op " + options.op + " filters nothing; leave it out");
    }
    refuse_if(is_run && op != nullptr && op->makes_bins && !options.part.mask_path.empty(),
              "--mask: --op " + options.op + " makes no image; leave it out");
    refuse_if(has_window && options.part.mask_path.find("{stem}") != std::string::npos,
              "--mask " + options.part.mask_path +
                  ": the window has one mask for all images; {stem} works only with --headless");
    refuse_if(options.part.mask_inverse && options.part.mask_path.empty(),
              "--mask-inverse works only with --mask; add that");
    if (!args.region.empty()) options.part.region = parse_region(args.region);
    if (args.feather.empty()) return;
    const std::optional<int> feather = parse_int(args.feather, 0, kMaxFeather_px);
    refuse_if(!feather, "--feather " + args.feather + ": expected 0 to " + std::to_string(kMaxFeather_px) + " pixels");
    refuse_if(args.region.empty(), "--feather works only with --region; add that");
    options.part.feather_px = *feather;
}

void check_values(const Arguments& args, Options& options) {
    constexpr std::string_view kBackends[] = {"auto", "cpu", "cuda"};  // as in BackendChoice
    const auto* const backend = std::ranges::find(kBackends, args.backend);
    refuse_if(backend == std::end(kBackends), "--backend " + args.backend + ": expected auto, cpu or cuda");
    options.backend = BackendChoice(backend - kBackends);
    if (!args.device.empty()) {
        const std::optional<int> device = parse_int(args.device, 0, kMaxDevice);
        refuse_if(!device, "--device " + args.device + ": expected the number of a CUDA device, from 0");
        options.device = *device;
    }
    if (!args.memory.empty()) {
        const auto found = std::ranges::find(kMemoryModeIds, args.memory);
        refuse_if(found == std::end(kMemoryModeIds),
                  "--memory " + args.memory + ": expected " +
                      spell_out({std::begin(kMemoryModeIds), std::end(kMemoryModeIds)}, "or"));
        options.memory = MemoryMode(found - std::begin(kMemoryModeIds));
    }
    if (options.mode == Options::Mode::code) {
        const auto found = std::ranges::find(kCodeTargets, args.code, &CodeTargetInfo::id);
        refuse_if(found == std::end(kCodeTargets),
                  "--code " + args.code + ": expected " + spell_out(code_targets(), "or"));
        options.code = CodeTarget(found - std::begin(kCodeTargets));
    }
    refuse_if(args.image_format != "gray" && args.image_format != "rgb",
              "--image-format " + args.image_format + ": expected gray or rgb");
    options.color_contents = args.image_format == "rgb";
    constexpr std::string_view kAxes[] = {"auto", "linear", "log"};  // as in AxisChoice
    const auto* const axes = std::ranges::find(kAxes, args.axes);
    refuse_if(axes == std::end(kAxes), "--axes " + args.axes + ": expected auto, linear or log");
    options.axes = AxisChoice(axes - kAxes);
    for (const std::string& content : options.contents)
        refuse_if(find_content(content) == nullptr, "--content " + content + ": expected " + content_names());
    for (const std::string& size : options.image_sizes) sizes_of(size, "--image-size");
    for (const auto& [info, formats] : image_io::save_options()) {
        const std::string& text = args.save_options.at(info->id);
        if (text.empty()) continue;
        const std::optional<int> value = parse_int(text, info->min, info->max);
        const std::string name = "--" + std::string(info->id);
        refuse_if(!value, name + " " + text + ": expected " + allowed_values(*info));
        refuse_if(options.mode != Options::Mode::headless, name + " works only with --headless and images as output");
        options.save_options[std::string(info->id)] = *value;
    }
    for (const std::string& set : args.sets) {
        const size_t equals = set.find('=');
        refuse_if(equals == std::string::npos || equals == 0, "--set " + set + ": expected NAME=VALUE");
        options.sets.emplace_back(set.substr(0, equals), set.substr(equals + 1));
    }
    if (!args.size.empty()) {
        const auto size = parse_size(args.size, {kMinWidth_px, kMinHeight_px}, kMaxSide_px);
        refuse_if(!size, "--size " + args.size + ": expected WxH from 320x200 to 16384x16384");
        std::tie(options.width, options.height) = *size;
        options.size_given = true;
    }
    if (!args.frames.empty()) {
        const std::optional<int> frames = parse_int(args.frames, 1, kMaxFrames);
        refuse_if(!frames, "--frames " + args.frames + ": expected 1 to " + std::to_string(kMaxFrames));
        options.frames = *frames;
    }
    if (!args.window.empty()) {
        options.window = parse_window(args.window);
        refuse_if(!options.window,
                  "--window " + args.window + ": expected CENTER,WIDTH (samples, 0 to 65535 and 1 to 65535) or auto");
        const bool has_window = options.mode == Options::Mode::window || options.mode == Options::Mode::screenshot;
        refuse_if(!has_window && options.mode != Options::Mode::headless,
                  "--window works only with the window, or with --headless and images as output");
        const OperatorInfo* op = find_operator(options.op);
        refuse_if(options.mode == Options::Mode::headless && op != nullptr && op->makes_bins,
                  "--window: the result of " + options.op + " has no samples; leave it out");
    }
    if (!args.jobs.empty()) {
        const std::optional<int> jobs = parse_int(args.jobs, 1, kMaxJobs);
        refuse_if(!jobs, "--jobs " + args.jobs + ": expected 1 to " + std::to_string(kMaxJobs));
        options.jobs = *jobs;
    }
    for (const auto& [name, given] : {std::pair("--jobs", !args.jobs.empty()), {"--resume", options.resume}})
        refuse_if(given && options.mode != Options::Mode::headless,
                  name + std::string(" works only with --headless and images as output"));
    check_figures(args, options);
    check_part(args, options);
    if (!args.page.empty()) {
        const std::optional<int> page = parse_int(args.page, 1, INT32_MAX);
        options.all_pages = args.page == "all";
        refuse_if(!page && !options.all_pages,
                  "--page " + args.page + ": expected the number of a page, from 1, or all");
        const bool has_window = options.mode == Options::Mode::window || options.mode == Options::Mode::screenshot;
        const bool sweeps = options.mode == Options::Mode::sweep || options.mode == Options::Mode::suggest;
        refuse_if(!has_window && !sweeps && options.mode != Options::Mode::headless,
                  "--page works only with the window, or with --headless and images as output");
        refuse_if(sweeps && options.all_pages, "--page all works only without --sweep and --suggest; give one page");
        refuse_if(has_window && options.all_pages, "--page all works only with --headless; the window shows one page");
        options.page = page.value_or(1) - 1;
        options.page_given = true;
    }
    refuse_if(!options.screenshot.empty() && extension_of(options.screenshot) != "png",
              "--screenshot " + options.screenshot + ": the name must end in .png");
}

/// Operator, variant, memory mode and parameters, as far as they can be checked before it is known which backends are
/// there.
void check_run(const Options& options) {
    if (options.op == kNoOperator) {
        refuse_if(options.mode != Options::Mode::headless, "--op none works only with --headless and images as output");
        refuse_if(!options.variant.empty() || !options.sets.empty(),
                  "--op none has no variants and no parameters; leave --variant and --set out");
        return;
    }
    if (options.mode == Options::Mode::compare && options.variant.empty()) {
        Options without = options;
        without.sets.clear();
        without.memory.reset();
        const RunSpec spec = resolve_run(without, BackendKind::cpu);
        for (const auto& set : options.sets) {
            const auto variants = variants_of(options.op);
            const bool known = std::ranges::any_of(variants, [&](const VariantInfo* variant) {
                return find_param(variant->params, set.first) != nullptr;
            });
            without.sets = {set};
            if (!known) resolve_run(without, BackendKind::cpu);
        }
        for (const VariantInfo* variant : variants_of(options.op)) spec_for_variant(options, *spec.op, *variant);
        return;
    }
    const VariantInfo* variant = find_variant(options.op, options.variant);
    if (options.memory_modes && variant != nullptr) {
        refuse_if(variant->backend == BackendKind::cpu,
                  "--memory-modes: variant " + options.variant + " runs on the CPU, which has no memory modes");
        if (variant->memory)
            throw UsageError("--memory-modes: variant " + options.variant + " always uses " +
                             std::string(kMemoryModeIds[size_t(*variant->memory)]) + " memory; choose another variant");
    }
    if (variant != nullptr && options.backend != BackendChoice::automatic) {
        const bool on_cpu = variant->backend == BackendKind::cpu;
        refuse_if(on_cpu != (options.backend == BackendChoice::cpu),
                  "variant " + options.variant + " of " + options.op + " runs on the " +
                      std::string(to_string(variant->backend)) +
                      " backend; leave --backend out or choose another variant");
    }
    std::vector<BackendKind> backends;
    if (options.backend != BackendChoice::cpu) backends.push_back(BackendKind::cuda);
    if (options.backend != BackendChoice::cuda) backends.push_back(BackendKind::cpu);
    std::optional<UsageError> first;
    for (const BackendKind backend : backends) {
        try {
            if (variant != nullptr || preferred_variant(options.op, backend) != nullptr ||
                find_operator(options.op) == nullptr) {
                resolve_run(options, variant != nullptr ? variant->backend : backend);
                return;
            }
        } catch (const UsageError& error) {
            if (!first) first = error;
        }
    }
    if (first) throw UsageError(*first);
}

/// Before what --set says, which overrides it.
void apply_preset(const CLI::App& app, const Arguments& args, Options& options) {
    options.run_given = app.count("--op") + app.count("--variant") + app.count("--set") + app.count("--preset") > 0;
    if (args.preset.empty()) return;
    const Preset preset = find_preset(args.preset);
    refuse_if(app.count("--op") > 0 && options.op != preset.op->id,
              "--preset " + args.preset + " is for " + std::string(preset.op->id) + "; leave --op out");
    options.op = preset.op->id;
    for (const ParamInfo& info : preset.op->params)
        options.sets.emplace_back(info.id, format_value(info, preset.params.get(info)));
    options.preset_values = options.sets.size();
    options.preset_path = preset.path;
}

/// What the parser takes, last word first. Among images it takes [a,b] for a list, but here that is the name of a file.
std::vector<std::string> words_of(const CLI::App& app, int argc, char** argv) {
    std::vector<std::string> words;
    for (int i = argc - 1; i > 0; --i) {
        const std::string word = argv[i];
        const CLI::Option* const before = app.get_option_no_throw(argv[i - 1]);
        const bool is_value = before != nullptr && before->get_items_expected_max() == 1;
        words.push_back(word.starts_with('[') && word.ends_with(']') && !is_value ? "./" + word : word);
    }
    return words;
}

}  // namespace

std::vector<OptionInfo> option_table() {
    CLI::App app;
    Arguments args;
    Options options;
    declare(app, args, options);
    std::vector<OptionInfo> table;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional()) continue;
        const bool is_flag = option->get_items_expected_max() == 0;
        OptionInfo info{.names = {},
                        .value = is_flag ? "" : option->get_type_name(),
                        .repeats = !is_flag && option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw,
                        .section = option->get_group(),
                        .help = option->get_description()};
        for (const std::string& name : option->get_snames()) info.names.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) info.names.push_back("--" + name);
        table.push_back(std::move(info));
    }
    return table;
}

std::optional<int> parse_options(int argc, char** argv, Options& options) {
    CLI::App app("Tonescope shows what contrast and smoothing filters do to an image, live, on the GPU or the CPU.",
                 "tonescope");
    app.allow_extras();
    Arguments args;
    declare(app, args, options);
    try {
        app.parse(words_of(app, argc, argv));
    } catch (const CLI::CallForHelp&) {
        std::cout << help_text(app.help());
        return 0;
    } catch (const CLI::CallForVersion& version) {
        std::cout << version.what() << "\n";
        return 0;
    } catch (const CLI::ParseError& error) {
        throw UsageError(parse_problem(error));
    }
    const std::vector<std::string> unknown = app.remaining();
    if (!unknown.empty()) throw UsageError(unknown[0] + ": unknown option (see tonescope --help)");
    choose_mode(app, args, options);
    apply_preset(app, args, options);
    check_values(args, options);
    check_run(options);
    return {};
}

}  // namespace tonescope
