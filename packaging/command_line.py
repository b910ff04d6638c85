#!/usr/bin/env python3
"""Writes the man page and the shells' completions from what the program says of its command line.

    tonescope --list --json | command_line.py man|bash|zsh|fish VERSION > FILE
"""
import json
import re
import sys

SUMMARY = "viewer for contrast and smoothing filters on the GPU"
DESCRIPTION = """Tonescope shows what histogram equalization, CLAHE and the Kuwahara filter do to an image, before and after side by
side, while the sliders are dragged. The filters run in CUDA where there is an NVIDIA GPU, and on the CPU everywhere else. Without a window
it filters files, and times and verifies every variant of a filter."""
# What the words of a value are, by the option's name; the others are files where their value's name says so.
CHOICES = {
    "--op": lambda listing: [op["id"] for op in listing["operators"]] + ["none"],
    "--variant": lambda listing: variants(listing),
    "--source": lambda listing: variants(listing),
    "--set": lambda listing: settings(listing),
    "--sweep": lambda listing: sorted({word.partition("=")[0] + "=" for word in settings(listing)}),
    "--memory": lambda listing: listing["memory_modes"],
    "--experiment": lambda listing: [experiment["id"] for experiment in listing["experiments"]] + ["all"],
}
FILES = re.compile(r"FILE|^IN$|^OUT$")


def unique(words):
    return list(dict.fromkeys(words))


def variants(listing):
    return unique(variant["id"] for op in listing["operators"] for variant in op["variants"])


def parameters(op):
    """Each parameter of an operator with the variants that have it; none: the operator itself."""
    found = {json.dumps(parameter): [] for parameter in op["parameters"]}
    for variant in op["variants"]:
        for parameter in variant["parameters"]:
            found.setdefault(json.dumps(parameter), []).append(variant["id"])
    return [(json.loads(text), owners) for text, owners in found.items()]


def settings(listing):
    """NAME=VALUE where the values are words, else NAME=."""
    return unique(f"{parameter['id']}={value}" for op in listing["operators"] for parameter, _ in parameters(op)
                  for value in parameter["values"] or [""])


def values(listing, option):
    """The words that an option takes; those that its help names as "a, b or c", or "and c", where no list says more."""
    for name in option["names"]:
        if name in CHOICES:
            return CHOICES[name](listing)
    named = re.search(r": ((?:[\w-]+, )*[\w-]+ (?:and|or) [\w-]+)(?: \(|$|,|;)", option["help"])
    words = re.split(", | and | or ", named[1]) if named else []
    return [word for word in words if word != "WxH"] + [word for word in (option["value"] or "").split("|")[1:] if word.islower()]


def takes_file(option):
    return bool(option["value"] and FILES.search(option["value"]))


# The man page


def roff(text):
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"), flags=re.MULTILINE)


def entry(term, text):
    return f".TP\n{term}\n{roff(text)}\n"


def allowed(parameter):
    unit = f" {parameter['unit']}" if parameter["unit"] else ""
    if parameter["values"]:
        return "|".join(parameter["values"]) + unit
    return f"{parameter['min']} to {parameter['max']}{unit}"


def man(listing, version):
    text = f'.TH TONESCOPE 1 "" "Tonescope {version}" "User Commands"\n.SH NAME\ntonescope \\- {SUMMARY}\n.SH SYNOPSIS\n.nf\n'
    for line in listing["usage"].splitlines():
        text += roff(re.sub(r"^ {2}", "", line)) + "\n"
    text += ".fi\n.SH DESCRIPTION\n" + roff(DESCRIPTION) + "\n.SH OPTIONS\n"
    for section in unique(option["section"] for option in listing["options"]):
        text += f".SS {roff(section)}\n" if section != "Options" else ""
        for option in (option for option in listing["options"] if option["section"] == section):
            value = f" \\fI{roff(option['value'])}\\fR" if option["value"] else ""
            text += entry(", ".join(f"\\fB{roff(name)}\\fR" for name in option["names"]) + value, option["help"] + ".")
    text += ".SH OPERATORS\n"
    for op in listing["operators"]:
        text += f".SS {op['id']}\n{roff(op['summary'])}\n"
        for parameter, owners in parameters(op):
            of = f" Of {', '.join(owners)}." if owners else ""
            text += entry(f"\\fB{parameter['id']}\\fR=\\fI{roff(allowed(parameter))}\\fR",
                          f"{parameter['help']} Default: {parameter['default']}.{of}")
        text += entry("Variants", ", ".join(variant["id"] for variant in op["variants"]) + ".")
    return (text + ".SH EXPERIMENTS\n" +
            "".join(entry(f"\\fB{roff(one['id'])}\\fR", f"{one['title']}: {one['shows']}.") for one in listing["experiments"]) +
            ".SH EXIT STATUS\n" + entry("0", "Everything was done.") +
            entry("1", "An image failed (the others were done), or the requested backend is not available.") +
            entry("2", "The usage was wrong; nothing was written.") +
            ".SH FILES\n" + entry("$XDG_CONFIG_HOME/tonescope/presets/", "Presets, NAME.json each.") +
            entry("NAME.tonescope", "A session, which the window saves: the open images by paths relative to its folder, what is chosen, and "
                  "how it is shown.") +
            entry("$XDG_STATE_HOME/tonescope/state.json",
                  "The window's state. The environment variable TONESCOPE_STATE names another file, or \"none\"."))


# The shells

BASH = """# bash completion for tonescope
_tonescope() {{
    local cur prev
    _get_comp_words_by_ref -n = cur prev || return
    case $prev in
{cases}    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W '{names}' -- "$cur"))
    else
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}}
# Readline takes what follows a "=" for a word of its own.
_tonescope_words() {{
    COMPREPLY=($(compgen -W "$1" -- "$cur"))
    [[ ${{#COMPREPLY[@]}} -ne 1 || ${{COMPREPLY[0]}} != *= ]] || compopt -o nospace
    [[ $cur != *=* ]] || COMPREPLY=("${{COMPREPLY[@]#*=}}")
}}
complete -F _tonescope tonescope
"""


def bash(listing, _):
    cases = ""
    for option in listing["options"]:
        if not option["value"]:
            continue
        names, words = "|".join(option["names"]), values(listing, option)
        if words and not takes_file(option):
            cases += f"        {names}) _tonescope_words '{' '.join(words)}'; return ;;\n"
        elif not takes_file(option):
            cases += f"        {names}) return ;;\n"
    return BASH.format(cases=cases, names=" ".join(name for option in listing["options"] for name in option["names"]))


def zsh(listing, _):
    text = "#compdef tonescope\n_arguments -s"
    for option in listing["options"]:
        help_text = re.sub(r"([\[\]:\\])", r"\\\1", option["help"]).replace("'", "'\\''")
        many = "*" if option["repeats"] else ""
        value = ""
        if option["value"]:
            words = values(listing, option)
            action = "_files" if takes_file(option) else f"({' '.join(words)})" if words else " "
            value = ":" + option["value"].replace(":", "\\:") + ":" + action
        for name in option["names"]:
            text += f" \\\n  '{many}{name}[{help_text}]{value}'"
    return text + " \\\n  '*:image:_files'\n"


def fish(listing, _):
    text = "# fish completion for tonescope\n"
    for option in listing["options"]:
        names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option["names"])
        words = values(listing, option)
        argument = ""
        if option["value"] and takes_file(option):
            argument = " -r -F"
        elif option["value"]:
            argument = " -x" + (f" -a '{' '.join(words)}'" if words else "")
        help_text = option["help"].replace("\\", "\\\\").replace("'", "\\'")
        text += f"complete -c tonescope{names}{argument} -d '{help_text}'\n"
    return text


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    writers = {"man": man, "bash": bash, "zsh": zsh, "fish": fish}
    sys.stdout.write(writers[sys.argv[1]](json.load(sys.stdin), sys.argv[2]))


if __name__ == "__main__":
    main()
