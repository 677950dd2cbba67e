// Written by `scripts/syntax.ts`. Names of verbs and options are from @withfig/autocomplete 2.692.3: see NOTICE.
// biome-ignore-all format: a line is a verb

/**
 * How programs are called: a line for each verb, behind the verbs that it belongs to, with its options. `|` stands between names
 * of the same verb or option. An option with `=` has a value, one with `[=]` only a value that is attached to it.
 * `~` says that long options may be abbreviated.
 */
export const SPECS: Readonly<Record<string, string>> = {
  'cargo': `
: --explain= --color= --config= -Z= -h|--help -V|--version -v|--verbose -q|--quiet
bench: --bin= --example= --test= --bench= -p|--package= --exclude= -j|--jobs= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
build|b: -p|--package= --exclude= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --target-dir= --out-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
check|c: -p|--package= --exclude= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
clean: -p|--package= --manifest-path= --target= --target-dir= --profile= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
config: --color= --config= -Z= -h|--help -v|--verbose
config get: --format= --merged= --color= --config= -Z= -h|--help -v|--verbose
config help: --color= --config= -Z= -h|--help -v|--verbose
doc|d: -p|--package= --exclude= -j|--jobs= --bin= --example= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
fetch: --manifest-path= --target= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
fix: -p|--package= --exclude= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
generate-lockfile: --manifest-path= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
git-checkout: --color= --config= -Z= -h|--help -v|--verbose
init: --registry= --vcs= --edition= --name= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
install: --version= --git= --branch= --tag= --rev= --path= -j|--jobs= --features= --profile= --bin= --example= --target= --target-dir= --root= --index= --registry= --message-format= --color= --config= -Z= -q|--quiet -f|--force -h|--help -v|--verbose
locate-project: --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
login: --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
logout: --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
metadata: --features= --filter-platform= --manifest-path= --format-version= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
new: --registry= --vcs= --edition= --name= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
owner: -a|--add= -r|--remove= --index= --token= --registry= --color= --config= -Z= -q|--quiet -l|--list -h|--help -v|--verbose
package: --target= --target-dir= --features= -p|--package= --exclude= --manifest-path= -j|--jobs= --color= --config= -Z= -q|--quiet -l|--list -h|--help -v|--verbose
pkgid: -p|--package= --manifest-path= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
publish: --index= --token= --target= --target-dir= -p|--package= --manifest-path= --features= -j|--jobs= --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
read-manifest: --manifest-path= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
report: --color= --config= -Z= -h|--help -v|--verbose
report future-incompatibilities: --id= -p|--package= --color= --config= -Z= -h|--help -v|--verbose
report help: --color= --config= -Z= -h|--help -v|--verbose
run|r: --bin= --example= -p|--package= -j|--jobs= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
rustc: -p|--package= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --print= --crate-type= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
rustdoc: -p|--package= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
search: --index= --limit= --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
test|t: --bin= --example= --test= --bench= -p|--package= --exclude= -j|--jobs= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
tree: --manifest-path= -p|--package= --exclude= --features= --target= -e|--edges= -i|--invert= --prune= --depth= --prefix= --charset= -f|--format= --color= --config= -Z= -q|--quiet -a|--all -d|--duplicates -V|--version -h|--help -v|--verbose
uninstall: -p|--package= --bin= --root= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
update: -p|--package= --precise= --manifest-path= --color= --config= -Z= -q|--quiet -w|--workspace -h|--help -v|--verbose
vendor: --manifest-path= -s|--sync= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
verify-project: --manifest-path= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
version: --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
yank: --vers= --index= --token= --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
help: --color= --config= -Z= -v|--verbose
add: -F|--features -v|--verbose --color= --rename= -p|--package= -q|--quiet -h|--help --path= --git= --branch= --tag= --rev= --registry= --target=
remove|rm: --target= -p|--package= -q|--quiet -v|--verbose --color= -h|--help`,
  'docker': `
:
attach: --detach-keys=
build: --add-host= --build-arg= --cache-from= -f|--file= --iidfile= --isolation= --label= --network= -o|--output= --platform= --progress= -q|--quiet --secret= --ssh= -t|--tag --target=
commit: -a|--author= -c|--change= -m|--message= -p|--pause
cp: -a|--archive -L|--follow-link
create: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
events: -f|--filter= --format= --since= --until=
exec: -d|--detach --detach-keys= -e|--env= --env-file= -i|--interactive -t|--tty -u|--user= -w|--workdir=
export: -o|--output=
history: --format= -H|--human -q|--quiet
images: -a|--all -f|--filter= --format= -q|--quiet
import: -c|--change= -m|--message= --platform=
info: -f|--format=
inspect: -f|--format= -s|--size --type=
kill: -s|--signal=
load: -i= -q|--quiet
login: -p|--password= -u|--username=
logs: -f|--follow --since= -n|--tail= -t|--timestamps --until=
ps: -a|--all -f|--filter= --format= -n|--last= -l|--latest -q|--quiet -s|--size
pull: -a|--all-tags --platform= -q|--quiet
push: -a|--all-tags -q|--quiet
restart: -t|--time=
rm: -f|--force -l|--link -v|--volumes
rmi: -f|--force
run: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= -d|--detach --detach-keys= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
save: -o|--output=
search: -f|--filter= --format= --limit=
sbom: -D|--debug --exclude= --format= --layers= -o|--output= --platform= -v|--version
start: -a|--attach --detach-keys= -i|--interactive
stats: -a|--all --format=
stop: -t|--t=
update: --blkio-weight= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --kernel-memory= -m|--memory= --memory-reservation= --memory-swap= --pids-limit= --restart=
version: -f|--format= --kubeconfig=
builder:
builder build: --add-host= --build-arg= --cache-from= -f|--file= --iidfile= --isolation= --label= --network= -o|--output= --platform= --progress= -q|--quiet --secret= --ssh= -t|--tag --target=
builder prune: -a|--all --filter= -f|--force --keep-storage=
config:
config create: -l= --template-driver=
config inspect: -f=
config ls: -f= --format= -q|--quiet
container:
container attach: --detach-keys=
container cp: -a|--archive -L|--follow-link
container create: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
container exec: -d|--detach --detach-keys= -e|--env= --env-file= -i|--interactive -t|--tty -u|--user= -w|--workdir=
container export: -o|--output=
container inspect: -f|--format= -s|--size
container kill: -s|--signal=
container logs: -f|--follow --since= -n|--tail= -t|--timestamps --until=
container ls: -a|--all -f|--filter= --format= -n|--last= -l|--latest -q|--quiet -s|--size
container prune: --filter= -f|--force
container restart: -t|--time=
container rm: -f|--force -l|--link -v|--volumes
container run: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= -d|--detach --detach-keys= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
container start: -a|--attach --detach-keys= -i|--interactive
container stats: -a|--all --format=
container stop: -t|--t=
container update: --blkio-weight= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --kernel-memory= -m|--memory= --memory-reservation= --memory-swap= --pids-limit= --restart=
context: -h|--help
context create: --default-stack-orchestrator= --description= --docker= --from= -h|--help --kubernetes=
context create aci: --description= -h|--help --location= --resource-group= --subscription-id=
context create ecs: --access-keys= --description= -h|--help --profile=
context export: -h|--help
context import: -h|--help
context inspect: -f= -h|--help
context list: --format= -h|--help -q|--quiet
context rm: -f|--force -h|--help
context show: -h|--help
context update: --default-stack-orchestrator= --description= --docker= -h|--help --kubernetes=
context use: -h|--help
image:
image build: --add-host= --build-arg= --cache-from= -f|--file= --iidfile= --isolation= --label= --network= -o|--output= --platform= --progress= -q|--quiet --secret= --ssh= -t|--tag --target=
image history: --format= -H|--human -q|--quiet
image import: -c|--change= -m|--message= --platform=
image inspect: -f=
image load: -i= -q|--quiet
image ls: -a|--all -f|--filter= --format= -q|--quiet
image prune: -a|--all --filter= -f|--force
image pull: -a|--all-tags --platform= -q|--quiet
image push: -a|--all-tags -q|--quiet
image rm: -f|--force
image save: -o|--output=
network:
network connect: --alias= --driver-opt= --ip= --ip6= --link= --link-local-ip=
network create: --aux-address= --config-from= -d|--driver= --gateway= --ip-range= --ipam-driver= --ipam-opt= --label= -o|--opt= --scope= --subnet=
network disconnect: -f|--force
network inspect: -f|--format= -v|--verbose
network ls: -f|--filter= --format= -q|--quiet
network prune: --filter= -f|--force
node:
node inspect: -f|--format=
node ls: -f|--filter= --format= -q|--quiet
node ps: -f|--filter= --format= -q|--quiet
node rm: -f|--force
node update: --availability= --label-add= --label-rm= --role=
buildx: --builder=
buildx bake: -f|--file= --load= --metadata-file= --no-cache= --print= --progress= --pull= --push= --set=
buildx build: --add-host= --allow= --build-arg= --build-context= --cache-from= --cache-to= --cgroup-parent= --compress= --cpu-period= --cpu-quota= --cpu-shares|-c= --cpuset-cpus= --cpuset-mems= --file|-f= --force-rm= --iidfile= --invoke= --isolation= --label= --load= --memory|-m= --memory-swap= --metadata-file= --network= --no-cache= --no-cache-filter= --output|-o= --platform= --print= --progress= --pull= --push= --quiet|-q= --rm= --secret= --security-opt= --shm-size= --squash= --ssh= --tag|-t= --target= --ulimit=
buildx create: --append= --bootstrap= --buildkitd-flags= --config= --driver= --driver-opt= --leave= --name= --node= --platform= --use=
buildx imagetools create: --append= --dry-run= --file|-f= --progress= --tag|-t=
buildx imagetools inspect: --format=
buildx inspect: --bootstrap=
buildx prune: --all|-a= --filter= --force|-f= --keep-storage= --verbose=
buildx rm: --all-inactive= --force|-f= --keep-daemon= --keep-state=
buildx use: --default= --global=
plugin:
plugin disable: -f|--force
plugin enable: --timeout=
plugin inspect: -f|--format=
plugin install: --alias=
plugin ls: -f|--filter= --format= -q|--quiet
plugin rm: -f|--force
secret:
secret create: -d|--driver= -l|--label= --template-driver=
secret inspect: -f|--format=
secret ls: -f|--filter= --format= -q|--quiet
service:
service create: --cap-add= --cap-drop= --config= --constraint= --container-label= --credential-spec= -d|--detach --dns= --dns-option= --dns-search= --endpoint-mode= --entrypoint= -e|--env= --env-file= --generic-resource= --group= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= --host= --hostname= --isolation= -l|--label= --limit-cpu= --limit-memory= --limit-pids= --log-driver= --log-opt= --max-concurrent= --mode= --mount= --name= --network= --placement-pref= -p|--publish= -q|--quiet --replicas= --replicas-max-per-node= --reserve-cpu= --reserve-memory= --restart-condition= --restart-delay= --restart-max-attempts= --restart-window= --rollback-delay= --rollback-failure-action= --rollback-max-failure-ratio= --rollback-monitor= --rollback-order= --rollback-parallelism= --secret= --stop-grace-period= --stop-signal= --sysctl= -t|--tty --ulimit= --update-delay= --update-failure-action= --update-max-failure-ratio= --update-monitor= --update-order= --update-parallelism= -u|--user= -w|--workdir=
service inspect: -f|--format=
service logs: -f|--follow --since= -n|--tail= -t|--timestamps
service ls: -f|--filter= --format= -q|--quiet
service ps: -f|--filter= --format= -q|--quiet
service rollback: -d|--detach -q|--quiet
service scale: -d|--detach
service update: --args= --cap-add= --cap-drop= --config-add= --config-rm= --constraint-add= --constraint-rm= --container-label-add= --container-label-rm= --credential-spec= -d|--detach --dns-add= --dns-option-add= --dns-option-rm= --dns-rm= --dns-search-add= --dns-search-rm= --endpoint-mode= --entrypoint= --env-add= --env-rm= --generic-resource-add= --generic-resource-rm= --group-add= --group-rm= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= --host-add= --host-rm= --hostname= --image= --isolation= --label-add= --label-rm= --limit-cpu= --limit-memory= --limit-pids= --log-driver= --log-opt= --max-concurrent= --mount-add= --mount-rm= --network-add= --network-rm= --placement-pref-add= --placement-pref-rm= --publish-add= --publish-rm= -q|--quiet --replicas= --replicas-max-per-node= --reserve-cpu= --reserve-memory= --restart-condition= --restart-delay= --restart-max-attempts= --restart-window= --rollback-delay= --rollback-failure-action= --rollback-max-failure-ratio= --rollback-monitor= --rollback-order= --rollback-parallelism= --secret-add= --secret-rm= --stop-grace-period= --stop-signal= --sysctl-add= --sysctl-rm= -t|--tty --ulimit-add= --ulimit-rm= --update-delay= --update-failure-action= --update-max-failure-ratio= --update-monitor= --update-order= --update-parallelism= -u|--user= -w|--workdir=
stack:
stack deploy: -c|--compose-file= --orchestrator= --resolve-image=
stack ls: --format= --orchestrator=
stack ps: -f|--filter= --format= --orchestrator= -q|--quiet
stack rm: --orchestrator=
stack services: -f|--filter= --format= --orchestrator= -q|--quiet
swarm:
swarm ca: --ca-cert= --ca-key= --cert-expiry= -d|--detach --external-ca= -q|--quiet
swarm init: --advertise-addr= --availability= --cert-expiry= --data-path-addr= --data-path-port= --default-addr-pool= --default-addr-pool-mask-length= --dispatcher-heartbeat= --external-ca= --listen-addr= --max-snapshots= --snapshot-interval= --task-history-limit=
swarm join: --advertise-addr= --availability= --data-path-addr= --listen-addr= --token=
swarm join-token: -q|--quiet
swarm leave: -f|--force
swarm unlock-key: -q|--quiet
swarm update: --autolock= --cert-expiry= --dispatcher-heartbeat= --external-ca= --max-snapshots= --snapshot-interval= --task-history-limit=
system:
system prune: -a|--all --filter= -f|--force
system df: --format= -v|--verbose
system events: -f|--filter= --format= --since= --until=
system info: -f|--format=
trust:
trust revoke: -y|--yes
volume:
volume create: -d|--driver= --label= -o|--opt=
volume inspect: -f|--format=
volume ls: -f|--filter= --format= -q|--quiet
volume prune: --filter= -f|--force
volume rm: -f|--force`,
  'docker-compose': `
: --ansi= --env-file= --file|-f= --profile= --project-directory= --project-name|-p= --workdir=
build: --build-arg= --memory|-m= --progress= --quiet|-q --ssh=
config|convert: --format= --hash= --output|-o= --quiet|-q
cp: --archive|-a --follow-link|-L --index=
down: --rmi= --timeout|-t= --volumes|-v
exec: --detach|-d --env|-e= --index= --interactive|-i --no-TTY|-T --tty|-t --user|-u= --workdir|-w=
images: --quiet|-q
kill: --signal|-s=
logs: --follow|-f --since= --tail= --timestamps|-t --until=
ls: --all|-a --filter= --format= --quiet|-q
port: --index= --protocol=
ps: --all|-a --filter= --format= --quiet|-q --status=
pull: --quiet|-q
restart: --timeout|-t=
rm: --all|-a --force|-f --stop|-s --volumes|-v
run: --detach|-d --entrypoint= --env|-e= --interactive|-i --label|-l= --name= --no-TTY|-T --publish|-p= --tty|-t --user|-u= --volume|-v= --workdir|-w=
stop: --timeout|-t=
up: --attach= --detach|-d --exit-code-from= --renew-anon-volumes|-V --scale= --timeout|-t=
version: --format|-f=`,
  'flyctl': `
: --access-token|-t= --builtinsfile= --json|-j --help|-h
agent:
agent daemon-start|run:
apps:
apps create: --name= --network= --org|-o=
apps destroy: --yes|-y
apps move: --org|-o= --yes|-y
apps open: --app|-a= --config|-c=
apps releases: --app|-a= --config|-c=
apps restart: -f|--force
auth:
auth login: --email= --interactive|-i --otp= --password=
autoscale: --app|-a= --config|-c=
autoscale balanced: --app|-a= --config|-c=
autoscale disable: --app|-a= --config|-c=
autoscale set: --app|-a= --config|-c=
autoscale show: --app|-a= --config|-c=
autoscale standard: --app|-a= --config|-c=
builds:
builds list: --app|-a= --config|-c=
certs: --app|-a= --config|-c=
certs create|add: --app|-a= --config|-c=
certs check: --app|-a= --config|-c=
certs list: --app|-a= --config|-c=
certs delete|remove: --app|-a= --config|-c= --yes|-y
certs show: --app|-a= --config|-c=
checks:
checks handlers create: --organization|-o= --type=
checks list: --app|-a= --check-name= --config|-c=
config: --app|-a= --config|-c=
config display: --app|-a= --config|-c=
config env: --app|-a= --config|-c=
config save: --app|-a= --config|-c=
config validate: --app|-a= --config|-c=
create: --name= --network= --org|-o=
dash|dashboard: --app|-a= --config|-c=
dash|dashboard metrics: --app|-a= --config|-c=
deploy: --app|-a= --build-arg= --build-target= --config|-c= --dockerfile= --env|-e= --image|-i= --image-label= --region|-r= --strategy=
destroy: --yes|-y
dig: --app|-a= --config|-c= --org|-o= --short|-s
doctor: --app|-a= --config|-c=
doctor diag: --app|-a= --config|-c=
history: --app|-a= --config|-c=
img|image:
img|image show: --app|-a= --config|-c=
img|image update: --app|-a= --config|-c= --yes|-y
info: --app|-a= --config|-c= --name|-n
ips: --app|-a= --config|-c=
ips allocate-v4: --app|-a= --config|-c= --region=
ips allocate-v6: --app|-a= --config|-c= --region=
ips list: --app|-a= --config|-c=
ips private: --app|-a= --config|-c=
ips release: --app|-a= --config|-c=
launch: --dockerfile= --image= --name= --org= --path= --region=
logs: --app|-a= --config|-c= --instance|-i= --region|-r=
machines|m|machine:
machines|m|machine clone: --app|-a= --config|-c= --detach|-d --name|-n= --org|-o= --region|-r=
machines|m|machine kill: --app|-a= --config|-c=
machines|m|machine list: --app|-a= --config|-c= --quiet|-q
machines|m|machine rm|remove: --app|-a= --config|-c= --force|-f
machines|m|machine run: --app|-a= --build-arg= --build-target= --config|-c= --cpu-kind= --cpus= --detach|-d --dockerfile= --entrypoint= --env|-e= --id= --image-label= --memory= --name|-n= --org= --port|-p= --region|-r= --size|-s= --volume|-v=
machines|m|machine start: --app|-a= --config|-c=
machines|m|machine status: --app|-a= --config|-c=
machines|m|machine stop: --app|-a= --config|-c= --signal|-s= --time=
monitor: --app|-a= --config|-c=
move: --org|-o= --yes|-y
open: --app|-a= --config|-c=
orgs:
orgs delete: --yes|-y
ping: --app|-a= --config|-c= --count|-n= --interval|-i= --org|-o= --size|-s=
pg|postgres:
pg|postgres attach: --app|-a= --config|-c= --database-name= --database-user= --postgres-app= --variable-name=
pg|postgres connect: --app|-a= --config|-c= --database= --password= --user=
pg|postgres create: --image-ref= --initial-cluster-size= --name= --organization= --password= --region= --snapshot-id= --vm-size= --volume-size=
pg|postgres db:
pg|postgres db list: --app|-a= --config|-c=
pg|postgres detach: --app|-a= --config|-c= --postgres-app=
pg|postgres users:
pg|postgres users list: --app|-a= --config|-c=
proxy: --app|-a= --config|-c= --org|-o= --select|-s
regions: --app|-a= --config|-c=
regions add: --app|-a= --config|-c= --group=
regions backup: --app|-a= --config|-c=
regions list: --app|-a= --config|-c=
regions remove: --app|-a= --config|-c= --group=
regions set: --app|-a= --config|-c= --group=
releases: --app|-a= --config|-c=
scale: --app|-a= --config|-c=
scale count: --app|-a= --config|-c= --max-per-region=
scale memory: --app|-a= --config|-c= --group=
scale show: --app|-a= --config|-c=
scale vm: --app|-a= --config|-c= --group= --memory=
secrets: --app|-a= --config|-c=
secrets import: --app|-a= --config|-c=
secrets list: --app|-a= --config|-c=
secrets set: --app|-a= --config|-c=
secrets unset: --app|-a= --config|-c=
ssh:
ssh console: --app|-a= --command|-C= --config|-c= --probe|-p --region|-r= --select|-s
ssh issue: --dotssh|-d --hours= --overwrite|-o --username|-u=
status: --app|-a= --config|-c= --rate=
status instance: --app|-a= --config|-c=
turboku: --heroku-token= --name= --org= --region=
version: --saveinstall|-s=
vm:
vm restart: --app|-a= --config|-c=
vm status: --app|-a= --config|-c=
vm stop: --app|-a= --config|-c=
vol|volumes:
vol|volumes create: --app|-a= --config|-c= --region|-r= --size|-s=
vol|volumes delete: --yes|-y
vol|volumes list: --app|-a= --config|-c=
vol|volumes snaps|snapshots:
wg|wireguard:
help:
help agent daemon-start|run:
help certs create|add:
help certs delete|remove:
help dash|dashboard:
help img|image:
help ls|list:
help machines|m|machine:
help machines|m|machine rm|remove:
help pg|postgres:
help vol|volumes:
help vol|volumes snaps|snapshots:
help wg|wireguard:`,
  'gh': `
:
alias:
alias set: -s|--shell
auth:
auth login: -h|--hostname= -s|--scopes= -w|--web --with-token=
auth logout: -h|--hostname=
auth refresh: -h|--hostname= -s|--scopes=
auth setup-git: -h|--hostname=
auth status: -h|--hostname= --with-token=
browse: -b|--branch= -c|--commit -n|--no-browser -p|--projects -R|--repo= -s|--settings -w|--wiki
completion: -s|--shell=
config:
config get: -h|--host=
config set: -h|--host=
gist:
gist create: -d|--desc= -f|--filename= -p|--public -w|--web
gist edit: -a|--add= -f|--filename
gist list: -L|--limit=
gist view: -f|--filename -r|--raw -w|--web
issue:
issue close: -R|--repo=
issue comment: -R|--repo= -b|--body= -F|--body-file= -e|--editor= -w|--web
issue create: -R|--repo= -a|--assignee= -b|--body= -F|--body-file= -l|--label= -m|--milestone= -p|--project= --recover= -t|--title= -w|--web
issue delete: -R|--repo=
issue edit: -R|--repo= --add-assignee= --add-label= -b|--body= -F|--body-file= -m|--milestone= --remove-assignee= --remove-label= --remove-project= -t|--title=
issue list: -R|--repo= -a|--assignee= -A|--author= -q|--jq= --json= -l|--label= -L|--limit= --mention= -m|--milestone= -S|--search= -s|--state= -t|--template= -w|--web
issue reopen: -R|--repo=
issue status: -R|--repo= -q|--jq= --json= -t|--template=
issue transfer: -R|--repo=
issue view: -R|--repo= -c|--comments -q|--jq= --json= -t|--template= -w|--web
pr:
pr checks: -w|--web
pr close: -d|--delete-branch
pr edit: --add-assignee= --add-label= --add-project= --add-reviewer= -B|--base= -b|--body= -F|--body-file= -m|--milestone= --remove-assignee= --remove-label= --remove-project= --remove-reviewer= -t|--title= --repo|-R=
pr comment: -b|--body= -e|--editor -w|--web
pr create: -a|--assignee= -B|--base= -b|--body= -d|--draft -f|--fill -H|--head= -l|--label= -m|--milestone= -p|--project= -recover= -r|--reviewer= -t|--title= -w|--web
pr diff: --color=
pr list: -a|--assignee= -B|--base= -l|--label= -L|--limit= -s|--state= -w|--web=
pr merge: -d|--delete-branch -m|--merge -r|--rebase -s|--squash
pr review: -a|--approve -b|--body= -c|--comment -r|--request-changes
pr view: -c|--comments -w|--web
repo:
repo archive: -y|--confirm
repo clone: -u|--upstream-remote-name=
repo create: -y|--confirm -d|--description= -h|--homepage= -p|--template= -c|--clone -g|--gitignore= -l|--license= -r|--remote= -s|--source= -t|--team=
repo deploy-key: -R|--repo=
repo deploy-key add: -w|--allow-write -t|--title=
repo delete: -y|--confirm
repo edit: --add-topic= --default-branch= -d|--description= -h|--homepage= --remove-topic= --visibility=
repo fork: --remote-name= --org= --fork-name=
repo list: --visibility= -l|--language -L|--limit= -q|--jq -t|--template --topic=
repo rename: -y|--confirm --repo|-R= -R|--repo=
repo set-default: -u|--unset -v|--view
repo sync: -b|--branch= -s|--source=
repo view: -b|--branch= -w|--web -q|--jq= --json= -t|--template=
run: --repo|-R=
run list: --repo|-R= -L|--limit= -w|--workflow=
run rerun: --repo|-R=
run view: --repo|-R= -j|--job= -v|--verbose -w|--web
run watch: --repo|-R= -i|--interval=
secret: --repo|-R=
secret list: --repo|-R= -e|--env= -o|--org=
secret remove: --repo|-R= -e|--env= -o|--org=
secret set: --repo|-R= -e|--env= -o|--org= -b|--body= -v|--visibility=
ssh-key:
ssh-key add: --repo|-R= -t|--title
ssh-key list: --repo|-R=
workflow: --repo|-R=
workflow disable: --repo|-R=
workflow enable: --repo|-R=
workflow list: --repo|-R= -a|--all -L|--limit=
workflow run: --repo|-R= -F|--field= -f|--raw-field= -r|--ref=
workflow view: --repo|-R= -r|--ref= -w|--web -y|--yaml
codespace|cs:
codespace|cs code: -c|--codespace= -w|--web
codespace|cs cp: -c|--codespace= -e|--expand -p|--profile= -r|--recursive
codespace|cs create: -b|--branch --devcontainer-path= -d|--display-name= --idle-timeout= -l|--location= -m|--machine= -R|--repo= --retention-period= -s|--status
codespace|cs delete: -c|--codespace= --days= -f|--force -o|--org= -r|--repo= -u|--user=
codespace|cs edit: -c|--codespace= -d|--display-name= -m|--machine=
codespace|cs jupyter: -c|--codespace=
codespace|cs list: -q|--jq= --json= -L|--limit= -o|--org= -R|--repo= -t|--template= -u|--user=
codespace|cs logs: -c|--codespace= -f|--follow
codespace|cs ports: -c|--codespace= -q|--jq= --json= -t|--template=
codespace|cs ports forward: -c|--codespace=
codespace|cs ports visibility: -c|--codespace=
codespace|cs rebuild: -c|--codespace=
codespace|cs ssh: -c|--codespace= -d|--debug --debug-file= --profile= --server-port=
codespace|cs stop: -c|--codespace= -o|--org= -u|--user=
project:
project create: --title= --owner= --format=
project edit: --title= -d|--description= --owner= --readme= --visibility=
project list: --closed= --owner= -L|--limit= --format=
project delete: --owner= --format=
project close: --owner= --format=
project view: --owner= --format= -w|--web
project copy: --title= --target-owner= --source-owner= --format=
project field-create: --name= --data-type= --owner= --format= --single-select-options=
project field-delete: --id=
project field-list: --owner= -L|--limit=
project item-create: --title= --body= --format= --owner=
project item-edit: --id= --project-id= --title= --body= --format= --field-id= --iteration-id= --text= --number= --single-select-option-id= --date=
project item-delete: --id= --format= --owner=
project item-list: --format= -L|--limit= --owner=
project item-add: --url= --owner= --format=
project item-archive: --id= --format= --owner=`,
  'git': `
: ~ --version --help -C= -c= --exec-path[=] --html-path --man-path --info-path -p|--paginate --no-pager --no-replace-objects --no-optional-locks --bare --git-dir= --work-tree= --namespace=
archive: --format= --prefix= --add-file= -o|--output= --worktree-attributes -v|--verbose -NUM -l|--list --remote= --exec=
blame: --incremental -b --root --show-stats --progress --score-debug -f|--show-name -n|--show-number -p|--porcelain --line-porcelain -c -t -l -s -e|--show-email -w --ignore-rev= --ignore-revs-file= --color-lines --color-by-age --minimal -S= --contents= -C -M -L= --abbrev[=]
commit: -m|--message= -a|--all -am= -v|--verbose -p|--patch -C|--reuse-message= -c|--reedit-message= --fixup= --squash= --reset-author --short --branch --porcelain --long -z|--null -F|--file= --author= --date= -t|--template= -s|--signoff --no-signoff -n|--no-verify --allow-empty --allow-empty-message --cleanup= -e|--edit --no-edit --amend --no-post-rewrite -i|--include -o|--only --pathspec-from-file= --pathspec-file-nul -u|--untracked-files[=] -q|--quiet --dry-run --status --no-status -S|--gpg-sign[=] --no-gpg-sign
config: --local= --global --replace-all --add --get --get-all --get-regexp= --get-urlmatch= --system --worktree -f|--file= --blob= --remove-section --rename-section --unset --unset-all -l|--list --fixed-value --type= --no-type -z|--null --name-only --show-origin --show-scope --get-colorbool= --get-color= -e|--edit --includes --no-includes --default[=]
rebase: --onto= --keep-base --continue --abort --quit --apply --empty[=] --no-keep-empty --keep-empty --reapply-cherry-picks --no-reapply-cherry-picks --allow-empty-message --skip --edit-todo --show-current-patch -m|--merge -s|--strategy= -X|--strategy-option= --rerere-autoupdate --no-rerere-autoupdate -S|--gpg-sign[=] --no-gpg-sign -q|--quiet -v|--verbose --stat -n|--no-stat --no-verify --verify -C= --no-ff|--force-rebase|-f --fork-point --no-fork-point --ignore-whitespace --whitespace= --committer-date-is-author-date --ignore-date|--reset-author-date --signoff -i|--interactive -r|--rebase-merges[=] -x|--exec= --root --autosquash --no-autosquash --autostash --no-autostash --reschedule-failed-exec --no-reschedule-failed-exec
add: -n|--dry-run -v|--verbose -f|--force -i|--interactive -p|--patch -e|--edit -u|--update -A|--all|--no-ignore-removal --no-all|--ignore-removal -N|--intent-to-add --refresh --ignore-errors --ignore-missing --no-warn-embedded-repo --renormalize --chmod= --pathspec-from-file= --pathspec-file-nul
stage: -n|--dry-run -v|--verbose -f|--force -i|--interactive -p|--patch -e|--edit -u|--update -A|--all|--no-ignore-removal --no-all|--ignore-removal -N|--intent-to-add --refresh --ignore-errors --ignore-missing --no-warn-embedded-repo --renormalize --chmod= --pathspec-from-file= --pathspec-file-nul
status: -s|--short -v|--verbose -b|--branch --show-stash --porcelain[=] --ahead-behind --no-ahead-behind --column[=] --no-column[=] --long -z|--null -u|--untracked-files[=] --ignore-submodules[=] --ignored[=] --no-renames --renames --find-renames[=]
clean: -d -f|--force -i|--interactive -n|--dry-run -q|--quiet -e|--exclude= -x -X
push: --all --prune --mirror -n|--dry-run --porcelain -d|--delete --tags --follow-tags --signed[=] --no-signed --atomic --no-atomic -f|--force --repo= -u|--set-upstream --thin --no-thin -q|--quiet -v|--verbose --progress --no-recurse-submodules --recurse-submodules= --verify --no-verify -4|--ipv4 -6|--ipv6 -o|--push-option= --receive-pack|--exec= --no-force-with-lease --force-with-lease[=]
pull: --rebase|-r[=] --no-rebase --commit --no-commit --edit|-e --no-edit --cleanup= --ff --no-ff --ff-only -S|--gpg-sign[=] --no-gpg-sign --log[=] --no-log --signoff --no-signoff --stat -n|--no-stat --squash --no-squash --no-verify -s|--strategy= -X|--strategy-option= --verify-signatures --no-verify-signatures --summary --no-summary -q|--quiet -v|--verbose --autostash --no-autostash --allow-unrelated-histories --all -a|--append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow --update-shallow --negotiation-tip= --dry-run -f|--force -k|--keep -p|--prune -P|--prune-tags --no-tags --refmap= -t|--tags --recurse-submodules[=] --no-recurse-submodules -j|--jobs= --set-upstream --upload-pack= --progress -o|--server-option= --show-forced-updates --no-show-forced-updates -4|--ipv4 -6|--ipv6
diff: --staged --cached --help --numstat --name-only --shortstat --stat[=]
reset: --keep --soft --hard --mixed -N --merge -q|--quiet --no-quiet --pathspec-from-file= --pathspec-file-nul -p|--patch
log: --follow= -q|--quiet --show-signature --source --oneline -p|-u|--patch --stat --grep= --author=
remote: -v|--verbose
remote add: -t= -m= -f --tags --no-tags --mirror=
remote set-head: --auto|-a --delete|-d
remote set-branches: --add
remote rm|remove:
remote get-url: --push --all
remote set-url: --push --add --delete
remote show: -n
remote prune: -n --dry-run
remote update: -p|--prune
fetch: --all -a|--append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow --update-shallow --negotiation-tip= --dry-run --write-fetch-head --no-write-fetch-head -f|--force -k|--keep --multiple --auto-maintenance|--auto-gc --no-auto-maintenance|--no-auto-gc --write-commit-graph --no-write-commit-graph -p|--prune -P|--prune-tags -n|--no-tags --refmap= -t|--tags --recurse-submodules[=] -j|--jobs= --no-recurse-submodules --set-upstream --submodule-prefix= --recurse-submodules-default[=] -u|--update-head-ok --upload-pack= -q|--quiet -v|--verbose --progress -o|--server-option= --show-forced-updates --no-show-forced-updates -4|--ipv4 -6|--ipv6 --stdin
stash:
stash push: -p|--patch -k|--keep-index -u|--include-untracked -a|--all -q|--quiet -m|--message= --pathspec-from-file
stash save: -p|--patch -k|--keep-index -u|--include-untracked -a|--all -q|--quiet
stash pop: --index -q|--quiet
stash drop: -q|--quiet
stash apply: --index -q|--quiet
stash store: -m|--message= -q|--quiet
reflog: --relative-date --all
clone: -l|--local --no-hardlinks -s|--shared --dry-run --reference= --reference-if-able= --dissociate -q|--quiet -v|--verbose --progress --server-option= -n|--no-checkout --bare --sparse --filter= --mirror -o|--origin= -b|--branch= -u|--upload-pack= --template= -c|--config= --depth= --shallow-since= --shallow-exclude= --single-branch --no-single-branch --no-tags --recurse-submodules[=] --shallow-submodules --no-shallow-submodules --remote-submodules --no-remote-submodules -j|--jobs[=] --separate-git-dir=
init: -q|--quiet --bare --object-format= --template= --separate-git-dir= -b|--initial-branch[=] --shared[=]
mv: -f|--force -k -n|--dry-run -v|--verbose
rm: --cached -f|--force -n|--dry-run -r
bisect:
bisect start: --term-new= --term-bad= --term-good= --term-old= --no-checkout --first-parent
bisect terms: --term-old --term-good
bisect visualize|view:
branch: -a|--all -d|--delete= -D= -m|--move= -M= -c|--copy -C -l|--list --create-reflog --edit-description= -f|--force --merged= --no-merged= --column --no-column --sort= --points-at= -i|--ignore-case --format= -r|--remotes --show-current -v|--verbose -q|--quiet --abbrev= --no-abbrev -t|--track= --no-track= -u|--set-upstream-to[=] --unset-upstream[=] --contains[=] --no-contains[=] --color[=] --no-color
checkout: -q|--quiet --progress --no-progress -f|--force -2|--ours -3|--theirs -b= -B= -t|--track --no-track --guess --no-guess -l -d|--detach --orphan= --ignore-skip-worktree-bits -m|--merge --conflict[=] -p|--patch --ignore-other-worktrees --overwrite-ignore --no-overwrite-ignore --recurse-submodules --no-recurse-submodules --overlay --no-overlay --pathspec-from-file= --pathspec-file-nul
cherry-pick: --continue --skip --quit --abort -e|--edit --cleanup= -x -m|--mainline= -n|--no-commit -s|--signoff -S|--gpg-sign[=] --no-gpg-sign --ff --allow-empty --allow-empty-message --keep-redundant-commits --strategy= -X|--strategy-option= --rerere-autoupdate --no-rerere-autoupdate
submodule: -q|--quiet --cached
submodule add: -b= -f|--force --name= --reference= --depth=
submodule status: --cached --recursive
submodule deinit: -f|--force --all
submodule update: --init --remote -N|--no-fetch --no-recommend-shallow --recommend-shallow -f|--force --checkout --rebase --merge --reference= --depth= --recursive --jobs= --single-branch --no-single-branch
submodule set-branch: -b|--branch= -d|--default
submodule summary: --cached --files -n= --summary-limit=
submodule foreach: --recursive
submodule sync: --recursive
merge: --commit --no-commit --edit|-e --no-edit --cleanup= --ff --no-ff --ff-only -S|--gpg-sign[=] --no-gpg-sign --log[=] --no-log --signoff --no-signoff --stat -n|--no-stat --squash --no-squash --no-verify -s|--strategy= -X|--strategy-option= --verify-signatures --no-verify-signatures --summary --no-summary -q|--quiet -v|--verbose --progress --no-progress --autostash --no-autostash --allow-unrelated-histories -m= -F|--file= --rerere-autoupdate --no-rerere-autoupdate --overwrite-ignore --no-overwrite-ignore --abort --quit --continue
tag: -l|--list -n= -d|--delete -v|--verify -a|--annotate -m|--message= --points-at=
restore: -s|--source= -p|--patch -W|--worktree -S|--staged -q|--quiet --progress --no-progress -2|--ours -3|--theirs -m|--merge --conflict= --ignore-unmerged --ignore-skip-worktree-bits --recurse-submodules --no-recurse-submodules --overlay --no-overlay --pathspec-from-file= --pathspec-file-nul
switch: -c|--create= -C|--force-create= -d|--detach --guess --no-guess -f|--force --discard-changes -m|--merge --conflict= -q|--quiet --progress --no-progress -t|--track= --no-track= --orphan= --ignore-other-worktrees --recurse-submodules --no-recurse-submodules
worktree:
worktree add: -f|--force -d|--detach --checkout --lock -b|-B=
worktree list: --porcelain -v|--verbose --expire=
worktree lock: --reason=
worktree move: -f|--force
worktree prune: -n|--dry-run -v|--verbose --expire=
worktree remove: -f|--force
apply: --exclude= --include= -p= --no-add --stat --numstat --summary --check --index -N|--intent-to-add --cached --unsafe-paths --apply -3|--3way --build-fake-ancestor= -z -C= --whitespace= --ignore-space-change|--ignore-whitespace -R|--reverse --unidiff-zero --reject --allow-overlap -v|--verbose --inaccurate-eof --recount --directory=
daemon: --strict-paths --base-path= --base-path-relaxed --interpolated-path= --export-all --inetd --listen= --port= --init-timeout= --max-connections= --syslog --log-destination= --user-path= --verbose --detach --pid-file= --user= --group --enable= --disable= --allow-override= --forbid-override= --informative-errors --no-informative-errors --access-hook=`,
  'helm': `
: --burst-limit= --kube-apiserver= --kube-as-group= --kube-as-user= --kube-ca-file= --kube-context= --kube-tls-server-name= --kube-token= --kubeconfig= --log-backtrace-at= --log-dir= --log-file= --log-file-max-size= --namespace|-n= --registry-config= --repository-cache= --repository-config= --stderrthreshold= --v|-v= --vmodule= --help|-h
create: --starter|-p=
dep|dependencies|dependency:
dep|dependencies|dependency build: --keyring=
dep|dependencies|dependency ls|list: --max-col-width=
dep|dependencies|dependency up|update: --keyring=
get:
get all: --revision= --template=
get hooks: --revision=
get manifest: --revision=
get notes: --revision=
get values: --all|-a --output|-o= --revision=
hist|history: --max= --output|-o=
install: --ca-file= --cert-file= --description= --generate-name|-g --key-file= --keyring= --name-template= --output|-o= --password= --post-renderer= --post-renderer-args= --repo= --set= --set-file= --set-string= --timeout= --username= --values|-f= --version=
lint: --set= --set-file= --set-string= --values|-f=
ls|list: --all|-a --all-namespaces|-A --date|-d --filter|-f= --max|-m= --offset= --output|-o= --reverse|-r --selector|-l= --short|-q --time-format=
package: --app-version= --dependency-update|-u --destination|-d= --key= --keyring= --passphrase-file= --version=
plugin:
plugin add|install: --version=
plugin ls|list:
plugin rm|remove|uninstall:
plugin up|update:
fetch|pull: --ca-file= --cert-file= --destination|-d= --key-file= --keyring= --password= --repo= --untardir= --username= --version=
registry:
registry login: --password|-p= --username|-u=
repo:
repo add: --ca-file= --cert-file= --key-file= --password= --username=
repo index: --merge= --url=
repo ls|list: --output|-o=
repo rm|remove:
repo up|update:
rollback: --history-max= --timeout=
search:
search hub: --endpoint= --max-col-width= --output|-o=
search repo: --max-col-width= --output|-o= --regexp|-r --version= --versions|-l
inspect|show:
inspect|show all: --ca-file= --cert-file= --key-file= --keyring= --password= --repo= --username= --version=
inspect|show chart: --ca-file= --cert-file= --key-file= --keyring= --password= --repo= --username= --version=
inspect|show crds: --ca-file= --cert-file= --key-file= --keyring= --password= --repo= --username= --version=
inspect|show readme: --ca-file= --cert-file= --key-file= --keyring= --password= --repo= --username= --version=
inspect|show values: --ca-file= --cert-file= --jsonpath= --key-file= --keyring= --password= --repo= --username= --version=
status: --output|-o= --revision=
template: --api-versions|-a= --ca-file= --cert-file= --description= --generate-name|-g --key-file= --keyring= --kube-version= --name-template= --output-dir= --password= --post-renderer= --post-renderer-args= --repo= --set= --set-file= --set-string= --show-only|-s= --timeout= --username= --values|-f= --version=
test: --filter= --timeout=
del|delete|un|uninstall: --description= --timeout=
upgrade: --ca-file= --cert-file= --description= --history-max= --install|-i --key-file= --keyring= --output|-o= --password= --post-renderer= --post-renderer-args= --repo= --set= --set-file= --set-string= --timeout= --username= --values|-f= --version=
verify: --keyring=
version: --client|-c --template=
help:
help dep|dependencies|dependency:
help dep|dependencies|dependency ls|list:
help dep|dependencies|dependency up|update:
help hist|history:
help ls|list:
help plugin add|install:
help plugin ls|list:
help plugin rm|remove|uninstall:
help plugin up|update:
help fetch|pull:
help repo ls|list:
help repo rm|remove:
help repo up|update:
help inspect|show:
help del|delete|un|uninstall:`,
  'kubectl': `
: -n|--namespace=
alpha:
alpha debug: --arguments-only= --attach= --container= --env= --image= --image-pull-policy= --quiet= -i|--stdin= --target= -t|--tty=
annotate: -f|--filename= -k|--kustomize= -o|--output= --resource-version= --dry-run= --field-selector= -R|--recursive -l|--selector= --template=
api-resources: -o|--output= --api-group= --sort-by= --verbs=
apply: -f|--filename= -k|--kustomize= -o|--output= --resource-version= --dry-run= --field-selector= -R|--recursive -l|--selector= --template= --field-manager= --grace-period= --prune-whitelist= --timeout=
apply edit-last-applied: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --field-manager=
apply set-last-applied: -f|--filename= -o|--output= --template=
apply view-last-applied: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector=
attach: -c|--container= --pod-running-timeout= -i|--stdin -t|--tty
auth:
auth can-i: -A|--all-namespaces -q|--quiet --subresource=
auth reconcile: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
autoscale: -o|--output= -R|--recursive --dry-run= -f|--filename= -k|--kustomize= --template= --cpu-percent= --generator= --max= --min= --name=
certificate:
certificate approve: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
certificate deny: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
cluster-info:
cluster-info dump: -o|--output= --template= -A|--all-namespaces --namespaces= --output-directory= --pod-running-timeout=
config: --kubeconfig=
config get-contexts: -o|--output= --no-headers=
config set: --set-raw-bytes=
config set-cluster: --server= --certificate-authority= --insecure-skip-tls-verify= --tls-server-name=
config set-context: --cluster= --user= --namespace=
config set-credentials: --client-certificate= --client-key= --token= --username= --password= --auth-provider= --auth-provider-arg= --exec-api-version= --exec-arg= --exec-command= --exec-env=
config view: -o|--output= --template=
convert: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --output-version=
cordon: --dry-run= -l|--selector=
cp: -c|--container= --no-preserve=
create: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template=
create clusterrole: --dry-run= -o|--output= --template= --aggregation-rule= --non-resource-url= --resource= --resource-name= --verb=
create clusterrolebinding: --dry-run= -o|--output= --template= --clusterrole= --user= --group= --serviceaccount=
create configmap: --dry-run= -o|--output= --template= --from-env-file= --from-file= --from-literal=
create cronjob: --dry-run= -o|--output= --template= --image= --restart= --schedule=
create deployment: --dry-run= -o|--output= --template= --image=
create ingress: --dry-run= -o|--output= --template= --annotation= --class= --default-backend= --field-manager= --rule=
create job: --dry-run= -o|--output= --template= --from= --image=
create namespace: --dry-run= -o|--output= --template=
create poddisruptionbudget: --dry-run= -o|--output= --template= -l|--selector= --max-unavailable= --min-available=
create priorityclass: --dry-run= -o|--output= --template= --description= --preemption-policy= --value=
create quota: --dry-run= -o|--output= --template= --field-manager= --hard= --scopes=
create role: --dry-run= -o|--output= --template= --resource= --resource-name= --verb=
create rolebinding: --dry-run= -o|--output= --template= --clusterrole= --group= --role= --serviceaccount= --username=
create secret docker-registry: --dry-run= -o|--output= --template= --docker-email= --docker-password= --docker-server= --docker-username= --from-file=
create secret generic: --dry-run= -o|--output= --template= --from-env-file= --from-file= --from-literal= --type=
create secret tls: --dry-run= -o|--output= --template= --cert= --key=
create service clusterip: --dry-run= -o|--output= --template= --clusterip= --tcp=
create service externalname: --dry-run= -o|--output= --template= --external-name= --tcp=
create service loadbalancer: --dry-run= -o|--output= --template= --tcp=
create service nodeport: --dry-run= -o|--output= --template= --node-port= --tcp=
create serviceaccount: --dry-run= -o|--output= --template=
delete: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --field-selector= -A|--all-namespaces --grace-period= --timeout=
describe: -f|--filename= -k|--kustomize= -R|--recursive -l|--selector= -A|--all-namespaces
diff: -f|--filename= -k|--kustomize= -R|--recursive --field-manager=
drain: --dry-run= -l|--selector= --grace-period= --pod-selector= --skip-wait-for-delete-timeout= --timeout=
edit: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --output-patch=
exec: -f|--filename= -c|--container= --pod-running-timeout= -i|--stdin -t|--tty
explain: --api-version=
expose: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= --cluster-ip= --external-ip= --generator= -l|--labels= --load-balancer-ip= --name= --overrides= --port= --protocol= --session-affinity= --target-port= --type=
get: --field-selector= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= -A|--all-namespaces --chunk-size= -L|--label-columns= --sort-by= -w|--watch
kustomize: -o|--output= --env|-e= --load-restrictor= --mount= --network-name=
label: --dry-run= --field-selector= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= --resource-version=
logs: -l|--selector= -c|--container= -f|--follow --limit-bytes= --max-log-requests= --pod-running-timeout= -p|--previous --since= --since-time= --tail=
patch: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= -p|--patch= --type=
port-forward: --address= --pod-running-timeout=
proxy: --accept-hosts= --accept-paths= --address= --api-prefix= --keepalive= -p|--port= --reject-methods= --reject-paths= -u|--unix-socket= -w|--www= -P|--www-prefix=
replace: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --grace-period= --raw= --timeout=
rollout:
rollout history: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --revision=
rollout pause: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
rollout restart: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
rollout resume: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
rollout status: -f|--filename= -k|--kustomize= -R|--recursive --revision= --timeout= -w|--watch
rollout undo: -f|--filename= -k|--kustomize= -R|--recursive --dry-run= --to_revision= --timeout=
run: -f|--filename= --dry-run= -k|--kustomize= -R|--recursive -o|--output= --template= --annotations= --cascade= --env= --grace-period= --hostport= --image= --image-pull-policy= -l|--labels= --limits= --overrides= --pod-running-timeout= --port= --requests= --restart= --serviceaccount= -i|--stdin --timeout= -t|--tty
scale: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --resource-version= -l|--selector= --template= --dry-run= --current-replicas= --replicas= --timeout=
set:
set env: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= -c|--containers= -e|--env= --from= --keys= --prefix=
set image: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template=
set resources: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= -c|--containers= --limits= --requests=
set selector: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --resource-version= --all=
set serviceaccount: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
set subject: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --group= --serviceaccount=
taint: --dry-run= -o|--output= -l|--selector= --template=
uncordon: --dry-run= -l|--selector=
version: -o|--output=
wait: --field-selector= -f|--filename= -o|--output= -R|--recursive -l|--selector= --template= -A|--all-namespaces= --for= --timeout=`,
  'npm': `
: ~
install|i|add: -P|--save-prod -D|--save-dev -O|--save-optional --no-save -E|--save-exact -B|--save-bundle -g|--global --global-style --legacy-bundling --legacy-peer-deps --strict-peer-deps --no-package-lock --registry= --verbose= --omit= --ignore-scripts --no-audit --no-bin-links --no-fund --dry-run -w|--workspace= -ws|--workspaces
run|run-script: -w|--workspace= -ws|--workspaces --if-present --silent --ignore-scripts --script-shell=
init: -y|--yes -w=
adduser|login: --registry= --scope=
audit: -w|--workspace= -ws|--workspaces --audit-level= --package-lock-only --json --omit=
audit fix: --dry-run -f|--force -w|--workspace= -ws|--workspaces
bin: -g|--global
bugs|issues: --no-browser --browser= --registry=
cache: --cache=
ci|clean-install|install-clean: --audit= --no-audit --ignore-scripts --script-shell= --verbose= --registry=
config|c:
config|c set: -g|--global
config|c list: -g -l --json
config|c edit: --global
dedupe|ddp:
deprecate: --registry=
docs|home: -w|--workspace= -ws|--workspaces --registry= --no-browser --browser=
doctor: --registry=
edit: --editor
help: --viewer=
help-search: -l|--long
logout: --registry= --scope=
ls|list: -a|-all --json -l|--long -p|--parseable --depth= --link --package-lock-only --no-unicode -g|--global --omit= -w|--workspace= -ws|--workspaces
org:
org set: --registry= --otp=
org rm: --registry= --otp=
org ls: --registry= --otp= --json -p|--parseable
outdated: -a|-all --json -l|--long -p|--parseable -g -w|--workspace= -ws|--workspaces
owner|author:
owner|author ls: --registry=
owner|author add: --registry= --otp=
owner|author rm: --registry= --otp=
pack: --json --dry-run -w|--workspace= -ws|--workspaces --pack-destination=
ping: --registry=
pkg:
pkg get: --json -w|--workspace= -ws|--workspaces
pkg set: --json -w|--workspace= -ws|--workspaces -f|--force
pkg delete: -w|--workspace= -ws|--workspaces -f|--force
prefix: -g|--global
profile:
profile get: --registry= --json -p|--parseable --otp=
profile set: --registry= --json -p|--parseable --otp=
profile enable-2fa: --registry= --otp=
profile disable-2fa: --registry= --otp=
prune: --omit= --dry-run --json --production -w|--workspace= -ws|--workspaces
publish: --tag= -w|--workspace= -ws|--workspaces --access= --dry-run --otp=
rebuild|rb: -g|--global -w|--workspace= -ws|--workspaces --ignore-scripts --no-bin-links
repo: -w|--workspace= -ws|--workspaces --no-browser --browser=
restart: --ignore-scripts --script-shell=
root: -g|--global
search|s|se|find: -l|--long --json --color= --no-color -p|--parseable --no-description --searchopts= --searchexclude= --registry= --prefer-online --prefer-offline --offline
set-script: -w|--workspace= -ws|--workspaces
star: --registry= --no-unicode
stars: --registry=
start: --ignore-scripts --script-shell=
stop: --ignore-scripts --script-shell=
team:
team create: --registry= --otp=
team destroy: --registry= --otp=
team add: --registry= --otp=
team rm: --registry= --otp=
team ls: --registry= --json -p|--parseable
test|tst|t: --ignore-scripts --script-shell=
token: --registry= --otp=
token list: --json -p|--parseable
token create: --read-only --cidr=
uninstall: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
r|rm: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
un: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
remove: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
unlink: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
unpublish: --dry-run -f|--force -w|--workspace= -ws|--workspaces
unstar: --registry= --otp= --no-unicode
update|upgrade|up: -g --global-style --legacy-bundling --strict-peer-deps --no-package-lock --omit= --ignore-scripts --no-audit --no-bin-links --no-fund --save --dry-run -w|--workspace= -ws|--workspaces
version: -w|--workspace= -ws|--workspaces --json --allow-same-version --no-commit-hooks --no-git-tag-version --preid= --sign-git-tag
view|v|info|show: -w|--workspace= -ws|--workspaces --json
whoami: --registry=`,
  'systemctl': `
: ~ -h|--help --version --system --user -H|--host= -M|--machine= -t|--type= --state= --failed -p|--property= -P -a|--all -l|--full -r|--recursive --reverse --with-dependencies --job-mode= -T|--show-transaction --show-types --value --check-inhibitors= -i --kill-who= -s|--signal= --what= --now --dry-run -q|--quiet --wait --no-block --no-wall --no-reload --legend= --no-pager --no-ask-password --global --runtime -f|--force --preset-mode= --root= -n|--lines= -o|--output= --firmware-setup --boot-loader-menu= --boot-loader-entry= --plain --timestamp= --read-only --mkdir --marked`,
  'terraform': `
: -chdir=
init: -lock= -force= -lock-timeout= -input= -chdir=
validate: -chdir=
plan: -parallelism= -refresh= -state= -var= -var-file= -lock= -force= -lock-timeout= -input= -chdir=
apply: -chdir=
destroy: -chdir=
console: -chdir=
fmt: -chdir=
force-unlock: -chdir=
get: -chdir=
graph: -chdir=
import: -chdir=
login: -chdir=
logout: -chdir=
output: -chdir=
providers: -chdir=
refresh: -chdir=
show: -chdir=
taint: -lock= -lock-timeout= -ignore-remote-version= -chdir=
untaint: -chdir=
workspace: -chdir=
workspace new: -lock= -lock-timeout= -state= -chdir=
workspace show: -chdir=
workspace list: -chdir=
workspace delete: -lock= -force= -lock-timeout= -input=`,
};
