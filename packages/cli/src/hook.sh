#!/bin/sh
# How an agent starts `hooks run`. An agent runs the tool after every exit code but 0 and 2, so this script turns all
# others into 2: Node is not there any more, or was killed, or has no memory left.
#
#   hook.sh gate|other <node> <hooks> run --as <agent> ...
#
# "gate" is an event whose failure refuses.
kind=$1
shift

# A policy that never leaves a loop is ended before the agent loses patience and runs the tool.
if [ "$kind" = gate ]; then ulimit -S -t 300 2>/dev/null; fi

# The answer goes to file 3, which is the agent's stdout. What a policy prints, and the programs that it starts, goes to
# stderr and cannot mix with it.
"$@" --answer-fd 3 3>&1 1>&2
code=$?
if [ "$code" -eq 0 ]; then exit 0; fi

# Codex runs the tool where it cannot write the whole event.
cat >/dev/null
if [ "$code" -eq 2 ] || [ "$kind" != gate ]; then exit "$code"; fi
echo "hooks run failed: it ended with exit code $code" >&2
exit 2
