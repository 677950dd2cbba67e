import { type Invocation, options } from './invocation.ts';
import { REMOTE, UNKNOWN } from './marks.ts';
import { fileKey } from './places.ts';

/** The files that a program writes and what it puts there: a download, a copy, what `tee` read. */
export function writtenFiles(
  call: Invocation,
  files: ReadonlyMap<string, string>,
): readonly [string, string][] {
  if (!WRITERS.has(call.name)) return NONE;
  switch (call.name) {
    case 'curl':
      return downloads(call, ['o', 'output'], args(call, /^(?:-[a-zA-Z]*O|--remote-name(?:-all)?)$/));
    case 'wget': {
      const named = options(call.args, ['O', 'output-document', 'P', 'o']).values;
      return downloads(call, ['O', 'output-document'], !named.has('-O') && !named.has('--output-document'));
    }
    case 'aria2c':
      return downloads(call, ['o', 'out'], true);
    case 'tee':
    case 'sponge':
      return options(call.args).operands.map((path) => [path, call.stdin ?? UNKNOWN]);
    case 'cp':
    case 'mv':
    case 'ln':
    case 'install': {
      if (files.size === 0) return NONE;
      const [from, to] = options(call.args).operands;
      const text = from === undefined ? undefined : files.get(fileKey(from));
      return text === undefined || to === undefined ? NONE : [[to, text]];
    }
    default:
      return NONE;
  }
}

const WRITERS: ReadonlySet<string> = new Set('curl wget aria2c tee sponge cp mv ln install'.split(' '));
const NONE: readonly [string, string][] = [];

function args(call: Invocation, pattern: RegExp): boolean {
  return call.args.some((arg) => pattern.test(arg));
}

function downloads(
  call: Invocation,
  output: readonly string[],
  byName: boolean,
): readonly [string, string][] {
  const { values, operands } = options(call.args, [
    ...output,
    ...'HXdAubcFeTmP',
    'header',
    'request',
    'data',
    'P',
  ]);
  const named = output.flatMap((name) => values.get(name.length === 1 ? `-${name}` : `--${name}`) ?? []);
  const urls = byName ? operands.map((url) => url.replace(/[?#].*$/s, '').replace(/^.*\//s, '')) : [];
  return [...named, ...urls].filter((path) => path !== '' && path !== '-').map((path) => [path, REMOTE]);
}
