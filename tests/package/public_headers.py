"""Holds public headers to what CONTRIBUTING.md asks of their comments.

    public_headers.py <compiler> <repository>

- Every example compiles: lines indented by four behind `///`, below a line `/// Example:`.
- Every header has one, but those that hold constants, enumerations and records alone.
- Comments name no header, source or page but public headers and pages that are there.

An example may begin with #include lines, sees the headers of its room, and may use the names of NAMES.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What an example may use without declaring it: the header of its type, and its type.
NAMES = {
    "progress": ("core/progress.hpp", "Progress&"),
    "seed": ("core/random.hpp", "std::uint64_t"),
    "grid": ("grid/grid.hpp", "const Grid&"),
    "elevation": ("grid/field.hpp", "const Field<float>&"),  # m
    "flow": ("flow/route.hpp", "const FlowResult&"),
    "lattice": ("flow/lattice.hpp", "const Lattice&"),
    "roots": ("grid/field.hpp", "const Field<std::uint8_t>&"),
    "basins": ("flow/basins.hpp", "const Basins&"),
    "hierarchy": ("flow/depression_hierarchy.hpp", "const DepressionHierarchy&"),
    "streams": ("flow/stream_tree.hpp", "const StreamTree&"),
    "inputs": ("erosion/erosion_inputs.hpp", "const ErosionInputs&"),
    "network": ("river/network.hpp", "const RiverNetwork&"),
    "line": ("meander/channel_line.hpp", "const ChannelLine&"),
    "history": ("meander/meander_history.hpp", "const MeanderHistory&"),
    "project": ("project/project.hpp", "const Project&"),
    "landscape": ("project/landscape.hpp", "const Landscape&"),
    "context": ("project/stage.hpp", "StageContext&"),
}

# Calls that a header of constants and records may hold: they are no service of its own.
PLAIN = re.compile(r"std::numeric_limits<[\w: ]+>::\w+\(\)|static void declare\(.*\);|operator==\(.*= default;")


def code_of(text):
    return "\n".join(line.split("//")[0] for line in text.splitlines() if not line.startswith("#"))


def needs_example(text):
    return "(" in PLAIN.sub("", code_of(text))


def examples_of(lines):
    """(number of its first line, its lines) of every example."""
    found = []
    for number, line in enumerate(lines):
        if line.strip() != "/// Example:":
            continue
        body = []
        for below in lines[number + 1 :]:
            if not below.strip().startswith("///     "):
                break
            body.append(below.strip().removeprefix("///     "))
        found.append((number + 2, body))
    return found


def wrong_names(header, lines, public, repository):
    """One sentence for every file that a comment names and a user of the library does not have."""
    for number, line in enumerate(lines, 1):
        comment = line[line.find("//") :] if "//" in line and not line.startswith("#") else ""
        comment = re.sub(r'"[^"]*"|\bhttps?:\S+', "", comment)
        for name in re.findall(r"[\w./-]+\.(?:hpp|cpp|md|h)\b", comment):
            if name.endswith(".md"):
                known = (repository / name).is_file()
            else:
                path = name.removeprefix("thalweg/")
                known = (path if "/" in path else f"{header.parent}/{path}") in public
            if not known:
                yield f"include/thalweg/{header}:{number}: names {name}, which is neither a public header (room/ of another room) nor a page"


def program_of(room, headers, examples):
    """A translation unit that includes the room and holds each example as a function."""
    shown = [line for _, _, body in examples for line in body if line.startswith("#include")]
    includes = [f'#include "thalweg/{name}"' for name in headers] + shown
    functions = []
    for number, (header, line, body) in enumerate(examples):
        code = "\n".join("" if row.startswith("#include") else row for row in body)
        used = [name for name in NAMES if re.search(rf"(?<![.\w]){name}\b", code)]
        includes += [f'#include "thalweg/{NAMES[name][0]}"' for name in used]
        arguments = ", ".join(f"[[maybe_unused]] {NAMES[name][1]} {name}" for name in used)
        functions.append(f"void {room}_{number}({arguments}) {{{{")
        functions.append(f'#line {line} "include/thalweg/{header}"\n{code}\n}}}}')
    return "\n".join([*includes, "using namespace thalweg;", *functions, ""])


def compiled(compiler, include, program):
    """What the compiler finds wrong; a value that an example shows and leaves there is not."""
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-variable",
               "-Wno-unused-but-set-variable", f"-I{include}", "-x", "c++", "-"]
    return subprocess.run(command, input=program, text=True, capture_output=True, check=False).stderr


def main():
    compiler, repository = sys.argv[1], Path(sys.argv[2])
    folder = repository / "include" / "thalweg"
    headers = sorted(path.relative_to(folder) for path in folder.rglob("*.hpp"))
    public = {str(header) for header in headers} | {"core/version.hpp"}
    faults, rooms = [], {}
    for header in headers:
        text = (folder / header).read_text(encoding="utf-8")
        lines = text.splitlines()
        room = rooms.setdefault(header.parts[0], ([], []))
        room[0].append(header)
        examples = examples_of(lines)
        room[1].extend((header, line, body) for line, body in examples)
        faults += wrong_names(header, lines, public, repository)
        if needs_example(text) and not any(body for _, body in examples):
            faults.append(f"include/thalweg/{header}: has no example")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = [program_of(room, *parts) for room, parts in rooms.items()]
        faults += filter(None, pool.map(lambda text: compiled(compiler, repository / "include", text), programs))
    print("\n".join(faults) or f"{sum(len(parts[1]) for parts in rooms.values())} examples compile")
    sys.exit(1 if faults or not rooms else 0)


main()
