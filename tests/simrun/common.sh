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
  local count=0 file words
  for file in /proc/[0-9]*/cmdline; do
    { mapfile -d '' words < "$file"; } 2> /dev/null || continue   # it has ended
    [[ "${words[*]}" == *"$1"* ]] && count=$((count + 1))
  done
  echo $count
}
# soon COMMAND...: waits until it is true, for two minutes at most: a busy machine takes its time.
soon() {
  local end=$((SECONDS + 120))
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}
# aside NAME COMMAND...: runs what mostly waits beside everything else, with logs of its own; gather says what came of it.
asides=()
aside() {
  local name=$1; shift
  mkdir "$logs/$name"
  (failures=0 logs=$logs/$name; "$@"; echo $failures > "$logs/failures") > "$logs/$name.said" 2>&1 &
  asides+=("$! $name")
}
gather() {
  local each
  for each in "${asides[@]}"; do
    wait "${each%% *}"
    each=$logs/${each#* }
    cat "$each.said"
    failures=$((failures + $(cat "$each/failures" 2> /dev/null || echo 1)))
  done
  asides=()
}
finish() { [ $failures = 0 ] && echo "all as expected"; exit $((failures > 0)); }
folder=$(mktemp -d); logs=$(mktemp -d); trap 'rm -rf "$folder" "$logs"' EXIT; cd "$folder" || exit 1
