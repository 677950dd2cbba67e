import { type Invocation, options } from './invocation.ts';

/** Shell commands that a program takes as an argument and runs: `git rebase --exec '…'`, `tmux new '…'`. */
export function embeddedScripts({ name, args }: Invocation): readonly string[] {
  switch (name) {
    case 'git':
      return gitScripts(args);
    case 'npx':
    case 'npm':
    case 'pnpm':
      return optionValues(args, ['c', 'call'], /^--shell-mode$/);
    case 'tmux':
    case 'screen':
      return args.filter((arg) => /\s/.test(arg) && !arg.startsWith('-'));
    case 'vim':
    case 'vi':
    case 'nvim':
    case 'ex':
      return args.flatMap((arg) => /^\+?:?!(.+)$/s.exec(arg)?.[1] ?? []);
    case 'awk':
    case 'gawk':
    case 'mawk':
    case 'nawk':
      return args.flatMap((arg) =>
        [
          ...arg.matchAll(
            /\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|\s*getline|\|\s*"((?:[^"\\]|\\.)*)"/g,
          ),
        ].map((match) => match[1] ?? match[2] ?? match[3] ?? ''),
      );
    case 'sqlite3':
      return args.flatMap((arg) => /^\.(?:shell|system)\s+(.+)$/s.exec(arg)?.[1] ?? []);
    case 'sed':
    case 'gsed':
      return args.flatMap((arg) => /^(?:\d+|\$|\/[^/]*\/)?\s*e\s+(.+)$/s.exec(arg)?.[1] ?? []);
    case 'tar':
      return args.flatMap(
        (arg) =>
          /^--(?:checkpoint-action=exec|to-command|use-compress-program|I)=(.+)$/s.exec(arg)?.[1] ?? [],
      );
    case 'fd':
    case 'fdfind':
      return after(args, ['-x', '-X', '--exec', '--exec-batch']);
    case 'hyperfine':
      return args.filter((arg) => /\s/.test(arg));
    default:
      return [];
  }
}

function gitScripts(args: readonly string[]): readonly string[] {
  const scripts = optionValues(args, ['x', 'exec'], /^$/).filter(() => args.includes('rebase'));
  const foreach = args.indexOf('foreach');
  if (foreach !== -1)
    scripts.push(
      args
        .slice(foreach + 1)
        .filter((arg) => !arg.startsWith('--'))
        .join(' '),
    );
  const run = args.indexOf('run');
  if (run !== -1 && args.includes('bisect')) scripts.push(args.slice(run + 1).join(' '));
  for (const arg of args) {
    const alias = /^alias\.[\w-]+=!(.+)$/s.exec(arg)?.[1] ?? /^!(.+)$/s.exec(arg)?.[1];
    if (alias) scripts.push(alias);
  }
  return scripts;
}

function optionValues(args: readonly string[], names: readonly string[], also: RegExp): string[] {
  const { values } = options(args, names);
  return names
    .flatMap((name) => values.get(name.length === 1 ? `-${name}` : `--${name}`) ?? [])
    .filter((value) => !also.test(value));
}

function after(args: readonly string[], names: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => names.includes(arg));
  return at === -1 ? [] : [args.slice(at + 1).join(' ')];
}
