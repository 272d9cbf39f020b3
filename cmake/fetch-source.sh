#!/bin/bash
# Fetches and unpacks the original source of a Debian source package, unless it is there already.
#
#   cmake/fetch-source.sh PACKAGE DIRECTORY [PATH...]     leaves the unpacked source in DIRECTORY/PACKAGE
#
# With paths, only these files and directories of the source are unpacked, for sources of which little is needed.
# It comes through apt-get source, with a list of sources and a cache of its own in DIRECTORY/apt: the system's apt
# configuration is not changed. DEBIAN_MIRROR and DEBIAN_SUITE choose where from: by default the mirror and suite that
# the system's packages come from. Only the original tarball is taken, without Debian's changes; apt checks it against
# the signed index.
# Exit status: 0 it is there, 2 it could not be had (said on stderr).
set -euo pipefail

package=$1
mkdir -p "$2"
directory=$(cd "$2" && pwd)
paths=("${@:3}")
mirror=${DEBIAN_MIRROR:-}
suite=${DEBIAN_SUITE:-bookworm}
apt=$directory/apt

fail() {
    printf '%s\n' "$1" >&2
    tail -n 30 "$apt/log" >&2
    exit 2
}

[[ ! -d $directory/$package ]] || exit 0
if [[ -z $mirror ]]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" 'Component: main' 'Identifier: Packages' |
        head -n 1)
    [[ -n $mirror ]] || {
        echo "The system has no list of packages of $suite: run apt-get update, or set DEBIAN_MIRROR." >&2
        exit 2
    }
fi
echo "Fetching the source of $package ($suite) ..."
mkdir -p "$apt"/{state/lists/partial,cache/archives/partial}
exec 9>"$apt/lock"
flock 9
[[ ! -d $directory/$package ]] || exit 0
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$apt/sources.list"
options=(
    -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State="$apt/state" -o Dir::State::Status=/var/lib/dpkg/status -o Dir::Cache="$apt/cache"
)
if [[ ! -f $apt/updated ]]; then
    apt-get "${options[@]}" -o APT::Update::Error-Mode=any update >"$apt/log" 2>&1 || fail "apt-get update failed."
    touch "$apt/updated"
fi
rm -rf "$directory/$package.tmp"
mkdir "$directory/$package.tmp"
(cd "$directory/$package.tmp" && apt-get "${options[@]}" source --download-only --tar-only "$package") >"$apt/log" 2>&1 ||
    fail "apt-get source $package failed."
# The name of the directory in the tarball is not known, so a path begins with any.
tar -xf "$directory/$package.tmp"/*.orig.tar.* -C "$directory/$package.tmp" --strip-components=1 \
    ${paths[0]:+--wildcards "${paths[@]/#/*/}"} >"$apt/log" 2>&1 || fail "The source of $package is not as expected."
rm -f "$directory/$package.tmp"/*.orig.tar.*
mv "$directory/$package.tmp" "$directory/$package"
