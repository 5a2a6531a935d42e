#!/bin/sh
# A study with GNU parallel, here on all processors; with --sshlogin on several machines that share the folder.
set -eu
study=${1:-brake.study.xml} out=${2:-brake} shards=${3:-8}
seq "$shards" | parallel "simrun study $study -o $out --shard {}/$shards --jobs 1 -q || test \$? = 1"   # 1: some runs do not pass
simrun study "$study" -o "$out"
