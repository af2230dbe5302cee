#!/usr/bin/env python3
"""Prints a bill of materials in CycloneDX 1.5: what is linked into the program, by name, version, licence and, for crates, checksum.

It has no time and no random number in it, so that the same sources give the same bytes.
"""

import json
import sys
import tomllib
import uuid

import licenses

# Licences as SPDX has them; each with the Debian package that the version is of.
LINKED = {
    "llvm": ("libllvm19", "Apache-2.0 WITH LLVM-exception"),
    "clang": ("libclang-19-dev", "Apache-2.0 WITH LLVM-exception"),
    "openmp": ("libomp-19-dev", "Apache-2.0 WITH LLVM-exception"),
    "libstdc++": (f"libstdc++-{licenses.gcc()}-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "zlib": ("zlib1g-dev", "Zlib"),
    "zstd": ("libzstd-dev", "BSD-3-Clause"),
    "glibc-headers": ("libc6-dev", "LGPL-2.1-or-later"),
    "linux-headers": ("linux-libc-dev", "GPL-2.0-only WITH Linux-syscall-note"),
}


def checksums():
    """By name and version, the hash of a crate's archive."""
    lock = tomllib.loads((licenses.ROOT / "Cargo.lock").read_text())
    return {(p["name"], p["version"]): p.get("checksum") for p in lock["package"]}


def main():
    own = tomllib.loads((licenses.ROOT / "Cargo.toml").read_text())["package"]
    known = checksums()
    components = []
    for package in licenses.crates():
        name, version = package["name"], package["version"]
        component = {"type": "library", "name": name, "version": version, "purl": f"pkg:cargo/{name}@{version}"}
        if package["license"]:
            component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if known.get((name, version)):
            component["hashes"] = [{"alg": "SHA-256", "content": known[name, version]}]
        components.append(component)
    for name, (package, license) in LINKED.items():
        version = licenses.debian_version(package)
        purl = f"pkg:deb/debian/{package}@{version}"
        components.append(
            {"type": "library", "name": name, "version": version, "purl": purl, "licenses": [{"expression": license}]}
        )
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": own["name"],
                "version": own["version"],
                "licenses": [{"expression": own["license"]}],
            }
        },
        "components": components,
    }
    bill["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(bill, sort_keys=True))}"
    json.dump(bill, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    sys.exit(main())
