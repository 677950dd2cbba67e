import { type Invocation, options } from './invocation.ts';

/** Shell commands that a program takes as an argument and runs: `git rebase --exec '…'`, `tmux new '…'`. */
export function embeddedScripts({ name, args }: Invocation): readonly string[] {
  return EMBEDDED.get(name)?.(args) ?? NONE;
}

type Scripts = (args: readonly string[]) => readonly string[];

const NONE: readonly string[] = [];

const EMBEDDED: ReadonlyMap<string, Scripts> = new Map<string, Scripts>([
  ['git', gitScripts],
  ...forAll('npx npm pnpm', (args) =>
    args.some((arg) => /^(?:-c|--call)/.test(arg)) ? optionValues(args, ['c', 'call']) : NONE,
  ),
  ...forAll('tmux screen', (args) => args.filter((arg) => /\s/.test(arg) && !arg.startsWith('-'))),
  ...forAll('vim vi nvim ex', matching(/^\+?:?!(.+)$/gs)),
  ...forAll(
    'awk gawk mawk nawk',
    matching(
      /\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"/g,
      /"((?:[^"\\]|\\.)*)"\s*\|\s*getline/g,
      /\|\s*"((?:[^"\\]|\\.)*)"/g,
    ),
  ),
  ['sqlite3', matching(/^\.(?:shell|system)\s+(.+)$/gs)],
  ...forAll('sed gsed', matching(/^(?:\d+|\$|\/[^/]*\/)?\s*e\s+(.+)$/gs)),
  ['tar', matching(/^--(?:checkpoint-action=exec|to-command|use-compress-program)=(.+)$/gs)],
  ...forAll('fd fdfind', (args) => {
    const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg));
    return at === -1 ? NONE : [args.slice(at + 1).join(' ')];
  }),
  ['hyperfine', (args) => args.filter((arg) => /\s/.test(arg))],
]);

function forAll(names: string, scripts: Scripts): [string, Scripts][] {
  return names.split(' ').map((name) => [name, scripts]);
}

/** What the patterns' first group finds in each argument. */
function matching(...patterns: readonly RegExp[]): Scripts {
  return (args) =>
    args.flatMap((arg) =>
      patterns.flatMap((pattern) => [...arg.matchAll(pattern)].map((match) => match[1] ?? '')),
    );
}

function gitScripts(args: readonly string[]): readonly string[] {
  const scripts: string[] = [];
  if (args.includes('rebase')) scripts.push(...optionValues(args, ['x', 'exec']));
  const foreach = args.indexOf('foreach');
  if (foreach !== -1)
    scripts.push(
      args
        .slice(foreach + 1)
        .filter((arg) => !arg.startsWith('--'))
        .join(' '),
    );
  if (args.includes('bisect')) scripts.push(args.slice(args.indexOf('run') + 1).join(' '));
  for (const arg of args) {
    const alias = arg.includes('!') ? /^(?:alias\.[\w-]+=)?!(.+)$/s.exec(arg)?.[1] : undefined;
    if (alias) scripts.push(alias);
  }
  return scripts;
}

function optionValues(args: readonly string[], names: readonly string[]): string[] {
  const { values } = options(args, names);
  return names.flatMap((name) => values.get(name.length === 1 ? `-${name}` : `--${name}`) ?? []);
}
