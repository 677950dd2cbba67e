// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { shellOnSocket } from '../../rules/backdoors.ts';
import { releases } from '../../rules/git-hooks.ts';
import type { Row } from '../program.ts';
import { changesSettings, destroys, prints, remoteCode, wipesContainers } from './ways.ts';

/** A package that is no package of the registry, run at once. */
const RUNS_ADDRESS = remoteCode({ line: /^(?:(?:tool )?run )?(?:-\S+ )*(?:-p |--package[= ]|--from[= ]|--spec[= ])?(?<!index(?:-url)? |registry |-i )(?:https?:\/\/|git\+|github:|gitlab:|gist:|bitbucket:)/ });

/** Programs that start another one: with other rights, elsewhere, later, in a container. */
export const starters: readonly Row[] = [
  ['mosh', { files: ['uses'], starts: { valued: 'p ssh', skip: 1 }, remote: true }],
  ['watch', { files: ['uses'], starts: { valued: 'n interval', joins: 'one' } }],
  ['bun', {
    files: ['uses'], runs: { code: 'ep', long: '--eval --print -pe', verbs: 'run' }, starts: { verbs: 'x', packages: true },
    rules: [releases],
  }],
  ['dotenv', prints('list, get'), { files: ['uses'], starts: { valued: 'e f' } }],
  ['direnv', { files: ['uses'], starts: { verbs: 'exec', skip: 1 } }],
  ['env', {
    files: ['uses'], harmful: true,
    starts: { valued: 'u C unset chdir', assigns: true, commandIn: '-S --split-string', folderIn: '-C --chdir' }, variables: true,
  }],
  ['timeout', { files: ['uses'], starts: { valued: 's k signal kill-after', skip: 1 } }],
  ['nice', { files: ['uses'], starts: { valued: 'n adjustment' } }],
  ['time', { files: ['uses'], starts: { valued: 'o f output format' } }],
  ['gosu su-exec taskset setarch', { starts: { skip: 1 } }],
  ['sg', { starts: { skip: 1, commandIn: '-c', joins: 'one' } }],
  [`setsid builtin unbuffer fakeroot torsocks torify systemd-inhibit dbus-run-session prlimit noglob nocorrect rtk chronic valgrind
    systemd-cat linux32 linux64 dbus-launch ts stdoutisatty eatmydata winpty firejail busybox toybox flatpak-spawn fakechroot
    catchsegv pidproxy tini dumb-init catatonit envdir setuidgid chpst s6-setuidgid multilog cronic with-contenv nohup`, { starts: {} }],
  ['cross-env cross-env-shell', { starts: { assigns: true } }],
  ['command', { namesPrograms: true, starts: { idle: '-v -V' } }],
  ['exec', { starts: { valued: 'a' } }],
  ['ionice', { starts: { valued: 'c n p class classdata' } }],
  ['stdbuf', { starts: { valued: 'i o e input output error' } }],
  ['chrt', { starts: { valued: 'T P D', skip: 1 } }],
  ['numactl', { starts: { valued: 'N C m i p cpunodebind membind physcpubind interleave preferred' } }],
  ['cpulimit', { starts: { valued: 'l p e limit' } }],
  ['cgexec', { starts: { valued: 'g' } }],
  ['choom', { starts: { valued: 'n' } }],
  ['faketime', { starts: { skip: 1, valued: 'f' } }],
  ['chroot', { noOutput: true, starts: { folder: '/', skip: 1, valued: 'userspec groups', shell: true } }],
  ['flock', { starts: { valued: 'w E timeout conflict-exit-code', skip: 1, commandIn: '-c --command' } }],
  ['strace', { starts: { valued: 'e o p s a E u P I b O' } }],
  ['ltrace', { starts: { valued: 'e o p s a n u l' } }],
  ['perf', { starts: { verbs: 'stat record trace', valued: 'e o F p' } }],
  ['unshare', { starts: { valued: 'S G R w', shell: true } }],
  ['proot', { starts: { valued: 'r b w q R S rootfs bind' } }],
  ['proxychains proxychains4', { starts: { valued: 'f' } }],
  ['caffeinate', { starts: { valued: 't w' } }],
  ['xvfb-run', { starts: { valued: 'n e s f p' } }],
  ['entr', { starts: { joins: 'one' } }],
  ['watchexec', { starts: { valued: 'e w i f exts watch ignore filter', joins: 'one' } }],
  ['script', { valued: 'c command', starts: { commandIn: '-c --command', skip: 1 }, writes: { operand: 0 } }],
  ['nodemon', { starts: { commandIn: '-x --exec', skip: 'all' } }],
  ['screen', {
    namesPrograms: true, starts: { valued: 'S c h p s t T Logfile', idle: '-ls -list -r -x -wipe -X' },
    writes: { behind: '-Logfile' }, carries: { texts: /^(?!display|rename|set|show)/ },
  }],
  ['tmux', {
    namesPrograms: true,
    starts: { verbs: 'new new-session neww new-window splitw split-window run run-shell respawn-pane', valued: 's n c t e x y F', joins: 'one' },
    carries: { texts: /^(?!display|rename|set|show)/ },
  }],
  ['tsh docker-machine', { starts: { verbs: 'ssh', skip: 1, joins: 'all' }, remote: true }],
  ['sshpass', { starts: { valued: 'p f d P' } }],
  ['pssh parallel-ssh', { starts: { valued: 'h H l p t o e O x', joins: 'all' } }],
  ['pdsh', { starts: { valued: 'w x l t u f', joins: 'all' } }],
  ['clush', { starts: { valued: 'w x l g', joins: 'all' } }],
  ['wsl', destroys({ option: '--unregister' }), { starts: { valued: 'd u distribution user cd shell-type', joins: 'one', shell: true } }],
  ['cmd', { starts: { joins: 'all' }, rules: [shellOnSocket] }],
  ['colima', wipesContainers('delete'), { starts: { verbs: 'ssh', valued: 'p n profile node', joins: 'all' } }],
  ['salt',
    destroys(/^\S+ (?:system\.(?:reboot|shutdown|poweroff|halt|init)|service\.stop|pkg\.(?:purge|remove)|file\.remove|user\.delete|state\.\w+ \S*(?:destroy|wipe|teardown))\b/),
    { starts: { skip: 2, joins: 'all' } },
  ],
  ['machinectl', { starts: { verbs: 'shell', skip: 1, valued: 'uid setenv E' } }],
  ['distrobox', { starts: { verbs: 'enter', skip: 1, valued: 'n name' } }],
  ['toolbox', { starts: { verbs: 'run', valued: 'c d r container' } }],
  ['pipenv pdm hatch rye uv conda mamba micromamba',
    RUNS_ADDRESS,
    { starts: { verbs: 'run', valued: 'n p C with python project directory name prefix env-file' } },
  ],
  ['rlwrap', { starts: { valued: 'l f H C P q s' }, writes: { behind: '-l -H' } }],
  ['bundle', changesSettings(/^config (?:set )?(?:--\w+ )?mirror\.\S+ (?:http:)/), { starts: { verbs: 'exec' } }],
  ['lvm', { starts: { idle: '-t --test' } }],
  ['mise rtx asdf', { starts: { verbs: 'exec x' } }],
  ['nix', { starts: { verbs: 'develop shell', commandIn: '', valued: '' } }],
  ['nix-shell', { starts: { commandIn: '--run --command', valued: 'p', skip: 'all' } }],
  ['npx bunx uvx', RUNS_ADDRESS, { starts: { valued: 'p package', commandIn: '-c --call', packages: true } }],
  ['pipx', RUNS_ADDRESS, { namesPrograms: true, starts: { verbs: 'run', packages: true } }],
];
