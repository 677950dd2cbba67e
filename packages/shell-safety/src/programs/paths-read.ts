import { sensitiveKind } from '../paths/check.ts';
import { place } from '../paths/places.ts';
import { mayName } from '../rules/kind-of-file.ts';
import { CONTENT } from '../shell/marks.ts';
import { copying } from './copying.ts';
import { isNamed } from './pattern.ts';
import type { Invocation } from './program.ts';
import { has } from './program.ts';

/** The arguments that may name a file that is read. */
export function pathsRead(call: Invocation): readonly string[] {
  const { known, args } = call;
  const reads = known.reads;
  if (reads === 'curl') return curlReads(args);
  if (reads === 'posted')
    return args.flatMap(
      (arg, i) =>
        /^--(?:post|body)-f(?:i(?:le?)?)?=(.*)$/s.exec(arg)?.[1] ??
        (/^--(?:post|body)-file$/.test(args[i - 1] ?? '') ? arg : []),
    );
  if (reads === 'address') return addresses(args);
  if (reads === 'if=') return args.flatMap((arg) => (arg.startsWith('if=') ? [arg.slice(3)] : []));
  if (has(known, 'copies') || (copiesAway(call) && !has(known, 'tells'))) return copied(call);
  if (has(known, 'uploads')) return uploaded(call);
  if (reads === 'input') return [...args, ...(call.stdin ?? '').split('\n')];
  if (reads === 'nothing') return [];
  const paths: string[] = [];
  const excluded = reads === 'zip' ? args.indexOf('-x') : -1;
  if (reads === 'zip' && args.includes('-@')) paths.push(...(call.stdin ?? '').split('\n'));
  if (excluded !== -1) return pathsRead({ ...call, args: args.slice(0, excluded) });
  const asks = has(known, 'filters', 'queries');
  const pattern = asks && reads !== 'columns' ? patternAt(args) : reads === 'git' ? gitPatternAt(args) : -1;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (i === pattern || !mayName(arg, call.cwd)) continue;
    if (arg.startsWith('-')) {
      const value = /^--?[\w-]+=(.+)$/s.exec(arg)?.[1];
      if (value && !KEY_OPTION.test(arg)) paths.push(value);
    } else if (!takesKey(args[i - 1], call))
      paths.push(reads === 'git' ? arg.replace(/^[\w./~^@{}-]*:/, '') : withoutMarker(arg));
  }
  return paths;
}

/** Whether a file named behind this option is used, or written, but not shown. */
function takesKey(option: string | undefined, { known }: Invocation): boolean {
  if (option === undefined || !option.startsWith('-')) return false;
  return (
    KEY_OPTION.test(option) ||
    (!has(known, 'shows') && /^-[iegt]$/.test(option)) ||
    (known.reads === 'zip' && option === '-x') ||
    option === '-o'
  );
}

const KEY_OPTION =
  /^-{1,2}(?:key|cert|cacert|capath|private-key|identity|identity-file|keyout|out|output|env-file|kubeconfig|config|ssh-key|exclude|exclude-from|include|name|iname|not-path|path|regexp|glob|ignore|pattern)(?:=|$)/;

/** In `grep PATTERN FILE` the first word is no file. */
function patternAt(args: readonly string[]): number {
  if (args.some((arg) => /^(?:-e|-f|--regexp|--file)/.test(arg))) return -1;
  const first = args.findIndex((arg) => !arg.startsWith('-'));
  // `yq eval '.key' file`
  return /^(?:e|ea|eval|eval-all|query|select)$/.test(args[first] ?? '') ? first + 1 : first;
}

/** Whether a program is given the names of files in its input, too. */
export function readsNames({ known }: Invocation): boolean {
  return has(known, 'uploads') || known.reads === 'input';
}

/** What such a program is told to put: in its input, in one argument (`-c 'put x'`), or in several (`-c put x`). */
function uploaded({ args, stdin }: Invocation): readonly string[] {
  const text = [stdin ?? '', ...args.filter((arg) => /\s/.test(arg)), args.join(' ')].join('\n');
  return [...text.matchAll(/(?:^|[\n;]|-c)[^\S\n]*m?(?:put|reput|mirror -R)\s+(?:-\w+\s+)*([^\s;]+)/g)].map(
    (match) => match[1] ?? '',
  );
}

function gitPatternAt(args: readonly string[]): number {
  const verb = args.indexOf('grep');
  return verb === -1 ? -1 : args.findIndex((arg, i) => i > verb && !arg.startsWith('-'));
}

function withoutMarker(arg: string): string {
  return arg.replace(/^(?:@|file:\/\/(?=\/))/, '').replace(/^\w+=@?(?=[/~.])/, '');
}

/** All but where it goes, and but what becomes a file of secrets beside itself: `cp .env .env.bak`. */
function copied({ known, args: all, cwd }: Invocation): readonly string[] {
  const verb = known.copiesWhen;
  const args = verb === undefined ? all : all.slice(all.findIndex((arg) => isNamed([arg], verb)) + 1);
  const away = /^(?:put-object|upload)/.test(
    all.find((arg) => verb !== undefined && isNamed([arg], verb)) ?? '',
  );
  if (away) return args.filter((_, i) => /^(?:--body|-f|--file|-s|--source)$/.test(args[i - 1] ?? ''));
  const { sources, target } = copying(args, known.valued);
  if (target === undefined) return args.filter((arg) => !arg.startsWith('-'));
  const to = place(target, cwd);
  const kept = !target.includes(':') && sensitiveKind(to) !== undefined;
  return sources
    .filter((source) => {
      const from = place(source, cwd);
      // A certificate under another name beside itself is where it was.
      const renamed = known.writes === 'moved' && sensitiveKind(from)?.id === 'certificate';
      return !((kept || renamed) && folderOf(from) === folderOf(to));
    })
    .map((source) => source.replace(/^[\w.-]+(?:@[\w.-]*)?:(?=[/~.])/, ''));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** `OPEN:file`, `FILE:"x",chdir=folder` of socat. */
function addresses(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => {
    const path = /^(?:G?OPEN|FILE|CREATE):"?([^",]+)/i.exec(arg)?.[1];
    const folder = /,chdir=([^,]+)/i.exec(arg)?.[1];
    return path === undefined ? [] : folder === undefined ? path : `${folder}/${path}`;
  });
}

function curlReads(args: readonly string[]): readonly string[] {
  const paths: string[] = [];
  for (const [i, arg] of args.entries()) {
    const before = args[i - 1] ?? '';
    if (/^(?:-K|--config)$/.test(before) && arg.startsWith(CONTENT))
      paths.push(...Array.from(arg.matchAll(/[@<]([^"'\s;]{1,200})/g), (match) => match[1] ?? ''));
    else if (/^(?:-\w*T|--upload-file|-K|--config)$/.test(before)) paths.push(arg);
    else if (/^file:/i.test(arg)) paths.push(arg);
    else if (/^-T./.test(arg)) paths.push(arg.slice(2));
    const at = /(?:^\w*|=|^-[dF])[@<]([^;,]+)/.exec(arg);
    if (
      at?.[1] &&
      (/^-/.test(arg) ||
        /^(?:-\w*[dFH]|--data.*|--form.*|--json|--(?:proxy-)?header|--url-query)$/.test(before))
    )
      paths.push(at[1]);
  }
  return paths;
}

export function copiesAway({ known, args }: Invocation): boolean {
  const verb = known.copiesWhen;
  return verb !== undefined && isNamed(args, verb);
}
