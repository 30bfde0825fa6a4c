#!/usr/bin/env python3
"""Man pages and shell completion of a program.

    check_manual.py PROGRAM            what the program writes: pages have all options of the help, roff is without warnings (groff, mandoc),
                                       the completions load, and each option takes a value there where the program requires one
    check_manual.py PROGRAM SHARE      also that SHARE, the folder share of an installation, has all of them as the program writes them
Prints what is wrong, else a line with what was checked; tools that are not installed are named."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SHARE = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
PLACES = {  # below share
    "bash": "bash-completion/completions/gossamer",
    "zsh": "zsh/site-functions/_gossamer",
    "fish": "fish/vendor_completions.d/gossamer.fish",
}
wrong = []


def run(*command, folder=None):
    return subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def gossamer(*words):
    done = run(PROGRAM, *words)
    if done.returncode != 0:
        wrong.append(f"gossamer {' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


COMMANDS = re.findall(r"^  gossamer ([a-z]+)", gossamer("help"), re.M)
OPTION = re.compile(r"(?<![\w-])--?[a-z](?:[a-z-]*[a-z])?(?![\w-])")


HEADINGS = ("Usage:", "Options:", "Examples:", "Exit codes:")


def plain(page):
    """The words of a page."""
    text = re.sub(r"^\.[A-Z]+ ?", "", page, flags=re.M)
    for escape, char in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\(bu 2", ""), ("\\ ", " "), (r"\&", ""), (r"\e", "\\")):
        text = text.replace(escape, char)
    return re.sub(r"\\f[BIR]", "", text).split()


def check_words(command, page):
    """All words of each line of the help are in the page, in their order, and each option with its value begins a paragraph."""
    words = " ".join(plain(page))
    tags = {" ".join(plain(line)) for line in re.findall(r"^\.TP\n(.*)", page, re.M)}
    for line in gossamer(command, "--help").splitlines():
        if line in HEADINGS:  # the page has sections instead
            continue
        is_option = line.startswith("  -")
        line = line.strip()
        if line.startswith("gossamer " + command):
            line = line[len("gossamer " + command) :].strip()
        parts = re.split(r" {2,}", line)
        if is_option and parts[0] not in tags:
            wrong.append(f"gossamer-{command}.1: '{parts[0]}' begins no paragraph")
        for part in [" ".join(parts)] if is_option else parts:
            if " ".join(part.split()) not in words:
                wrong.append(f"gossamer-{command}.1: the help's '{part}' is missing")


def check_page(name, page, folder):
    file = folder / name
    file.write_text(page)
    if re.search(r"\.SH (\w+)\n(.*\n)*\.SH \1\n", page):
        wrong.append(f"{name}: a section comes twice")
    if page.count("\n.SY ") != page.count("\n.YS\n"):
        wrong.append(f"{name}: a synopsis without its end")
    if shutil.which("groff"):
        done = run("groff", "-man", "-Tutf8", "-ww", "-z", file)
        if done.returncode != 0 or done.stderr:
            wrong.append(f"{name}: groff: {done.stderr.strip()}")
    if shutil.which("mandoc"):
        done = run("mandoc", "-T", "lint", "-W", "warning", file)
        if done.stdout:
            wrong.append(f"{name}: mandoc: {done.stdout.strip()}")


def check_pages(folder):
    pages = {"gossamer.1": gossamer("help", "--man")}
    for command in COMMANDS:
        pages[f"gossamer-{command}.1"] = gossamer("help", "--man", command)
        check_words(command, pages[f"gossamer-{command}.1"])
        if f".BR gossamer\\-{command} (1)" not in pages["gossamer.1"]:
            wrong.append(f"gossamer.1 does not name gossamer-{command}(1)")
    for name, page in pages.items():
        check_page(name, page, folder)
    return pages


def check_options(fish):
    """Does the program ask for a value just where completion does, and know every option that completion offers?"""
    count = 0
    for line in fish.splitlines():
        found = re.match(r"complete -c gossamer -n '__fish_seen_subcommand_from (\w+)' (-l|-s) (\S+)(.*)", line)
        if not found or found[3] == "help" or found[1] == "help":
            continue
        option = ("--" if found[2] == "-l" else "-") + found[3]
        takes = " -x" in found[4] or " -r" in found[4]
        said = run(PROGRAM, found[1], option).stderr
        count += 1
        if "unknown option" in said or takes != ("needs a value" in said):
            wrong.append(f"completion says that {found[1]} {option} takes {'a' if takes else 'no'} value; the program says: {said.strip()}")
    if count < 100:
        wrong.append(f"only {count} options in the completion of fish")
    return count


def check_shells(written, folder):
    """Load in the shells, and complete a command, an option and a choice."""
    missing = []
    for shell, text in written.items():
        if not shutil.which(shell):
            missing.append(shell)
            continue
        (folder / ("_gossamer" if shell == "zsh" else shell)).write_text(text)
        if shell == "bash":
            words = 'for l in "re" "run --unt" "export --to vt" "sweep --one-f"; do COMP_WORDS=(gossamer $l); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
            done = run("bash", "-uc", f'. ./bash; complete -p gossamer >/dev/null && {words} _gossamer; echo "${{COMPREPLY[*]}}"; done', folder=folder)
            expected = "reduce response report\n--until\nvtu\n--one-file\n"
        elif shell == "zsh":
            done = run("zsh", "-fc", "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; autoload +X _gossamer && echo $_comps[gossamer]", folder=folder)
            expected = "_gossamer\n"
        else:
            lines = "; ".join(f"complete -C 'gossamer {word}'" for word in ("redu", "run --unt", "export --to vt"))
            done = run("fish", "--no-config", "-c", f"source fish; begin; {lines}; end | string replace -r '\\t.*' ''", folder=folder)
            expected = "reduce\n--until\nvtu\n"
        if done.returncode != 0 or done.stdout != expected or done.stderr:
            wrong.append(f"{shell}: {done.stdout.strip()!r} {done.stderr.strip()}, expected {expected!r}")
    return missing


def check_installed(files):
    for name, text in files.items():
        file = SHARE / name
        if not file.is_file():
            wrong.append(f"{file} is not installed")
        elif file.read_text() != text:
            wrong.append(f"{file} is not what the program writes")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pages = check_pages(folder)
        written = {shell: gossamer("help", "--completion", shell) for shell in PLACES}
        options = check_options(written["fish"])
        missing = check_shells(written, folder)
    missing += [tool for tool in ("groff", "mandoc") if not shutil.which(tool)]
    if SHARE:
        check_installed({**{f"man/man1/{name}": page for name, page in pages.items()}, **{PLACES[shell]: text for shell, text in written.items()}})
    for line in wrong:
        print(f"check_manual: {line}")
    print(f"check_manual: {len(pages)} man pages, completion of {options} options for {len(PLACES)} shells, {len(wrong)} errors"
          + (f"; not installed here: {', '.join(missing)}" if missing else ""))
    return 1 if wrong else 0


sys.exit(main())
