#!/usr/bin/env python3
"""Writes docs/licenses.txt: under which terms stands what is linked into the program.

Crates are those that the binary is made of, as `cargo metadata` names them, with the texts that they come with. Libraries and headers that
the build with the feature `static` puts in are not crates: their terms are those that Debian's packages state.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = "x86_64-unknown-linux-gnu"
NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def gcc():
    """The version of the C++ compiler, as packages have it in their names."""
    return subprocess.check_output(["c++", "-dumpversion"], text=True).strip()


# What the static build links or carries, and the package that says its terms.
LINKED = {
    "LLVM and clang, with clang's headers": "libllvm19",
    "omp.h of LLVM's OpenMP runtime": "libomp-19-dev",
    "libstdc++ and libgcc": f"gcc-{gcc()}-base",
    "zlib": "zlib1g-dev",
    "zstd": "libzstd-dev",
    "headers of the GNU C library": "libc6-dev",
    "headers of the Linux kernel": "linux-libc-dev",
}
COMMON = {"GNU Lesser General Public License, version 2.1": "LGPL-2.1", "GNU General Public License, version 3": "GPL-3"}
RULE = "=" * 100


def crates():
    """The crates in the binary, sorted by name and version."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET]
    metadata = json.loads(subprocess.check_output(command, cwd=ROOT))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    found, left = set(), [root]
    while left:
        this = left.pop()
        if this in found:
            continue
        found.add(this)
        for dependency in nodes[this]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                left.append(dependency["pkg"])
    found.discard(root)
    return sorted((packages[i] for i in found), key=lambda package: (package["name"], package["version"]))


def debian_version(package):
    """Which version of a package of Debian's is installed."""
    command = ["dpkg-query", "--show", "--showformat=${Version}", package]
    return subprocess.check_output(command, text=True).strip()


def texts(package):
    """The licences that a crate comes with."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.name.upper().startswith(NAMES) and file.is_file())
    return [file.read_text(errors="replace").replace("\r\n", "\n").strip() for file in files]


def main():
    out = ["Terms of what ompmemopt is made of", "", "ompmemopt itself: Apache-2.0 OR MIT.", ""]
    listed = crates()
    out += ["Crates:", ""]
    out += [f"  {p['name']} {p['version']}: {p['license']}" for p in listed]
    out += ["", "Only in builds with the feature `static`:", ""]
    out += [f"  {what}" for what in LINKED]
    users = {}
    for package in listed:
        for text in texts(package):
            users.setdefault(" ".join(text.split()), (text, []))[1].append(package["name"])
    for text, names in users.values():
        out += ["", RULE, "Of " + ", ".join(dict.fromkeys(names)), "", text]
    for what, package in LINKED.items():
        text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace").strip()
        out += ["", RULE, f"Of {what}", "", text]
    for what, name in COMMON.items():
        out += ["", RULE, what, "", pathlib.Path(f"/usr/share/common-licenses/{name}").read_text().strip()]
    lines = "\n".join(out).split("\n")
    (ROOT / "docs" / "licenses.txt").write_text("\n".join(line.rstrip() for line in lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
