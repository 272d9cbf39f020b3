#!/bin/bash
# install-packages.sh use|tests|mpich [log file]
# Installs the Debian packages that are missing: for building and using dampi, for its tests as well, or for
# building the patched MPICH (build-mpich).
# Needs root or sudo only when something is missing. With --list instead of a log file it only says which they are.
set -euo pipefail

use_packages=(
    g++ cmake ninja-build pkg-config       # the build
    mpich libmpich-dev                     # MPI itself
    libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev libpugixml-dev libdw-dev libelf-dev
    libboost-dev libboost-serialization-dev libtbb-dev zlib1g-dev libxxhash-dev nettle-dev
    libzydis-dev
)
tests_packages=(
    "${use_packages[@]}"
    libgtest-dev gfortran clang-format clang-tidy binutils python3-dev
    clang libclang-rt-dev                  # which clang-tidy brings along; its sanitizers
    make perl dpkg-dev                     # MPICH's own suite (tests/mpich)
    zsh                                    # its completion of dampi-run
    libopenmpi-dev openmpi-bin python3-mpi4py  # whose programs are verified, too
    python3-jsonschema python3-yaml        # the reports' schemas, and recipes
    chromium                               # in which the page of a report is tried (tests/page)
    iproute2 procps                        # several hosts on one machine (tests/hosts), and
    slurm-wlm slurm-wlm-basic-plugins munge libpmi2-0  # a Slurm cluster over them
)
mpich_packages=(
    gcc g++ gfortran make patch xz-utils bzip2
)

case "${1:-}" in
    use) packages=("${use_packages[@]}") ;;
    tests) packages=("${tests_packages[@]}") ;;
    mpich) packages=("${mpich_packages[@]}") ;;
    *) echo "usage: install-packages.sh use|tests|mpich [log file]" >&2; exit 2 ;;
esac
if [[ ${2:-} == --list ]]; then
    printf '%s\n' "${packages[@]}"
    exit 0
fi
log=${2:-/dev/null}

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $state == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    echo "All packages are installed."
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        echo "These packages are missing, and installing them needs root or sudo: ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "Installing packages: ${missing[*]}"
{
    "${as_root[@]}" apt-get update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
} </dev/null >>"$log" 2>&1
