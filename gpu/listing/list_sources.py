"""list_sources.py ROOT OUT.cpp FILE...: writes what each variant is made of, as gpu/listing/listing.h describes it.

A listing begins with the function that a variant's registration names. What that names is looked up in the variant's file, in
the headers that it includes and among the functions of its folder that these declare; and so on with what is found."""

import difflib
import re
import sys
from functools import cache

from source_files import HeadComment, behind, behind_angle, read_sources

def declared_in(words):
    """Names of parameters, variables and members: they hide functions of the same name."""
    return {word.text for before, word, after in zip(words, words[1:], words[2:])
            if word.is_name and after.text in "=;,){[:" and (before.is_name or before.is_type or before.text in ">&*")}


def names_in(words, known, begin=0, end=None):
    """The places of known names. Those in the brackets behind a name come before it: what is handed on runs within it."""
    found, at = [], begin
    end = len(words) if end is None else end
    while at < end:
        word, before = words[at], [words[k].text if k >= 0 else "" for k in (at - 3, at - 2, at - 1)]
        of_object = before[2] == "." or before[1:] == ["-", ">"]
        of_scope = before[1:] == [":", ":"] and (before[0] == "std" or not before[0].islower())
        if not word.is_name or word.text not in known or of_object or of_scope:
            at += 1
            continue
        name, at = at, at + 1
        if at < end and words[at].text == "<":
            close = behind_angle(words, at)
            found += names_in(words, known, at, close)
            at = close
        if at < end and words[at].text == "(":
            close = behind(words, at)
            found += names_in(words, known, at, close)
            at = close
        found.append(name)
    return found


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
            for definition in file.definitions if file.path.startswith(folder) else []:
                if definition.is_function and definition.name in declared and not definition.is_local:
                    scope.setdefault(definition.name, []).append(definition)
        return scope


class Listing:
    """A variant: parts (definitions in the order of reading), and which of their lines belong to which stage."""

    def __init__(self, project, registration):
        self.project, self.file = project, registration.file
        words = registration.words
        values = {words[k].text: words[k + 3].text for k in range(1, len(words) - 3)
                  if words[k - 1].text == "." and words[k + 1].text == "=" and words[k + 2].text == '"'}
        self.op, self.id, self.builds_on = values["op"], values["id"], values.get("builds_on", "")
        self.called = cache(self.called)
        run = next(k for k, word in enumerate(words) if word.text in ("run_cpu", "run_cuda"))
        scope = project.scope(self.file.path)
        found = []
        for at in names_in(words, scope, run):
            for definition in scope[words[at].text]:
                self.reach(definition, found)
        kernels = []
        for definition in found:
            if definition.kind == "kernel":
                self.reach(definition, kernels)
        on_device = kernels + [d for d in found if d.on_device and d not in kernels]
        self.parts = [HeadComment(self.file), *on_device, *(d for d in found if d not in on_device), registration]
        self.marks = sorted(set(self.find_marks()), key=lambda mark: (self.parts.index(mark[1]), mark[2:], mark[0]))

    def called(self, definition):
        """(place among its words, definition) of all that it names. Its own file comes before the variant's."""
        own = declared_in(definition.words) | {definition.name}
        path = definition.file.path
        sees = [self.project.scope(at) for at in {path: 0, self.file.path: 0} if re.match(r"gpu/ops/\w+/", at)]
        scope = {name: found for known in reversed(sees) for name, found in known.items() if name not in own}
        return [(at, other) for at in names_in(definition.words, scope) for other in scope[definition.words[at].text]]

    def reach(self, definition, found):
        if definition not in found:
            found.append(definition)
            for _, other in self.called(definition):
                self.reach(other, found)
        return found

    def lines(self):
        return [line for part in self.parts for line in part.file.lines[part.first:part.last + 1]]

    def find_marks(self):
        """(stage, definition, first line, last line)"""
        timed = {part: list(stages_in(part.words)) for part in self.parts}
        for part, stages in timed.items():
            for stage, begin, end in stages:
                yield stage, part, part.words[begin].line, part.words[end - 1].line
            for at, callee in self.called(part):
                inside = [stage for stage, begin, end in stages if begin <= at < end]
                # What is handed to a function that times one stage runs in it.
                names = {stage for each in self.reach(callee, []) for stage, _, _ in timed.get(each, [])}
                close = at + 1
                if close < len(part.words) and part.words[close].text == "<":
                    close = behind_angle(part.words, close)
                if close < len(part.words) and part.words[close].text == "(":
                    close = behind(part.words, close)
                handed = [other for k, other in self.called(part) if at < k < close]
                pairs = [(stage, [callee]) for stage in inside] + [(stage, handed) for stage in names if len(names) == 1]
                for stage, reached in pairs:
                    for first in reached:
                        for each in self.reach(first, []):
                            if not timed.get(each):
                                yield stage, each, each.first, each.last


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
        matches = difflib.SequenceMatcher(None, base.lines(), listing.lines(), False).get_matching_blocks() if base else [(0, 0, 0)]
        table("SourceMatch", f"kMatches{at}", matches)
        rows.append([*map(literal, (listing.op, listing.id, listing.builds_on)), f"kParts{at}", f"kMarks{at}", f"kMatches{at}"])
    table("SourceListing", "kListings", rows)
    out.write("std::span<const SourceListing> source_listings() { return kListings; }\n}  // namespace tonescope\n")


def main(root, out, paths):
    files = read_sources(root, paths)
    project = Project(files)
    listings = [Listing(project, definition) for file in files.values() for definition in file.definitions
                if definition.kind == "registration"]
    with open(out, "w", encoding="utf-8") as file:
        write(file, listings)


main(sys.argv[1], sys.argv[2], sys.argv[3:])
