#!/usr/bin/env bash
# Installs what building and testing need, and the packages that are named besides, where they are not there yet. Does nothing, and needs
# no rights, where all is in place.
set -euo pipefail

# clang-tools-19 has the offload packager and linker wrapper, libomp-19-dev the offload runtime with its host plugin,
# libclang-19-dev the headers of clang's library. The tests apply the tool's patches with git and patch, and run
# what it writes in OpenACC with gcc, which does that on the host; Neovim tries the language server.
packages=(clang-19 clang-tools-19 llvm-19-dev libclang-19-dev libomp-19-dev gcc g++ make binutils git patch neovim "$@")
oldest_cargo=1.88

fail() {
    echo "setup: $*" >&2
    exit 1
}

installed() {
    [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    missing=()
    for package in "${packages[@]}"; do
        installed "$package" || missing+=("$package")
    done
    if ((${#missing[@]})); then
        as_root=()
        if ((EUID != 0)); then
            command -v sudo >/dev/null || fail "needs root to install ${missing[*]}, and there is no sudo"
            as_root=(sudo)
        fi
        echo "setup: installing ${missing[*]}"
        "${as_root[@]}" apt-get update -qq
        for package in "${missing[@]}"; do
            [[ -n "$(apt-cache search --names-only "^${package//+/\\+}\$")" ]] ||
                fail "this system offers no package $package; LLVM 19 is in Debian 12 (updates), Debian 13 and Ubuntu 24.04"
        done
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${missing[@]}"
    fi
else
    for tool in clang-19 llvm-config-19 cc c++ gcc git patch; do
        command -v "$tool" >/dev/null ||
            fail "$tool is missing: install clang 19 with its tools and the headers of its library, LLVM 19 and its OpenMP runtime, a C and C++ compiler, gcc (the tests run OpenACC with it), git and patch"
    done
fi

# Debian 12's own cargo is too old (0.66), so Rust is for the user to install.
command -v cargo >/dev/null ||
    fail "cargo is missing: install Rust $oldest_cargo or newer with rustup, or your system's package of that version"
version=$(cargo --version | cut -d' ' -f2)
[[ "$(printf '%s\n' "$oldest_cargo" "$version" | sort --version-sort | head -n1)" == "$oldest_cargo" ]] ||
    fail "cargo $version is too old: run 'rustup update', or install Rust $oldest_cargo or newer"
