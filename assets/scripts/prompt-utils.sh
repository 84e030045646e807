# What bash tools may use that were written with prompts: `source "$LLM_PROMPT_UTILS_FILE"`. A tool has no terminal here, so
# every question goes to the user through Cairn: in the chat, or in the terminal that `cairn` was started in. Where nobody
# can answer, a question fails, and a guard ends the tool.

# Questions are written to descriptor 3 and answered on 4, a line each; texts are base64, so that none of them breaks a line.
cairn_ask() {
  local kind=$1 line part
  shift
  { : >&3 && : <&4; } 2>/dev/null || return 1
  {
    printf '%s' "$kind"
    for part in "$@"; do printf '\t%s' "$(printf '%s' "$part" | base64 | tr -d '\r\n')"; done
    printf '\n'
  } >&3
  IFS= read -r line <&4 || return 1
  [ "${line%%$'\t'*}" = answered ] || return 1
  line=${line#answered}
  while [ -n "$line" ]; do
    line=${line#$'\t'}
    part=${line%%$'\t'*}
    line=${line#"$part"}
    printf '%s' "$part" | base64 -d 2>/dev/null || printf '%s' "$part" | base64 -D
    printf '\n'
  done
}

# Prints what the user types.
input() { cairn_ask input "$1"; }

# The same, but what is typed is visible, and the user is told so.
password() { cairn_ask input "$1 (what you type is shown here; better keep it with: cairn vault add)"; }

editor() { cairn_ask input "$1"; }

# Prints 1 for yes and 0 for no.
confirm() {
  local answer
  answer=$(cairn_ask confirm "$1") || return 1
  if [ "$answer" = yes ]; then echo 1; else echo 0; fi
}

# Prints the number of what was chosen, from 0.
list() {
  local answer at=0 option
  answer=$(cairn_ask choice "$@") || return 1
  shift
  for option in "$@"; do
    if [ "$option" = "$answer" ]; then
      echo "$at"
      return
    fi
    at=$((at + 1))
  done
  return 1
}

# Prints the numbers of what was chosen, from 0.
checkbox() {
  local answers at=0 option chosen=
  answers=$(cairn_ask checkbox "$@") || return 1
  shift
  for option in "$@"; do
    if printf '%s\n' "$answers" | grep -qxF -- "$option"; then chosen="$chosen${chosen:+ }$at"; fi
    at=$((at + 1))
  done
  echo "$chosen"
}

# range QUESTION LEAST FIRST MOST
range() {
  local answer
  while answer=$(cairn_ask input "$1 (a number from $2 to $4)"); do
    if [[ $answer =~ ^-?[0-9]+$ ]] && ((answer >= $2 && answer <= $4)); then
      echo "$answer"
      return
    fi
  done
  return 1
}

# with_validate 'input "Name?"' validate_present
with_validate() {
  local answer
  while answer=$(eval "$1"); do
    if "$2" "$answer" >/dev/null; then
      printf '%s\n' "$answer"
      return
    fi
  done
  return 1
}

validate_present() { [ -n "$1" ] || { echo 'This is needed.' && return 1; }; }

error() { echo "Error: $*" >&2; }
warn() { echo "Warning: $*" >&2; }
info() { echo "$*" >&2; }
debug() { [ -z "${DEBUG:-}" ] || echo "$*" >&2; }
trace() { [ -z "${DEBUG:-}" ] || echo "$*" >&2; }
success() { echo "$*" >&2; }
show_error() { error "$@"; }
show_success() { success "$@"; }

# Colours are left out: what a tool says is read by a model.
black() { printf '%s' "$*"; }
red() { printf '%s' "$*"; }
green() { printf '%s' "$*"; }
yellow() { printf '%s' "$*"; }
gold() { printf '%s' "$*"; }
blue() { printf '%s' "$*"; }
magenta() { printf '%s' "$*"; }
cyan() { printf '%s' "$*"; }
white() { printf '%s' "$*"; }

detect_os() {
  case $(uname -s) in
    Linux*) echo linux ;;
    Darwin*) echo macos ;;
    *) echo windows ;;
  esac
}

get_opener() {
  case $(detect_os) in
    linux) echo xdg-open ;;
    macos) echo open ;;
    *) echo start ;;
  esac
}

open_link() { "$(get_opener)" "$1"; }

cairn_confirms_itself() {
  case ${AUTO_CONFIRM:-${LLM_AGENT_VAR_AUTO_CONFIRM:-}} in
    '' | 0 | false | no) return 1 ;;
  esac
}

# guard_operation [QUESTION]: ends the tool unless the user says yes.
guard_operation() {
  local answer
  if cairn_confirms_itself; then return; fi
  answer=$(cairn_ask confirm "${1:-Shall the tool go on?}") || {
    error 'Nobody is there to be asked, so this was not done.'
    exit 1
  }
  [ "$answer" = yes ] && return
  error 'The user does not want this.'
  exit 1
}

# guard_path PATH QUESTION: the same, for a path that leads out of the folder that the tool works in.
guard_path() {
  local base path
  base=$(pwd -P)
  path=$(cairn_real_path "$1")
  case $path in
    */../* | */..) ;;
    "$base" | "$base"/*) return ;;
  esac
  guard_operation "${2:-This leads out of the folder: $1. Go on?}"
}

# The path behind links; of what is not there yet, behind those of the folders that are.
cairn_real_path() {
  local path=$1 rest= links=0 folder
  case $path in /*) ;; *) path=$PWD/$path ;; esac
  while [ ! -d "$path" ]; do
    folder=${path%/*}
    if [ -L "$path" ] && [ $((links += 1)) -le 40 ]; then
      case $(readlink "$path") in
        /*) path=$(readlink "$path") ;;
        *) path=${folder:-/}/$(readlink "$path") ;;
      esac
      continue
    fi
    rest=/${path##*/}$rest
    path=${folder:-/}
  done
  path=$(cd -- "$path" && pwd -P)
  printf '%s\n' "${path%/}$rest"
}

# patch_file FILE PATCH: prints FILE as it is with the hunks of the file PATCH, each at the first place after the last one where
# its lines stand; the numbers of lines say nothing.
patch_file() {
  awk '
    function flush_hunk(   at, from, same) {
      if (size_old == 0 && size_new == 0) return
      hunks++
      for (from = cursor; from + size_old <= count; from++) {
        same = 1
        for (at = 0; at < size_old && same; at++) if (lines[from + at] != old[at]) same = 0
        if (same) break
      }
      if (!same && size_old > 0) { failed = hunks; size_old = size_new = 0; return }
      if (size_old == 0) from = count
      for (; cursor < from; cursor++) out[made++] = lines[cursor]
      for (at = 0; at < size_new; at++) out[made++] = fresh[at]
      cursor = from + size_old
      size_old = size_new = 0
    }
    FILENAME != ARGV[2] { lines[count++] = $0; next }
    /^(---|\+\+\+) / && !in_hunk { next }
    /^@@/ { if (!failed) flush_hunk(); in_hunk = 1; next }
    !in_hunk { next }
    /^\\/ { next }
    { sign = substr($0, 1, 1); text = substr($0, 2) }
    sign == "-" || sign == " " || $0 == "" { old[size_old++] = text }
    sign == "+" || sign == " " || $0 == "" { fresh[size_new++] = text }
    END {
      if (!failed) flush_hunk()
      if (hunks == 0) { print "Error: the patch has no hunk" > "/dev/stderr"; exit 1 }
      if (failed) { print "Error: hunk " failed " of the patch does not fit the file" > "/dev/stderr"; exit 1 }
      for (; cursor < count; cursor++) out[made++] = lines[cursor]
      for (at = 0; at < made; at++) print out[at]
    }
  ' "$1" "$2"
}
