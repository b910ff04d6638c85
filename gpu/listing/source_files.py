"""C++ and CUDA sources as words and definitions: what their text alone tells, without a compiler."""

import bisect
import json
import os
import re
import subprocess

from pygments.lexers import CppLexer
from pygments.token import Comment, Keyword, Literal, Name

CLOSING = {"(": ")", "[": "]", "{": "}"}
# What listing.h says of each character. Of kinds of tokens that lie in one another, the narrower one comes first.
LETTERS = [(Comment.PreprocFile, "s"), (Comment.Preproc, "p"), (Comment, "c"), (Keyword.Type, "t"), (Keyword, "k"),
           (Literal.String, "s"), (Literal.Number, "n")]
# These are words of the language, or of macros, that stand before names.
CUDA_WORDS = ["__global__", "__device__", "__host__", "__shared__", "__constant__", "__forceinline__", "__restrict__", "__grid_constant__"]
CTAGS_OPTIONS = ["--options=NONE", "--sort=no", "--output-format=json", "--language-force=C++", "--kinds-C++=fpsgcuvt", "--fields=NFneKs",
                 "-f", "-"]


class Word:
    """A token that is neither blank nor comment nor for the preprocessor."""

    __slots__ = ("text", "line", "is_name", "is_type")

    def __init__(self, kind, text, line):
        self.text, self.line = text, line
        self.is_name = kind in Name and re.match(r"\w", text) is not None
        self.is_type = kind in Keyword.Type or text in ("auto", "class", "typename")


def behind(words, begin):
    """The place behind the bracket that closes the one at `begin`."""
    depth = 0
    for at in range(begin, len(words)):
        depth += (words[at].text in CLOSING) - (words[at].text in CLOSING.values())
        if depth == 0:
            return at + 1
    return len(words)


def behind_angle(words, begin):
    """The same for the `<` of template arguments; `begin` where it is no bracket."""
    depth, at = 0, begin
    while at < len(words):
        text = words[at].text
        depth += (text == "<") - (text == ">")
        if depth == 0:
            return at + 1
        if text in ";)}]" or words[at].text == text == words[at - 1].text == "&":
            return begin
        at = behind(words, at) if text in CLOSING else at + 1
    return begin


def pieces(words, begin, end):
    """What commas part between these brackets: pairs of begin and end."""
    found, first, at = [], begin + 1, begin + 1
    while at < end:
        if words[at].text == "," or at == end - 1:
            found.append((first, at))
            first = at + 1
        angle = words[at].text == "<" and (words[at - 1].is_name or words[at - 1].text == "]")
        at = behind(words, at) if words[at].text in CLOSING else max(behind_angle(words, at), at + 1) if angle else at + 1
    return found


def parameters(words, begin, end):
    """The names that are declared between these brackets; empty where a parameter has none."""
    names = []
    for first, last in pieces(words, begin, end):
        value = next((k for k in range(first, last) if words[k].text == "="), last)
        names.append(words[value - 1].text if value > first and words[value - 1].is_name else "")
    return names


class Definition:
    """A function, type, constant or registration: whole lines, the comment above among them. Lines count from 0."""

    def __init__(self, file, tag):
        words = file.words
        at = file.first_word(tag["line"] - 1)
        while at > 0 and words[at - 1].text not in ";{}":
            at -= 1
        end = file.first_word(tag["end"]) if "end" in tag else at + 1
        while "end" not in tag and words[end - 1].text != ";":
            end += 1
        self.file, self.name, self.words = file, tag["name"], words[at:end]
        texts = {word.text for word in self.words}
        self.is_function = tag["kind"] == "function"
        self.on_device = bool(texts & {"__device__", "__global__", "TONESCOPE_HOST_DEVICE"})
        self.kind = ("kernel" if self.is_function and "__global__" in texts else "device" if self.on_device
                     else "registration" if "VariantRegistration" in [word.text for word in self.words[:2]] else "host")
        # The names of template parameters and of the function's, and the place behind these.
        self.parameters, self.body = [[], []], 0
        if self.words[0].text == "template":
            self.body = behind_angle(self.words, 1)
            self.parameters[0] = parameters(self.words, 1, self.body)
        name = next((k for k, word in enumerate(self.words[:-1]) if word.text == self.name and self.words[k + 1].text == "("), None)
        if self.is_function and name is not None:
            self.body = behind(self.words, name + 1)
            self.parameters[1] = parameters(self.words, name + 1, self.body)
        self.is_local = "__anon" in tag["scope"]
        self.first, self.last = words[at].line, words[end - 1].line
        while self.first - 1 in file.comment_lines:
            self.first -= 1


class HeadComment:
    """What stands at the top of a file."""

    name, kind, words = "", "comment", []

    def __init__(self, file):
        self.file, self.first, self.last = file, 0, -1
        while self.last + 1 in file.comment_lines:
            self.last += 1


class SourceFile:
    def __init__(self, path, text, tags):
        self.path, self.lines = path, text.split("\n")
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        self.includes = re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M)
        letters, self.words, self.comment_lines = [" "] * len(text), [], set()
        for at, kind, token in CppLexer(stripnl=False, ensurenl=False).get_tokens_unprocessed(text):
            letter = "k" if token in (*CUDA_WORDS, "__launch_bounds__") else next((letter for known, letter in LETTERS if kind in known), " ")
            letters[at:at + len(token)] = [letter * len(character.encode()) for character in token]
            line = bisect.bisect_right(starts, at) - 1
            if letter == "c" and not self.lines[line][:at - starts[line]].strip():
                self.comment_lines.update(range(line, line + len(token.rstrip("\n").split("\n"))))
            elif token.strip() and kind not in Comment:
                self.words.append(Word(kind, token, line))
        self.letters = ["".join(letters[start:start + len(line)]) for start, line in zip(starts, self.lines)]
        self.word_lines = [word.line for word in self.words]
        at_top = [tag for tag in tags if tag.get("scopeKind") == "namespace"]
        self.definitions = [Definition(self, tag) for tag in at_top if tag["kind"] != "prototype"]
        self.declared = {tag["name"] for tag in at_top if tag["kind"] == "prototype"}

    def first_word(self, line):
        """The first word on this line or a later one."""
        return bisect.bisect_left(self.word_lines, line)


def read_sources(ctags, root, paths):
    """{path: SourceFile}"""
    texts = {}
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            texts[path] = file.read()
    # ctags is to pass over what stands before names; "+": with the brackets behind it.
    macros = {macro for text in texts.values() for macro in re.findall(r"\b(?:TONESCOPE|CUDART)_[A-Z0-9_]+\b(?!\()", text)}
    ignored = ["__launch_bounds__+", *CUDA_WORDS, *macros]
    run = subprocess.run([ctags, *CTAGS_OPTIONS, "-I", ",".join(ignored), *paths], cwd=root, check=True, capture_output=True, text=True)
    tags = {path: [] for path in paths}
    for line in run.stdout.splitlines():
        tag = json.loads(line)
        tags[tag["path"]].append(tag)
    return {path: SourceFile(path, text, tags[path]) for path, text in texts.items()}
