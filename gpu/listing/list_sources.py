"""list_sources.py CTAGS ROOT OUT.cpp FILE...: writes what each variant is made of, as gpu/listing/listing.h describes it.

A listing begins with the function that a variant's registration names. What that names is looked up in the variant's file, in
the headers that it includes and among the functions of its folder that these declare; and so on with what is found."""

import bisect
import difflib
import re
import sys
from functools import cache

from source_files import CLOSING, HeadComment, behind, behind_angle, parameters, pieces, read_sources

def declared_in(words):
    """Names of parameters, variables and members: they hide functions of the same name."""
    return {word.text for before, word, after in zip(words, words[1:], words[2:])
            if word.is_name and after.text in "=;,){[:" and (before.is_name or before.is_type or before.text in ">&*")}


def is_free(words, at):
    """Whether a name stands for itself, and not for a member of something."""
    before = [words[k].text if k >= 0 else "" for k in (at - 3, at - 2, at - 1)]
    of_object = before[2] == "." or before[1:] == ["-", ">"]
    of_scope = before[1:] == [":", ":"] and (before[0] == "std" or not before[0].islower())
    return words[at].is_name and not of_object and not of_scope


def stages_in(words):
    """(name, first word, end) of what is timed: to the end of the block, or of the brackets around it."""
    for at, word in enumerate(words):
        if word.text not in ("stage", "bring_in", "take_out") or at + 1 == len(words) or words[at + 1].text != "(":
            continue
        end = behind(words, at + 1)
        name = next((words[k + 1].text for k in range(at + 1, end - 1) if words[k].text == '"'), None)
        depth = 0
        while word.text == "stage" and end < len(words) and depth >= 0:
            depth += (words[end].text == "{") - (words[end].text == "}")
            end += 1
        if name is not None:
            yield name, at, end


@cache
def free_names(definition):
    """Where its words are names that stand for themselves."""
    return [at for at in range(len(definition.words)) if is_free(definition.words, at)]


@cache
def stages_of(definition):
    return list(stages_in(definition.words))


class Project:
    """What a variant's file and the headers know."""

    def __init__(self, files):
        self.files = files

    @cache
    def headers(self, path):
        """This file and those of ours that it includes, directly or not."""
        seen, waiting = [], [path]
        while waiting:
            at = waiting.pop(0)
            if at not in seen and at in self.files:
                seen.append(at)
                waiting += self.files[at].includes
        return seen

    @cache
    def scope(self, path):
        """{name: definitions}, as this file sees them."""
        headers = self.headers(path)
        scope = {}
        for header in headers:
            for definition in self.files[header].definitions:
                scope.setdefault(definition.name, []).append(definition)
        declared = {name for header in headers for name in self.files[header].declared} - scope.keys()
        folder = re.match(r"gpu/ops/\w+/", path).group()
        for file in self.files.values():
            for definition in file.definitions if file.path.startswith(folder) or not file.path.startswith("gpu/ops/") else []:
                if definition.is_function and definition.name in declared and not definition.is_local:
                    scope.setdefault(definition.name, []).append(definition)
        return scope


class Bound:
    """What stands for a parameter: words of the function that hands it on, and what stands for its parameters."""

    def __init__(self, definition, begin, end, bindings):
        self.definition, self.begin, self.end, self.bindings = definition, begin, end, bindings
        self.key = (id(definition), begin, end)


class Listing:
    """A variant: parts (definitions in the order of reading), and which of their lines belong to which stage."""

    def __init__(self, project, registration):
        self.project, self.file = project, registration.file
        words = registration.words
        values = {words[k].text: words[k + 3].text for k in range(1, len(words) - 3)
                  if words[k - 1].text == "." and words[k + 1].text == "=" and words[k + 2].text == '"'}
        self.op, self.id, self.builds_on = values["op"], values["id"], values.get("builds_on", "")
        self.found, self.marks, self.kernels, self.seen = {}, {}, {}, set()
        self.kernel = None  # that is being walked
        run = next(k for k, word in enumerate(words) if word.text in ("run_cpu", "run_cuda"))
        self.walk(registration, run, len(words), {}, None)
        own_first = sorted(self.kernels.items(), key=lambda item: item[0].file is not self.file)
        kernels = [part for kernel, inside in own_first for part in (kernel, *inside)]
        on_device = dict.fromkeys([*kernels, *(part for part in self.found if kernels and part.on_device)])
        host = [part for part in self.found if part not in on_device]
        self.parts = [HeadComment(self.file), *on_device, *host, registration]
        self.marks = sorted(self.marks, key=lambda mark: (self.parts.index(mark[1]), *mark[2:], mark[0]))

    def lines(self):
        return [line for part in self.parts for line in part.file.lines[part.first:part.last + 1]]

    @cache
    def scope(self, definition):
        """What a definition sees, its own file before the variant's, without the names that it declares."""
        own = declared_in(definition.words) | {definition.name}
        paths = [path for path in (self.file.path, definition.file.path) if re.match(r"gpu/ops/\w+/", path)]
        return {name: found for path in paths for name, found in self.project.scope(path).items() if name not in own}

    def walk(self, definition, begin, end, bindings, stage):
        """Goes through words in the order in which they run. `stage`: the one that is timed."""
        words, scope = definition.words, self.scope(definition)
        timed = stages_of(definition) if definition.kind == "host" else []
        for inner, first, last in timed:
            if begin <= first < end:
                self.marks[inner, definition, words[first].line, words[last - 1].line] = None
        names = free_names(definition)
        for at in names[bisect.bisect_left(names, begin):bisect.bisect_left(names, end)]:
            name = words[at].text
            if name not in scope and name not in bindings:
                continue
            now = next((inner for inner, first, last in reversed(timed) if first <= at < last), stage)
            if name in bindings and at >= definition.body:
                bound = bindings[name]
                self.walk(bound.definition, bound.begin, bound.end, bound.bindings, now)
            elif name in scope:
                brackets, close = [], at + 1
                for bracket, skip in (("<", behind_angle), ("(", behind)):
                    inside = close < len(words) and words[close].text == bracket
                    behind_it = skip(words, close) if inside else close
                    brackets.append(pieces(words, close, behind_it) if behind_it > close else [])
                    close = behind_it
                given = [[Bound(definition, *piece, bindings) for piece in each] for each in brackets]
                for target in scope[name]:
                    self.visit(target, given, now)

    def visit(self, target, given, stage):
        bindings = {}
        for names, values in zip(target.parameters, given):
            bindings |= {name: value for name, value in zip(names, values) if name}
        key = (target, stage, self.kernel, *((name, bound.key) for name, bound in bindings.items()))
        if key in self.seen:
            return
        self.seen.add(key)
        self.found[target] = None
        if self.kernel is not None:
            self.kernels[self.kernel][target] = None
        if stage is not None and target.is_function and not stages_of(target):
            self.marks[stage, target, target.first, target.last] = None
        outer = self.kernel
        if target.kind == "kernel":
            self.kernels.setdefault(target, {})
            self.kernel = target
        self.walk(target, 0, len(target.words), bindings, stage)
        self.kernel = outer


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?").replace("\n", "\\n") + '"sv'


def write(out, listings):
    """The tables behind listing.h. A part that several variants share stands there once."""
    parts = {}
    for listing in listings:
        for part in listing.parts:
            parts.setdefault((part.file.path, part.first, part.last), (len(parts), part))

    def number(part):
        return parts[part.file.path, part.first, part.last][0]

    def text(part, lines):
        return "".join(line + "\n" for line in lines[part.first:part.last + 1])

    def table(kind, name, rows):
        out.write(f"static constexpr {kind} {name}[] = {{" + "\n".join(f"{{{', '.join(map(str, row))}}}," for row in rows) + "};\n")

    out.write('#include "gpu/listing/listing.h"\n\nnamespace tonescope {\nusing namespace std::string_view_literals;\n')
    table("SourcePart", "kSourceParts",
          [(literal(part.name), literal(part.file.path), part.first + 1, f"SourceKind::{part.kind}", literal(text(part, part.file.lines)),
            literal(text(part, part.file.letters))) for _, part in parts.values()])
    by_id = {(listing.op, listing.id): listing for listing in listings}
    rows = []
    for at, listing in enumerate(listings):
        base = by_id.get((listing.op, listing.builds_on))
        table("const SourcePart*", f"kParts{at}", [[f"&kSourceParts[{number(part)}]"] for part in listing.parts])
        table("SourceMark", f"kMarks{at}", [(literal(stage), listing.parts.index(part), first - part.first, last - first + 1)
                                            for stage, part, first, last in listing.marks])
        matches = difflib.SequenceMatcher(None, base.lines() if base else [], listing.lines(), False).get_matching_blocks()
        table("SourceMatch", f"kMatches{at}", matches)
        rows.append([*map(literal, (listing.op, listing.id, listing.builds_on)), f"kParts{at}", f"kMarks{at}", f"kMatches{at}"])
    table("SourceListing", "kListings", rows)
    out.write("std::span<const SourceListing> source_listings() { return kListings; }\n}  // namespace tonescope\n")


def main(ctags, root, out, *paths):
    files = read_sources(ctags, root, paths)
    project = Project(files)
    listings = [Listing(project, definition) for file in files.values() for definition in file.definitions
                if definition.kind == "registration"]
    with open(out, "w", encoding="utf-8") as file:
        write(file, listings)


main(*sys.argv[1:])
