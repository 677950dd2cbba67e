import { mayName, sensitiveKind } from '../paths/check.ts';
import { place } from '../paths/places.ts';
import { CONTENT } from '../shell/marks.ts';
import { copying, wordsBehind } from './calls.ts';
import { isNamed } from './pattern.ts';
import { has, type Invocation } from './program.ts';

export function pathsRead(call: Invocation): readonly string[] {
  const { known, args, cwd, stdin = '' } = call;
  const { reads } = known;
  if (typeof reads === 'object')
    return args.flatMap(
      (arg, i) => (reads.pattern.exec(arg) ?? reads.pattern.exec(`${args[i - 1]}=${arg}`))?.[1] ?? [],
    );
  const excluded = reads === 'zip' ? args.indexOf('-x') : -1;
  if (excluded !== -1) return pathsRead({ ...call, args: args.slice(0, excluded) });
  if (reads === 'curl') return curlReads(args);
  if (has(known, 'copies') || (copiesAway(call) && !has(known, 'tells'))) return copySources(call);
  if (has(known, 'uploads')) return uploaded(args, stdin);
  if (reads === 'input') return [...args, ...stdin.split('\n')];
  const git = reads === 'git';
  const verb = git ? args.indexOf('grep') : -1;
  const asks = verb !== -1 || (has(known, 'filters', 'queries') && reads !== 'columns');
  const pattern = asks ? patternAt(args, verb) : -1;
  return args.flatMap((arg, i) => {
    const before = args[i - 1] ?? '';
    if (i === pattern || !mayName(arg, cwd)) return [];
    if (arg.startsWith('-')) return KEY_OPTION.test(arg) ? [] : (/^--?[\w-]+=(.+)$/s.exec(arg)?.[1] ?? []);
    // What is named behind such an option is used, or written, but not shown.
    if (KEY_OPTION.test(before) || before === '-o' || (!has(known, 'shows') && /^-[iegt]$/.test(before)))
      return [];
    return git
      ? arg.replace(/^[\w./~^@{}-]*:/, '')
      : arg.replace(/^(?:@|file:\/\/(?=\/))/, '').replace(/^\w+=@?(?=[/~.])/, '');
  });
}

const KEY_OPTION =
  /^-{1,2}(?:key|cert|cacert|capath|private-key|identity|identity-file|keyout|out|output|env-file|kubeconfig|config|ssh-key|exclude|exclude-from|include|name|iname|not-path|path|regexp|glob|ignore|pattern)(?:=|$)/;

/** In `grep PATTERN FILE` the first word is no file; in `yq eval '.key' file` the second. */
function patternAt(args: readonly string[], verb: number): number {
  if (args.some((arg) => /^(?:-e|-f|--regexp|--file)/.test(arg))) return -1;
  const first = args.findIndex((arg, i) => i > verb && !arg.startsWith('-'));
  return /^(?:e|ea|eval|eval-all|query|select)$/.test(args[first] ?? '') ? first + 1 : first;
}

/** What such a program is told to put: in its input, in one argument (`-c 'put x'`), or in several (`-c put x`). */
function uploaded(args: readonly string[], stdin: string): readonly string[] {
  const text = [stdin, ...args, args.join(' ')].join('\n');
  return [...text.matchAll(/(?:^|[\n;]|-c)[^\S\n]*m?(?:put|reput|mirror -R)\s+(?:-\w+\s+)*([^\s;]+)/g)].map(
    (match) => match[1] ?? '',
  );
}

/** All but where it goes, and but what becomes a file of secrets beside itself: `cp .env .env.bak`. */
function copySources({ known, args: all, cwd }: Invocation): readonly string[] {
  const verb = known.copiesWhen;
  const at = verb === undefined ? -1 : all.findIndex((arg) => isNamed([arg], verb));
  const args = all.slice(at + 1);
  if (/^(?:put-object|upload)/.test(all[at] ?? '')) return wordsBehind(args, '--body -f --file -s --source');
  const { sources, target } = copying(args, known.valued);
  if (target === undefined) return sources;
  const to = place(target, cwd);
  const kept = !target.includes(':') && sensitiveKind(to) !== undefined;
  return sources
    .filter((source) => !(kept && folderOf(place(source, cwd)) === folderOf(to)))
    .map((source) => source.replace(/^[\w.-]+(?:@[\w.-]*)?:(?=[/~.])/, ''));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function curlReads(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, i) => {
    const before = args[i - 1] ?? '';
    if (arg.startsWith(CONTENT))
      return Array.from(arg.matchAll(/[@<]([^"'\s;]{1,200})/g), (match) => match[1] ?? '');
    if (/^(?:-\w*T|--upload-file|-K|--config)$/.test(before) || /^file:/i.test(arg)) return arg;
    const [, sent, at] = /^-T(.+)|(?:^\w*|=|^-[dF])[@<]([^;,]+)/s.exec(arg) ?? [];
    if (sent !== undefined) return sent;
    return at !== undefined && (arg.startsWith('-') || TAKES_FILE.test(before)) ? at : [];
  });
}

const TAKES_FILE = /^(?:-\w*[dFH]|--data.*|--form.*|--json|--(?:proxy-)?header|--url-query)$/;

export function copiesAway({ known, args }: Invocation): boolean {
  return known.copiesWhen !== undefined && isNamed(args, known.copiesWhen);
}
