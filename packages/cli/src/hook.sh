#!/bin/sh
# Starts `hooks run` for an agent. Agents treat every exit code except 0 and 2 as permission to run the tool, so this
# script turns the others into 2: for example, if Node is missing, was killed or is out of memory.
#
#   hook.sh gate|other [--warm <name>] <node> <hooks> run --as <agent> ...
#
# "gate" is an event that a failed hook refuses. With --warm, the script asks a worker that has already loaded the
# policy, over its socket, and starts one if there is none.
kind=$1
shift

# The workspace and the agent's settings may set variables that make Node, perl or the shell load code, and folders in PATH.
# `commandEnvironment` of @hooks/config does the same for the commands of hooks.
unset NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE OPENSSL_CONF OPENSSL_CONF_INCLUDE OPENSSL_ENGINES OPENSSL_MODULES
unset LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH GCONV_PATH BASH_ENV ENV CDPATH PERL5OPT PERL5LIB PERLLIB PERL5DB
# The workspace is the checkout that the agent is in. It may have moved into a folder of it.
workspace=$PWD
while [ -n "$workspace" ] && [ "$workspace" != "${HOME-}" ]; do
  if [ -e "$workspace/.git" ]; then break; fi
  workspace=${workspace%/*}
done
case $workspace in '' | "${HOME-}") workspace=$PWD ;; esac
# PATH may name it without the links in the name that the agent has for it.
here=$PWD
cd -P "$workspace" || exit 2
real=$PWD
cd "$here" || exit 2
given=$PATH:
PATH=
while [ -n "$given" ]; do
  folder=${given%%:*}
  given=${given#*:}
  case $folder in
    */node_modules/.bin | */node_modules/.bin/) continue ;;
    "$workspace" | "$workspace"/* | "$real" | "$real"/*) [ "$workspace" = "${HOME-}" ] || continue ;;
    /*) ;;
    *) continue ;;
  esac
  PATH=$PATH${PATH:+:}$folder
done

if [ "$1" = --warm ]; then
  base=${XDG_CONFIG_HOME:-${HOME-}/.config}/hooks/warm
  folder=$base$PWD
  name=$2
  shift 2
  if command -v perl >/dev/null || command -v curl >/dev/null; then
    if [ -S "$folder/$name" ] && [ -O "$folder/$name" ] && [ -O "$base" ] && [ ! -L "$base" ]; then
      # The client reads the event only when the worker asks for it. Until then, the cold start below can still read it. If
      # a worker dies with the event, the cold start finds none and refuses.
      reply=$(
        cd "$folder" || exit
        export LC_ALL=C
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
        echo 'hooks run failed: the worker sent no valid response' >&2
        if [ "$kind" = gate ]; then exit 2; fi
        exit 1
      }
    fi
    set -- "$@" --warm "$folder/$name"
  fi
fi

# Kill a policy in an endless loop before the agent's timeout, after which the agent would run the tool.
if [ "$kind" = gate ]; then ulimit -S -t 300 2>/dev/null; fi

# The answer goes to file 3, which is the agent's stdout, and messages to file 4, which is its stderr. The output of a policy
# is a message, so it cannot mix with the answer. The programs that a policy starts inherit neither file: Codex and Gemini
# CLI wait for every process that holds one, and after their timeout run the tool whatever the answer was.
"$@" --error-fd 4 --answer-fd 3 3>&1 4>&2 1>&2
code=$?
# 100 means that it answered. 0 does not: a policy can end the process before there is an answer.
if [ "$code" -eq 100 ]; then exit 0; fi

# Codex runs the tool if it cannot write the whole event.
cat >/dev/null
if [ "$code" -eq 2 ] || [ "$kind" != gate ]; then exit "$code"; fi
echo "hooks run failed: it ended with exit code $code" >&2
exit 2
