# shellcheck shell=bash
# What ./run and ./check share. Everything said here goes to standard error.

: "${root:?the project folder, set by the script that reads this}"

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# missing_packages LIST...: the packages of these lists that are not installed.
missing_packages() {
    local -a wanted
    mapfile -t wanted < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@")
    local installed
    installed=$'\n'$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)$'\n'
    local package
    for package in "${wanted[@]}"; do
        [[ $installed == *$'\n'"installed $package"$'\n'* ]] || echo "$package"
    done
}

# install_packages LIST...: installs what is missing of these lists. Elsewhere than on Debian, CMake says what it misses.
install_packages() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
    local -a missing
    mapfile -t missing < <(missing_packages "$@")
    [[ ${#missing[@]} -gt 0 ]] || return 0
    local -a as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        # Without a terminal there is nobody to type a password.
        if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
            fail "these packages are missing; ask an administrator for: apt-get install ${missing[*]}"
        fi
        as_root=(sudo)
    fi
    echo "Installing ${#missing[@]} packages: ${missing[*]}" >&2
    local log
    log=$(mktemp)
    local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    "${apt[@]}" update >"$log" 2>&1 || echo "The package lists could not all be updated; going on with what is there" >&2
    if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "the packages could not be installed: ${missing[*]}"
    fi
    rm -f "$log"
}

# fetch_wayland_glfw FOLDER: prints the folder with Debian's GLFW for Wayland, which cannot be installed beside that for X; nothing where
# it is not to be had.
fetch_wayland_glfw() {
    local library
    library=$(find "$1" -name 'libglfw.so.3' -printf '%h\n' -quit 2>/dev/null || true)
    if [[ -z $library ]] && command -v apt-get dpkg-deb >/dev/null; then
        mkdir -p "$1"
        (cd "$1" && apt-get -q download libglfw3-wayland && dpkg-deb -x libglfw3-wayland_*.deb .) >/dev/null 2>&1 || true
        library=$(find "$1" -name 'libglfw.so.3' -printf '%h\n' -quit)
    fi
    echo "$library"
}

# find_nvcc: where the CUDA compiler is; nothing where it is not.
find_nvcc() {
    command -v nvcc || { [[ ! -x /usr/local/cuda/bin/nvcc ]] || echo /usr/local/cuda/bin/nvcc; }
}

# lock_build: one build at a time in this working tree; unlock_build before anything long runs.
lock_build() {
    mkdir -p "$root/build"
    exec 9>"$root/build/.lock"
    flock -n 9 || {
        echo "Waiting for another build in $root/build" >&2
        flock 9
    }
}
unlock_build() { exec 9>&-; }

# configure FOLDER ARGUMENT...: runs CMake unless this folder was configured to the end with these very arguments.
configure() {
    local folder=$1 stamp=$1/.configured
    shift
    if [[ -f $folder/build.ninja && -f $stamp && $(<"$stamp") == "$*" ]]; then
        return 0
    fi
    rm -f "$stamp"
    mkdir -p "$folder"
    echo "Configuring $folder" >&2
    local log=$folder/configure.log
    # --fresh: what an interrupted run left behind is not trusted.
    if ! cmake --fresh -S "$root" -B "$folder" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        fail "CMake could not configure $folder"
    fi
    echo "$*" >"$stamp"
}

# Of builds that are made once. Units of 16 files take a quarter less time than those of 8, which suit a build that is repeated after
# each change; a compiler that frees its memory late takes 6 % less time.
# shellcheck disable=SC2034
quick=(-DTONESCOPE_QUICK_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16
    "-DCMAKE_CXX_FLAGS=--param=ggc-min-expand=1000 --param=ggc-min-heapsize=1000000")

# configure_sanitized FOLDER TEST_SET: with the address and undefined-behavior sanitizers. -Og and line tables alone halve the time that
# this build takes. GCC sees variables without a value in instrumented code.
configure_sanitized() {
    configure "$1" --preset cpu-asan -DTONESCOPE_TESTS=ON "-DTONESCOPE_TEST_SET=$2" "${quick[@]}" -DTONESCOPE_BENCH=OFF \
        "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-Og -g1 -DNDEBUG -Wno-error=maybe-uninitialized"
}

# build FOLDER TARGET...: quiet where there is nothing to do.
build() {
    local folder=$1
    shift
    if ! ninja -C "$folder" "$@" 2>&1 </dev/null |
        { grep --line-buffered -v -e '^ninja: no work to do' -e '^ninja: Entering directory' -e 'Re-checking globbed' || true; } >&2; then
        fail "the build failed; the messages above say where"
    fi
}

has_display() { [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; }

# start_display: a virtual display for as long as this script runs.
start_display() {
    display_folder=$(mktemp -d)
    mkfifo "$display_folder/number"
    Xvfb -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp -noreset 3<>"$display_folder/number" >/dev/null 2>&1 9>&- &
    display_process=$!
    trap stop_display EXIT
    local number=
    read -r -t 30 number <>"$display_folder/number" || true
    [[ -n $number ]] || fail "the virtual display did not start (Xvfb)"
    export DISPLAY=:$number
}
stop_display() {
    kill "$display_process" 2>/dev/null || true
    wait "$display_process" 2>/dev/null || true
    rm -rf "$display_folder"
}
