/** How a program that starts another one is called: what of its words are its own. */
export interface Wrapper {
  /** It starts something only behind one of these words: `poetry run`, `pnpm exec`. */
  readonly verbs?: readonly string[];
  /** Options with a value, short ones as one letter, long ones by name. */
  readonly valued?: readonly string[];
  /** Operands of its own before the program: a duration, a host. */
  readonly skip?: number;
  /** `NAME=value` before the program is an assignment. */
  readonly assigns?: boolean;
  /** It hands what is left to a shell: joined by blanks, or only where it is one text. */
  readonly joins?: 'all' | 'one';
  /** Options whose value is a text for a shell. */
  readonly commandIn?: readonly string[];
  /** Options whose value is the folder that the program starts in. */
  readonly folderIn?: readonly string[];
  /** With these it does not run anything. */
  readonly idle?: readonly string[];
  /** Without a program it is a shell that reads its input: always, or with one of these options. */
  readonly shell?: true | readonly string[];
  /** What it starts is a package, which may carry a version: `rimraf@5`. */
  readonly packages?: true;
}

/** Programs that start another one, and are otherwise of no interest. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  // Other rights.
  [
    'sudo',
    {
      valued: words(
        'u g h p C T r t D R U user group host prompt chdir chroot close-from role type other-user',
      ),
      assigns: true,
      folderIn: words('-D --chdir'),
      idle: words('-l --list -v -k -K -e --edit'),
      shell: words('-s -i --shell --login'),
    },
  ],
  ['doas', { valued: words('u C a'), assigns: true, shell: ['-s'] }],
  ['pkexec', { valued: ['user'] }],
  ...forAll('gosu su-exec', { skip: 1 }),
  [
    'su',
    {
      valued: words('s g G w shell group'),
      commandIn: ['-c', '--command'],
      skip: Number.POSITIVE_INFINITY,
      shell: true,
    },
  ],
  ['runuser', { valued: words('s g G w u shell group user'), commandIn: ['-c', '--command'] }],
  ['sg', { skip: 1, commandIn: ['-c'], joins: 'one' }],
  ['setpriv', { valued: words('reuid regid groups ruid rgid euid egid') }],
  ['capsh', { commandIn: ['-c'] }],
  // Other circumstances.
  [
    'env',
    {
      valued: words('u C unset chdir'),
      assigns: true,
      commandIn: ['-S', '--split-string'],
      folderIn: words('-C --chdir'),
    },
  ],
  ...forAll(
    'nohup setsid builtin unbuffer fakeroot torsocks torify systemd-inhibit dbus-run-session prlimit noglob nocorrect rtk chronic valgrind systemd-cat linux32 linux64 dbus-launch ts stdoutisatty eatmydata winpty rlwrap',
    {},
  ),
  ...forAll('cross-env cross-env-shell', { assigns: true }),
  ['command', { idle: ['-v', '-V'] }],
  ['exec', { valued: ['a'] }],
  ['time', { valued: words('o f output format') }],
  ...forAll('timeout gtimeout', { valued: words('s k signal kill-after'), skip: 1 }),
  ['nice', { valued: words('n adjustment') }],
  ['ionice', { valued: words('c n p class classdata') }],
  ['stdbuf', { valued: words('i o e input output error') }],
  ['chrt', { valued: words('T P D'), skip: 1 }],
  ['taskset', { skip: 1 }],
  ['numactl', { valued: words('N C m i p cpunodebind membind physcpubind interleave preferred') }],
  ['cpulimit', { valued: words('l p e limit') }],
  ['cgexec', { valued: ['g'] }],
  ['choom', { valued: ['n'] }],
  ['faketime', { skip: 1, valued: ['f'] }],
  ['setarch', { skip: 1 }],
  ['chroot', { skip: 1, valued: words('userspec groups'), shell: true }],
  ['flock', { valued: words('w E timeout conflict-exit-code'), skip: 1, commandIn: ['-c', '--command'] }],
  ['strace', { valued: words('e o p s a E u P I b O') }],
  ['ltrace', { valued: words('e o p s a n u l') }],
  ['perf', { verbs: words('stat record trace'), valued: words('e o F p') }],
  ['unshare', { valued: words('S G R w'), shell: true }],
  ['nsenter', { valued: words('t S G target'), shell: true }],
  ['firejail', {}],
  ['proot', { valued: words('r b w q R S rootfs bind') }],
  ...forAll('proxychains proxychains4', { valued: ['f'] }),
  ...forAll('busybox toybox', {}),
  ['caffeinate', { valued: ['t', 'w'] }],
  ['systemd-run', { valued: words('u p M unit property slice uid gid on-calendar on-active') }],
  ['xvfb-run', { valued: words('n e s f p') }],
  ['dotenv', { valued: ['e', 'f'] }],
  ...forAll('dotenvx infisical doppler op', {
    verbs: ['run'],
    valued: words('f e p c env-file env project config'),
  }),
  ['aws-vault', { verbs: ['exec'], skip: 1, valued: words('d duration region') }],
  ['chamber', { verbs: ['exec'], skip: 1 }],
  ['teller', { verbs: ['run'] }],
  // Again, later, or for each of many.
  ['watch', { valued: ['n', 'interval'], joins: 'one' }],
  ['entr', { joins: 'one' }],
  ['watchexec', { valued: words('e w i f exts watch ignore filter'), joins: 'one' }],
  ['at', { commandIn: [], skip: Number.POSITIVE_INFINITY }],
  ['script', { commandIn: ['-c', '--command'], skip: 1 }],
  ['nodemon', { commandIn: ['-x', '--exec'], skip: Number.POSITIVE_INFINITY }],
  ['screen', { valued: words('S c h p s t T Logfile'), idle: words('-ls -list -r -x -wipe -X') }],
  [
    'tmux',
    {
      verbs: words('new new-session neww new-window splitw split-window run run-shell respawn-pane'),
      valued: words('s n c t e x y F'),
      joins: 'one',
    },
  ],
  // Another machine.
  ...forAll('ssh autossh', {
    valued: words('B b c D E e F I i J L l M m O o P p Q R S W w'),
    skip: 1,
    joins: 'all',
    shell: true,
  }),
  ['tsh', { verbs: ['ssh'], skip: 1, joins: 'all' }],
  ['mosh', { valued: ['p', 'ssh'], skip: 1 }],
  ['sshpass', { valued: words('p f d P') }],
  ...forAll('pssh parallel-ssh', { valued: words('h H l p t o e O x'), joins: 'all' }),
  ['pdsh', { valued: words('w x l t u f'), joins: 'all' }],
  ['clush', { valued: words('w x l g'), joins: 'all' }],
  ['wsl', { valued: words('d u distribution user cd shell-type'), joins: 'one', shell: true }],
  ['cmd', { joins: 'all' }],
  ['vagrant', { commandIn: ['-c', '--command'], skip: Number.POSITIVE_INFINITY }],
  ['gcloud', { verbs: ['compute'], commandIn: ['--command'], skip: Number.POSITIVE_INFINITY }],
  ...forAll('fly flyctl', { verbs: ['ssh'], commandIn: ['-C', '--command'], skip: Number.POSITIVE_INFINITY }),
  ['eb', { verbs: ['ssh'], commandIn: ['-c', '--command'], skip: Number.POSITIVE_INFINITY }],
  ['heroku', { verbs: ['run', 'run:detached'], valued: words('a app r remote s size'), joins: 'all' }],
  ...forAll('minikube colima', { verbs: ['ssh'], valued: words('p n profile node'), joins: 'all' }),
  ['salt', { skip: 2, joins: 'all' }],
  ['docker-machine', { verbs: ['ssh'], skip: 1, joins: 'all' }],
  // A container or a virtual machine.
  ...forAll('lxc incus', { verbs: ['exec'], skip: 1, valued: ['cwd', 'env', 'user'] }),
  ['multipass', { verbs: ['exec'], skip: 1, valued: ['d', 'working-directory'] }],
  ['limactl', { verbs: ['shell'], skip: 1, valued: ['workdir', 'shell'] }],
  ['machinectl', { verbs: ['shell'], skip: 1, valued: ['uid', 'setenv', 'E'] }],
  ['distrobox', { verbs: ['enter'], skip: 1, valued: ['n', 'name'] }],
  ['toolbox', { verbs: ['run'], valued: words('c d r container') }],
  ['flatpak-spawn', {}],
  // An environment of a language, or a package that is fetched and run.
  ...forAll('poetry pipenv pdm hatch rye uv conda mamba micromamba', {
    verbs: ['run'],
    valued: words('n p C with python project directory name prefix env-file'),
  }),
  ['bundle', { verbs: ['exec'] }],
  ['direnv', { verbs: ['exec'], skip: 1 }],
  ...forAll('mise rtx asdf', { verbs: words('exec x') }),
  ['nix', { verbs: words('develop shell'), commandIn: [], valued: [] }],
  ['nix-shell', { commandIn: ['--run', '--command'], valued: ['p'], skip: Number.POSITIVE_INFINITY }],
  ['npx', { valued: words('p package'), commandIn: ['-c', '--call'], packages: true }],
  [
    'npm',
    {
      verbs: words('exec x'),
      valued: words('p w package workspace'),
      commandIn: ['-c', '--call'],
      packages: true,
    },
  ],
  [
    'pnpm',
    {
      verbs: words('exec dlx'),
      commandIn: ['-c', '--shell-mode'],
      valued: words('C F dir filter package'),
      packages: true,
    },
  ],
  ['yarn', { verbs: words('exec dlx run'), valued: ['p', 'package'], packages: true }],
  ['bun', { verbs: ['x'], packages: true }],
  ...forAll('bunx uvx', { valued: ['p', 'from', 'with'], packages: true }),
  ['pipx', { verbs: ['run'], packages: true }],
]);

function words(text: string): readonly string[] {
  return text.split(' ');
}

function forAll(names: string, wrapper: Wrapper): [string, Wrapper][] {
  return words(names).map((name) => [name, wrapper]);
}
