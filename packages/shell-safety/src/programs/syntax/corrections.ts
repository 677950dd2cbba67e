// biome-ignore-all format: a line is a verb

/**
 * What `specs.ts` says wrongly or not at all, in the same form. Behind a verb, `--` says that its options end at the first operand;
 * `--*=` of a program, that its other long options have a value.
 */
export const CORRECTIONS: Readonly<Record<string, string>> = {
  aws: `
: --*= --debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --no-cli-auto-prompt --cli-auto-prompt --dry-run --dryrun --with-decryption --include-value --include-values --force --force-delete-without-recovery --no-deletion-protection --skip-final-snapshot --delete-automated-backups --terminate-instances --no-include-email
s3: --dryrun --quiet --recursive --delete --no-progress --only-show-errors --follow-symlinks --no-follow-symlinks --size-only --exact-timestamps --human-readable --summarize --force
`,
  az: `
: --*= -g|--resource-group= -n|--name= -o|--output= -f|--file= -y|--yes --no-wait --verbose --debug --only-show-errors --expose-token --admin --all --force --overwrite --overwrite-existing
`,
  date: `
: -s|--set= -d|--date= -f|--file= -r|--reference= -I|--iso-8601[=] -R|--rfc-email --rfc-3339= -u|--utc|--universal --debug --resolution ~
`,
  docker: `
: -H|--host= -c|--context= --config= -l|--log-level= -D|--debug --connection= --url=
compose: -f|--file= -p|--project-name= --profile= --env-file= --project-directory= --ansi= --progress=
compose down: -v|--volumes -t|--timeout= --rmi= --remove-orphans
compose rm: -v|--volumes -f|--force -s|--stop
compose run: -- -v|--volume= -e|--env= -u|--user= -w|--workdir= -p|--publish= -l|--label= --entrypoint= --name= --rm -T -d|--detach -i -t
compose exec: -- -e|--env= -u|--user= -w|--workdir= --index= -T -d|--detach --privileged -i -t
compose config: --format= -o|--output= --environment --services --volumes --images --profiles --hash= -q|--quiet
run: -- -v|--volume= --mount= --pid= --userns= --ipc= --security-opt= --device=
exec: --
create: -- -v|--volume= --mount=
container run: -- -v|--volume= --mount=
container exec: --
container create: -- -v|--volume= --mount=
volume prune: -a|--all --filter=
secret inspect: --showsecret
`,
  'docker-compose': `
: -f|--file= -p|--project-name= --profile= --env-file= --project-directory=
down: -v|--volumes -t|--timeout= --rmi= --remove-orphans
rm: -v|--volumes -f|--force -s|--stop
run: -- -v|--volume= -e|--env= -u|--user= -w|--workdir= -p|--publish= --entrypoint= --name= --rm -T
exec: -- -e|--env= -u|--user= -w|--workdir= --index= -T --privileged
`,
  npm: `
uninstall|unlink|remove|rm|r|un: -g|--global -w|--workspace=
ls|list|ll|la: -g|--global
`,
  gcloud: `
: --*= -q|--quiet --async --no-async --force --global --recursive -r --all --no-user-output-enabled --delete-disks=
`,
  gh: `
: -R|--repo= --help
api: -X|--method= -H|--header= -f|--raw-field|-F|--field= -q|--jq= -t|--template= -p|--preview= --hostname= --input= --cache= -i|--include --paginate --slurp --silent --verbose
auth status: -t|--show-token
release download: -p|--pattern= -O|--output= -D|--dir= -A|--archive= --clobber --skip-existing
repo deploy-key add: -w|--allow-write -t|--title=
deploy-key add: -w|--allow-write -t|--title=
`,
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
