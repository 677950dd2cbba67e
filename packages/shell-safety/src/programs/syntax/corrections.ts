// biome-ignore-all format: a line is a verb

/**
 * What `specs.ts` says wrongly or not at all, in the same form. Behind a verb, `--` says that its options end at the first operand;
 * `--*=` of a program, that its other long options have a value.
 */
export const CORRECTIONS: Readonly<Record<string, string>> = {
  git: `
: --config-env= --exec-path[=] --super-prefix= --attr-source= --shallow-file=
add: --pathspec-from-file= --chmod=
am: -n|--no-verify -C= -p= --directory= --exclude= --include= --patch-format= --whitespace= --quoted-cr= --empty= --abort --skip --quit
apply: -R|--reverse -C= -p= --directory= --exclude= --include= --whitespace=
branch: -u|--set-upstream-to= -d|--delete -D -m|--move -M -c|--copy -C -f|--force --merged[=] --no-merged[=] --contains= --no-contains= --points-at= --format= --sort=
checkout: -b= -B= -t --track[=] --orphan= --conflict= --pathspec-from-file= -U|--unified= --inter-hunk-context= -f|--force
cherry-pick: -n|--no-commit -x -m|--mainline= -X|--strategy-option= --strategy= --abort --skip --quit --no-verify
clean: -d -f|--force -x -X -e|--exclude= -i|--interactive -n|--dry-run
clone: -u|--upload-pack= -c|--config= -b|--branch= -o|--origin= --depth= -j|--jobs=
commit: -S|--gpg-sign[=] -u|--untracked-files[=] -n|--no-verify -C|--reuse-message= -c|--reedit-message= --trailer= --pathspec-from-file= -am=
config: --local --global --system --worktree -l|--list --get= --get-all= --get-regexp= --get-urlmatch= --unset= --unset-all= --show-origin --show-scope
difftool: -x|--extcmd= -t|--tool=
fetch: -j|--jobs= --upload-pack= -f|--force
filter-branch: --msg-filter= --tree-filter= --index-filter= --env-filter= --parent-filter= --commit-filter= --tag-name-filter= --subdirectory-filter= -f|--force
gc: --prune[=]
ls-remote: --upload-pack= --exec=
log: --follow -n|--max-count= -S= -G= -L= --since= --until= --author= --format= --pretty[=]
merge: -m|--message= -F|--file= -s|--strategy= -X|--strategy-option= -n|--no-stat --abort --quit --no-verify
ls-files: -o|--others -m|--modified -d|--deleted -i|--ignored -c|--cached -z -x|--exclude=
notes: -m|--message= -F|--file= --ref=
pull: -s|--strategy= -X|--strategy-option= --upload-pack= -f|--force -j|--jobs= --no-verify
push: --repo= -o|--push-option= --receive-pack= --exec= --force-with-lease[=] --force-if-includes --no-verify --prune -f|--force
read-tree: --reset --prefix=
rebase: -x|--exec= --onto= -s|--strategy= -X|--strategy-option= -C= --whitespace= --no-verify
remote update: -p|--prune
reset: -N|--intent-to-add --pathspec-from-file=
restore: -s|--source= -S|--staged -W|--worktree --conflict= --pathspec-from-file= -U|--unified= --inter-hunk-context=
revert: -m|--mainline= -s|--strategy= -X|--strategy-option= --abort --skip --quit
rm: -r -f|--force --cached -n|--dry-run --pathspec-from-file=
stash push: -m|--message= --pathspec-from-file=
submodule: -b|--branch= --reference= --depth= -f|--force
switch: -c|--create= -C|--force-create= -f|--force|--discard-changes -t|--track[=] --orphan= --conflict=
symbolic-ref: -m= -d|--delete
tag: -m|--message= -F|--file= -u|--local-user= -d|--delete --contains= --no-contains= --merged[=] --no-merged[=] --points-at= --format= --sort=
update-ref: -m= -d
worktree: -b= -B= --reason= -f|--force
`,
};
