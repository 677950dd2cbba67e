#!/bin/sh
# How an agent starts `hooks run`. An agent runs the tool after every exit code but 0 and 2, so this script turns all
# others into 2: Node is not there any more, or was killed, or has no memory left.
#
#   hook.sh gate|other [--warm <name>] <node> <hooks> run --as <agent> ...
#
# "gate" is an event whose failure refuses. With --warm, a worker that has loaded the policy already is asked over its
# socket, and is started where there is none.
kind=$1
shift

if [ "$1" = --warm ]; then
  base=${XDG_CONFIG_HOME:-${HOME-}/.config}/hooks/warm
  folder=$base$PWD
  name=$2
  shift 2
  if command -v perl >/dev/null || command -v curl >/dev/null; then
    if [ -S "$folder/$name" ] && [ -O "$folder/$name" ] && [ -O "$base" ] && [ ! -L "$base" ]; then
      # The event is read when the worker asks for it: until then, it is there for the start below. A worker that dies with
      # the event leaves none, which is refused.
      reply=$(
        cd "$folder" || exit
        export LC_ALL=C PERL5OPT=
        if command -v perl >/dev/null; then exec perl -C0 "${0%/*}/ask-worker.pl" "./$name"; fi
        exec curl --disable --silent --fail --noproxy '*' --max-time 590 \
          --unix-socket "./$name" --header 'Expect: 100-continue' --upload-file - http://localhost/
      ) && {
        # Four lines: hooks-1 and the exit code, o and stdout, e and stderr, end.
        set -f
        IFS='
'
        # shellcheck disable=SC2086
        set -- $reply
        case "$#:$1:$4" in
          "4:hooks-1 "[012]":end")
            code=${1#hooks-1 }
            [ "$2" = o ] || printf '%s\n' "${2#o}" || code=2
            [ "$3" = e ] || printf '%b\n' "${3#e}" >&2
            exit "$code"
            ;;
        esac
        echo 'hooks run failed: the worker gave no answer' >&2
        if [ "$kind" = gate ]; then exit 2; fi
        exit 1
      }
    fi
    set -- "$@" --warm "$folder/$name"
  fi
fi

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
