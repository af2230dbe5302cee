#!/usr/bin/env python3
"""Measures the examples on this machine's GPU: as they are naively, by hand, and as `ompmemopt rewrite` makes them.

    scripts/bench_gpu.py OMPMEMOPT [--compiler clang-19] [--runs 5] [--out target/bench-gpu] [--host] [NAME...]

Each form is built with `--offload-arch` for the GPU that is found (or, with `--compiler nvc`, with `-mp=gpu`), must print what the naive form
prints without OpenMP, and is run so many times: the median counts. Transfer times and bytes are what LLVM's runtime says
(LIBOMPTARGET_PROFILE, LIBOMPTARGET_INFO), so programs of nvc have wall times alone. `table.md` and `plot.svg` are written into the folder.
Where there is no GPU nothing is done, and that is said; `--host` takes the host as a device, to try the script.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time
from typing import NamedTuple, Optional

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMS = ("naive", "expert", "rewritten")
COPY = re.compile(r"Copying data from (?:host to device|device to host).*Size=(\d+)")


class Device(NamedTuple):
    """What is measured on."""

    name: str
    flags: list


class Measured(NamedTuple):
    """One form of a program: seconds of the whole run and, where the runtime tells, of transfers, and bytes."""

    wall: float
    transfers: Optional[float]
    moved: Optional[int]


def say(command):
    """What a command prints, or nothing if it cannot be run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def device(compiler, host):
    """The GPU of this machine, with the compiler's flags for it."""
    if host:
        return Device("the host", ["-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu"])
    gpu = say(["nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader"]).splitlines()
    if gpu:
        name, capability = (part.strip() for part in gpu[0].rsplit(",", 1))
        of_nvc = ["-mp=gpu", f"-gpu=cc{capability.replace('.', '')}"]
        of_clang = ["-fopenmp", f"--offload-arch=sm_{capability.replace('.', '')}"]
        return Device(name, of_nvc if "nvc" in compiler else of_clang)
    found = re.search(r"Name:\s+(gfx\w+)", say(["rocminfo"]))
    if found:
        return Device(found[1], ["-fopenmp", f"--offload-arch={found[1]}"])
    return None


def sources(path):
    """The C files of one form, which is a file or a folder."""
    return sorted(path.rglob("*.c")) if path.is_dir() else [path]


def form_of(example, name):
    """The file or folder of a form, if there is one."""
    return next((path for path in (example / name, example / f"{name}.c") if path.exists()), None)


def rewritten(tool, naive, folder):
    """The naive form as the tool rewrites it."""
    copy = folder / f"rewritten{naive.suffix}"
    shutil.copytree(naive, copy) if naive.is_dir() else shutil.copy(naive, copy)
    subprocess.run([tool, "rewrite", "--quiet", "--in-place", copy], check=True)
    return copy


def build(compiler, flags, files, program):
    """Compiles and links."""
    # Products and sums are rounded one by one, as on the host.
    own = ["-Mnofma"]
    if "nvc" not in compiler:
        runtime = pathlib.Path(say([compiler, "-print-file-name=libomp.so"]).strip()).parent
        own = ["-ffp-contract=off", f"-Wl,-rpath,{runtime}"]
    subprocess.run([compiler, "-O2", *own, *flags, *map(str, files), "-o", str(program), "-lm"], check=True)


def output(program, variables=None):
    """Standard output and error of a run."""
    ran = subprocess.run([program], capture_output=True, text=True, env={**os.environ, **(variables or {})}, check=True)
    return ran.stdout, ran.stderr


def measure(program, expected, runs, told):
    """Runs a program: for its time, and, where the runtime tells, once for its transfers."""
    mandatory = {"OMP_TARGET_OFFLOAD": "MANDATORY"}
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        printed, _ = output(program, mandatory)
        times.append(time.perf_counter() - begin)
        if printed != expected:
            raise SystemExit(f"{program} prints something else on the device than without OpenMP")
    if not told:
        return Measured(statistics.median(times), None, None)
    profile = program.with_suffix(".json")
    output(program, {**mandatory, "LIBOMPTARGET_PROFILE": str(profile), "LIBOMPTARGET_PROFILE_GRANULARITY": "0"})
    events = json.loads(profile.read_text())["traceEvents"]
    totals = {event["name"]: event.get("dur", 0) for event in events}
    transfers = sum(totals.get(f"Total {way}", 0) for way in ("HostToDev", "DevToHost")) / 1e6
    _, copies = output(program, {**mandatory, "LIBOMPTARGET_INFO": "32"})
    return Measured(statistics.median(times), transfers, sum(int(size) for size in COPY.findall(copies)))


def cells(found):
    """One form in the table."""
    told = found.transfers is not None
    return [f"{found.wall * 1e3:.1f}", f"{found.transfers * 1e3:.2f}" if told else "", f"{found.moved:,}" if told else ""]


def table(name, results):
    """The table, as Markdown."""
    head = ["program"] + [f"{form}, {what}" for form in FORMS for what in ("ms", "ms of transfers", "bytes")]
    lines = [f"On {name}; wall time is that of the whole run.", "", "| " + " | ".join(head) + " |"]
    lines.append("|---|" + "---:|" * (len(head) - 1))
    for program, forms in results.items():
        row = [cell for form in FORMS for cell in (cells(forms[form]) if form in forms else [""] * 3)]
        lines.append("| `" + program + "` | " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def plot(results):
    """Wall times of each program, as parts of the naive form's, as SVG."""
    colours = {"naive": "#8a8f98", "expert": "#2f7f5f", "rewritten": "#2b6cb0"}
    height, left, width = 22 * len(results) * len(FORMS) // 2 + 60, 110, 520
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 80}" height="{height}" font-family="sans-serif" font-size="12">']
    for i, (form, colour) in enumerate(colours.items()):
        out.append(f'<rect x="{left + 110 * i}" y="8" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{left + 16 + 110 * i}" y="18">{form}</text>')
    y = 36
    for program, forms in results.items():
        out.append(f'<text x="{left - 8}" y="{y + 18}" text-anchor="end">{program}</text>')
        for form in FORMS:
            if form in forms:
                share = forms[form].wall / forms["naive"].wall
                out.append(f'<rect x="{left}" y="{y}" width="{width * min(share, 1):.1f}" height="9" fill="{colours[form]}"/>')
                out.append(f'<text x="{left + width * min(share, 1) + 4:.1f}" y="{y + 9}" font-size="9">{share:.2f}</text>')
            y += 10
        y += 3
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--compiler", default="clang-19")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "bench-gpu")
    parser.add_argument("--host", action="store_true")
    given = parser.parse_args()
    on = device(given.compiler, given.host)
    if on is None:
        print("no GPU is here (nvidia-smi and rocminfo name none): nothing was measured")
        return 0
    results = {}
    for example in sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir()):
        naive = form_of(example, "naive")
        if naive is None or (given.names and example.name not in given.names):
            continue
        folder = given.out / example.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        paths = {"naive": naive, "expert": form_of(example, "expert"), "rewritten": rewritten(given.tool, naive, folder)}
        build(given.compiler, [], sources(naive), folder / "run-host")
        expected, _ = output(folder / "run-host")
        results[example.name] = {}
        for form, path in paths.items():
            if path is not None:
                program = folder / f"run-{form}"
                build(given.compiler, on.flags, sources(path), program)
                found = measure(program, expected, given.runs, "nvc" not in given.compiler)
                results[example.name][form] = found
    (given.out / "table.md").write_text(table(on.name, results))
    (given.out / "plot.svg").write_text(plot(results))
    print(table(on.name, results), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
