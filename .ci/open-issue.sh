#!/usr/bin/env bash
# Opens an issue with this title, or comments on the one that is open. Runs in GitHub Actions.
set -euo pipefail
title=$1
run="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
number=$(gh issue list --state open --search "in:title \"$title\"" --json number --jq '.[0].number // empty')
if [ -n "$number" ]; then
  gh issue comment "$number" --body "It still fails: $run"
else
  gh issue create --title "$title" --body "The weekly run says what fails: $run"
fi
