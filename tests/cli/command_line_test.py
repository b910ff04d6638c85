"""packaging/command_line.py: the man page and the shells' completions say what --list --json says."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness
from harness import Case

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../packaging/command_line.py")
BASH_COMPLETION = "/usr/share/bash-completion/bash_completion"


def written(kind):
    return subprocess.run([sys.executable, SCRIPT, kind, "1.2.3"], input=json.dumps(harness.listing()), text=True, check=True,
                          stdout=subprocess.PIPE).stdout


class Written(Case):
    def test_every_option_is_in_each(self):
        options = harness.listing()["options"]
        self.assertGreater(len(options), 30)
        texts = {kind: written(kind) for kind in ("man", "bash", "zsh", "fish")}
        for option in options:
            for name in option["names"]:
                self.assertIn("\\fB" + name.replace("-", "\\-") + "\\fR", texts["man"])
                self.assertRegex(texts["bash"], f"[ ']{name}[ ']")
                self.assertRegex(texts["zsh"], f"\\n  '\\*?{name}\\[")
                self.assertRegex(texts["fish"], (" -l " if name.startswith("--") else " -s ") + name.lstrip("-") + " ")

    def test_the_man_page_has_every_parameter_and_variant(self):
        text = written("man").replace("\\-", "-")
        for op in harness.listing()["operators"]:
            page = text[text.index(f"\n.SS {op['id']}\n"):]
            for parameter in op["parameters"] + [parameter for variant in op["variants"] for parameter in variant["parameters"]]:
                self.assertIn(f"\\fB{parameter['id']}\\fR=", page)
            for variant in op["variants"]:
                self.assertRegex(page, rf"\b{re.escape(variant['id'])}\b")

    @unittest.skipUnless(shutil.which("bash") and os.path.exists(BASH_COMPLETION), "needs bash-completion")
    def test_bash_completes_what_the_tables_hold(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(written("bash"))
            file.flush()

            def completed(*words):
                line = ("tonescope " + " ".join(words)).replace(" =", "=")
                script = f"""compopt() {{ :; }}
                    source {BASH_COMPLETION}; source {file.name}
                    COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
                    COMP_LINE={line!r} COMP_POINT={len(line)}
                    COMP_WORDS=({' '.join(repr(word) for word in ['tonescope', *words])}) COMP_CWORD={len(words)}
                    _tonescope; printf '%s\\n' "${{COMPREPLY[@]}}\""""
                run = subprocess.run(["bash", "--norc", "-c", script], text=True, check=True, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
                self.assertEqual(run.stderr, "")
                return run.stdout.split()

            listing = harness.listing()
            operators = [op["id"] for op in listing["operators"]]
            self.assertEqual(completed("--op", ""), [*operators, "none"])
            self.assertEqual(completed("--op", operators[0][:2]), [id for id in operators if id.startswith(operators[0][:2])])
            self.assertEqual(completed("--headless", "--memory", ""), listing["memory_modes"])
            self.assertEqual(completed("--backend", ""), ["auto", "cpu", "cuda"])
            self.assertEqual(completed("--figures", "ps"), ["psnr"], "a list that its help ends with and")
            self.assertEqual(completed("--headl"), ["--headless"])
            choice = next(p for op in listing["operators"] for p in op["parameters"] if p["kind"] == "choice")
            self.assertEqual(set(completed("--set", choice["id"], "=")), set(choice["values"]))


if __name__ == "__main__":
    harness.main()
