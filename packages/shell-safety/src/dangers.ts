// biome-ignore-all format: one danger a line
import type { Category, EffectKind, Finding, Severity } from './effect.ts';

/*
 * What rules and the table find: the id of the rule, what is wrong, and what to do instead.
 */

const KINDS: Readonly<Record<Category, EffectKind>> = {
  filesystem: 'delete',
  device: 'write',
  permission: 'mode',
  'system-file': 'write',
  'remote-code': 'execute',
  backdoor: 'listen',
  persistence: 'write',
  'fork-bomb': 'fork',
  'git-hooks': 'skip-check',
  docker: 'destroy',
  'sensitive-file': 'read',
  'secret-output': 'print-secret',
  'lost-work': 'lose-work',
  infrastructure: 'destroy',
  unjudged: 'unjudged',
};

/** A finding of the rule `<category>/<name>`: what is wrong, and what to do instead. */
function finding(rule: `${Category}/${string}`, wrong: string, instead: string, severity: Severity = 'high', kind?: EffectKind): Finding {
  // The type of `rule` says that one of them stands before the slash.
  const category = rule.slice(0, rule.indexOf('/')) as Category;
  return { rule, category, severity, kind: kind ?? KINDS[category], reason: `${wrong} ${instead}` };
}

const SMALLER = 'Run it in smaller parts.';
const UNSEEN = 'Hand it on without showing it: to the program that needs it, in a variable or by a pipe into its `--password-stdin`.';

export const backdoor: Finding = finding('backdoor/shell', 'This gives a shell on this machine to whoever is on the other end of a network connection.', 'Use `ssh`, or `nc -zv host port` to test a port.');
export const diskWrite = (path: string): Finding => finding('device/write', `This writes straight to ${path} and would destroy what is on it.`, 'Write to an image file instead (`of=disk.img`), and leave disks to the user.');
export const wipes = (tool: string, disk?: string): Finding => finding('device/format', `This ${tool} call changes or erases ${disk ?? 'a disk'} itself.`, 'Use an image file, list with a read-only call (`lsblk`, `fdisk -l`), and leave disks to the user.');
/** What `rm` of this target would destroy. */
export const deletion = (what: string): Finding => finding('filesystem/delete', `This would delete ${what}.`, 'Name the files or the folder inside the project that should go, for example `rm -rf ./dist`; never a root, a home or `*`.');
/** What `mv` of this source would take away. */
export const moving = (what: string): Finding => finding('filesystem/move', `This would move away ${what}.`, 'Move single files or folders of the project.');
export const deletionBySearch = (what: string): Finding => finding('filesystem/find-delete', `This would delete or rewrite files everywhere in ${what}.`, 'Start the search in a folder of the project and narrow it with -name in front of -delete.');
/** A function that starts itself in the background; the walk knows the functions. */
export const forkingFunction: Finding = finding('fork-bomb/function', 'This function starts copies of itself in the background without end and would hang the machine.', 'Do not run it; call a function recursively only with a condition that ends it and without `&` or `|`.');
export const forkingLoop: Finding = finding('fork-bomb/loop', 'This endless loop starts processes in the background without waiting for them and would hang the machine.', 'Loop a fixed number of times, or `wait` for each process.');
export const bypass: Finding = finding('git-hooks/bypass', "This skips the repository's git hooks.", 'Run the command without it, read what the hook complains about, and fix that.');
/** The short form, which people use on purpose: nothing is lost by it. */
export const skips: Finding = { ...bypass, rule: 'git-hooks/skip', severity: 'low' };
export const systemFile = (path: string): Finding => finding('system-file/write', `This changes ${path}, which decides who may use this system.`, 'Leave accounts and rights to the user, or ask them to run `visudo`, `useradd` or `passwd` themselves.');
export const loaded = (path: string): Finding => finding('system-file/load', `This changes ${path}, which the kernel or every program loads.`, 'Leave what the system starts with to the user.', 'critical');
export const started = (path: string): Finding => finding('persistence/write', `This writes ${path}, which is run by itself: by the clock, or at each start or login.`, 'Show the user what should run there, and let them install it.', 'critical');
export const written = (what: string): ((path: string) => Finding) => (path) => finding('sensitive-file/write', `This writes ${path}, ${what}.`, 'Show the user the lines, and let them write the file.', 'high', 'write');
export const access: Finding = finding('backdoor/access', 'This gives somebody lasting access to this machine or another one.', 'Leave `authorized_keys` and `ssh-copy-id` to the user; show them the key to add.');
export const wipesContainers: Finding = finding('docker/wipe', 'This deletes volumes, containers or images by the lot, with the data in them.', 'Remove what you made by its name (`docker rm web`, `docker volume rm app_test`).');
export const destroysResources: Finding = finding('infrastructure/destroy', 'This deletes resources of a cloud, a cluster or a service, with the data in them.', 'Show the user what would go (a plan, a list, a dry run), and let them run it.');
export const changesResources: Finding = finding('infrastructure/change', 'This changes what runs in a cloud, a cluster or a service.', 'Show the user what would change first.', 'medium');
export const destroysData: Finding = finding('infrastructure/database', 'This deletes a database, its tables or all rows of one.', 'Work on a copy or a test database, or give the statement to the user.');
export const losesData: Finding = finding('lost-work/data', 'This deletes files of other projects, of the user or of a service, which nobody can bring back.', 'Delete what you made yourself, by its name; leave everything outside the project to the user.');
export const losesSources: Finding = finding('lost-work/sources', 'This deletes the sources of the project, with all that is not committed.', 'Delete single files by name, or `git rm` what is committed.');
export const discards: Finding = finding('lost-work/discard', 'This throws away changes that are not committed, and nothing brings them back.', 'Commit or `git stash` them first, or name the one file that the user wants reset.');
export const discardsIgnored: Finding = finding('lost-work/ignored', 'This deletes files that git ignores, such as `.env` and local data, which are nowhere else.', 'Look with `git clean -n` first, and delete what has to go by its name.');
export const dropsStash: Finding = finding('lost-work/stash', 'This deletes stashed changes, which are nowhere else.', 'Leave stashes to the user, or `git stash pop` the one that is yours.');
export const rewritesRemote: Finding = finding('lost-work/force-push', 'This overwrites or deletes history on the remote, and with it what others have pushed.', 'Use `--force-with-lease` on a branch of your own after the user has agreed.');
export const deletesBranch: Finding = finding('lost-work/branch', 'This deletes a branch whose commits may be nowhere else.', 'Use `git branch -d`, which keeps what is not merged.');
export const rewritesHistory: Finding = finding('lost-work/history', 'This rewrites history or deletes what it could be restored from.', 'Make new commits (`git revert`) instead, or ask the user.');
/** May be fine: what is lost can be had back with some work. */
export const mayLose: Finding = finding('lost-work/recoverable', 'This changes or deletes commits, branches or tags that others may use.', 'Make sure that nobody needs them.', 'low');
export const rootShell: Finding = finding('permission/root-shell', 'This opens a shell with the rights of root, in which everything is allowed.', 'Run the one command that needs these rights with `sudo`.');
export const hostRights: Finding = finding('permission/host', 'This gives a container the rights of root on this machine.', 'Mount only folders of the project, and add only the one capability or device that is needed.');
export const givesRights: Finding = finding('permission/rights', 'This gives a user or a program the rights of an administrator.', 'Leave rights to the user; say which one is needed, and why.');
/** Docker's group is as good as root. */
export const joinsDocker: Finding = { ...givesRights, rule: 'permission/docker-group' };
export const accounts: Finding = finding('system-file/account', 'This creates, changes or deletes an account of this machine.', 'Leave accounts and passwords to the user.');
export const opensCloud: Finding = finding('infrastructure/access', 'This opens resources to others, or gives somebody access or more rights there.', 'Show the user who would get which rights, and let them grant them.');
export const switchesOff: Finding = finding('permission/protection', 'This switches off what protects or watches this machine.', 'Leave it on, and allow the one thing that is needed.');
export const loadsIntoKernel: Finding = finding('system-file/load', 'This loads code into the kernel or into programs of others, or changes how the machine starts.', 'Leave the kernel and the boot loader to the user.');
export const scheduled: Finding = finding('persistence/schedule', 'This makes a command run by itself: by the clock, or at each start or login.', 'Show the user what should run when, and let them install it.');
export const losesSchedule: Finding = finding('lost-work/crontab', 'This deletes all scheduled commands of the user.', 'Save them with `crontab -l` first, and take out the one line.');
export const opensTunnel: Finding = finding('persistence/tunnel', 'This makes a service of this machine reachable from the internet.', 'Let the user open it, and close it again.');
export const mines: Finding = finding('persistence/miner', 'This uses the machine to mine a currency for somebody.', 'Leave it to the user, whose machine and power it is.');
export const attacks: Finding = finding('permission/attack-tool', 'This looks for open ports, weak passwords or ways to get the rights of root.', 'Leave it to the user, who knows which machines are theirs.', 'low');
/** What most who install a service do. */
export const enabled: Finding = { ...scheduled, rule: 'persistence/service', severity: 'medium' };
export const changesSettings: Finding = finding('sensitive-file/settings', 'This changes settings that say what programs run, or where they get code from.', 'Show the user the setting, and let them change it.', 'high', 'write');
export const registry: Finding = finding('system-file/registry', 'This deletes settings of Windows or what it could be restored from.', 'Leave the registry and restore points to the user.');
export const stopsMachine: Finding = finding('lost-work/shutdown', 'This stops or restarts the machine, and with it everything that runs there.', 'Ask the user to do it when nothing is running that they need.');
export const stopsService: Finding = finding('lost-work/service', 'This stops a service that others on this machine may be using.', 'Ask the user, or stop only what you started yourself.');
export const fillsUp: Finding = finding('lost-work/fill', 'This writes or reads without end, until the disk or the memory is full.', 'Say how much is needed (`count=`, `head -c 1M`).');
export const killsAll: Finding = finding('lost-work/kill', 'This kills processes by the lot, the session of the user among them.', 'Kill the one process that you started, by its number.');
export const cutsOff: Finding = finding('lost-work/network', 'This cuts the machine off from its network, or from those who log in to it.', 'Leave the network to the user.');
export const removesSystem: Finding = finding('filesystem/packages', 'This removes packages without which the system does not work, or all of them.', 'Remove single packages by name, and keep what others depend on.');
export const erasesTraces: Finding = finding('filesystem/logs', 'This deletes logs, which say what happened on this machine.', 'Leave logs to the system, which rotates them.');
export const setUserId: Finding = finding('permission/setuid', 'A set-uid program gives everybody the rights of its owner.', 'Use sudo with one allowed command instead.');
export const tooOpen = (mode: string): Finding => finding('permission/world-writable', `Mode ${mode} lets everybody change these files.`, 'Give the least that is needed: 755 for folders and programs, 644 for files, or `u+rwX`.');
export const locksOut = (mode: string): Finding => finding('permission/locked', `Mode ${mode} locks everybody out of these files.`, 'Use 600 for a private file and 700 for a private folder.');
export const systemWide = (path: string): Finding => finding('permission/system', `This changes permissions or owners in ${path} and can make the system unusable.`, 'Change only the files of the project.');
/** Running what came over the network. The walk reports it where such text becomes code. */
export const remoteCode: Finding = finding('remote-code/execute', 'This runs code straight from the network without anybody having read it.', 'Download it to a file, read the file, and run it only when it is what you expect; or use the package manager.');
export const hiddenCode: Finding = finding('remote-code/hidden', 'This decodes or rewrites a text and runs the result, so nobody can see what will run.', 'Write the command out in plain text.');
/** A secret would stand in what the agent reads, and in every log of that. */
export const printsSecret: Finding = finding('secret-output/print', 'This prints a password, token or key.', UNSEEN);
export const sendsSecret: Finding = finding('secret-output/send', 'This sends a password, token or key, or all variables of the environment, to another machine.', UNSEEN, 'critical', 'send');
export const showsVariables: Finding = finding('secret-output/variables', 'This prints all variables of the environment, and passwords and tokens among them.', 'Print the one that you need by its name.', 'low');
export const showsStore: Finding = finding('sensitive-file/read', 'This shows stored logins, keys or passwords.', 'Do not look into it; ask the user for the one value you need.');
export const sendsBulk: Finding = finding('secret-output/send-all', 'This sends a whole database, project or home to another machine.', 'Send the one file that is asked for, after the user has agreed.', 'critical', 'send');
export const sensitiveFile = (what: string, path: string): Finding => finding('sensitive-file/read', `This reads or copies ${path}, ${what}.`, 'Do not look into it; ask the user for the one value you need, or use the program that reads the file itself.');
export const tooMuch: Finding = finding('unjudged/too-much', 'This command is too complex to analyze, so nobody knows what it would do.', SMALLER);
export const tooLong: Finding = finding('unjudged/too-long', 'This command is longer than 1 MB, so nobody knows what it would do.', SMALLER);
export const noShell: Finding = finding('unjudged/syntax', 'This is not valid shell, so what it would do is only a guess.', 'Correct the command.', 'low');
export const dialect: Finding = finding('unjudged/dialect', 'Only the worst commands of PowerShell and cmd are recognized, so this one is not fully judged.', 'Use a POSIX shell, or let the user look at it.', 'low');
