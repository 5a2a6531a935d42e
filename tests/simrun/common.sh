# Shared by the scripts of this folder. Usage: SCRIPT PROGRAM SOURCE_ROOT
simrun=$1 root=$2 failures=0
scenario=$root/scenarios/first_drive/scenario.xml
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
expect() { # expect CODE ARGS...: runs simrun, keeps out.tmp and err.tmp in $logs
  local want=$1 got=0; shift
  "$simrun" "$@" > "$logs/out.tmp" 2> "$logs/err.tmp" < /dev/null || got=$?
  [ "$got" = "$want" ] || fail "simrun $*: exit code $got, expected $want: $(head -3 "$logs/err.tmp")"
}
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $3"; }
processes_with() { # how many processes have this text in their command line
  local count=0 file
  for file in /proc/[0-9]*/cmdline; do
    if { tr '\0' ' ' < "$file"; } 2> /dev/null | grep -qF -- "$1"; then count=$((count + 1)); fi
  done
  echo $count
}
finish() { [ $failures = 0 ] && echo "all as expected"; exit $((failures > 0)); }
folder=$(mktemp -d); logs=$(mktemp -d); trap 'rm -rf "$folder" "$logs"' EXIT; cd "$folder" || exit 1
