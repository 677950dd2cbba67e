import type { Program } from './program.ts';

/** What is left when a wrapper is taken away: another program, or a text for a shell. */
export interface Unwrapped {
  readonly fields?: readonly string[];
  readonly shell?: string;
  readonly env?: readonly [string, string][];
  /** The folder it starts in. */
  readonly folder?: string;
  /** A shell that reads its input. */
  readonly readsInput?: true;
  /** Its input as it reads there: with this machine's names of what is mounted. */
  readonly input?: (text: string) => string;
}

/**
 * `docker exec web rm x`, `docker run alpine rm x`, `kubectl exec pod -- rm x`. What it does there counts as done here,
 * and what of this machine is mounted there has its name of here: with `-v /:/host`, `/host/etc` is `/etc`.
 */
export function inContainer(
  known: Program,
  args: readonly string[],
  programOf: (name: string) => Program | undefined,
): Unwrapped | undefined {
  if (!known.container) return undefined;
  const verb = args.findIndex((arg) => arg === 'exec' || arg === 'run' || arg === 'debug');
  if (verb === -1) return undefined;
  const dashes = args.indexOf('--');
  let i = verb + 1;
  for (; i < args.length && args[i]?.startsWith('-'); i++) if (VALUED.test(args[i] ?? '')) i++;
  const given = dashes !== -1 ? args.slice(dashes + 1) : args.slice(i + 1);
  // The image of a program runs that program: `docker run alpine/git reset --hard`.
  const image = /^(?:[\w.:-]+\/)+([\w-]+)(?::[\w.-]+)?$/.exec(args[i] ?? '')?.[1]?.replace(/-cli$/, '') ?? '';
  const entered = args[verb] === 'run' && programOf(image)?.dangers && !programOf(given[0] ?? '');
  const fields = entered && given.length > 0 ? [image, ...given] : given;
  if (fields.length === 0) return undefined;
  // In a debug container the node's own files are under /host.
  const mounts = args[verb] === 'debug' ? NODE : mountsOf(args.slice(verb + 1, i));
  if (mounts.length === 0) return { fields };
  const input = (text: string): string => onHost(text, mounts);
  return { fields: fields.map(input), input };
}

const VALUED =
  /^(?:-[itd]*[evpwulhmacn]|--(?:env|volume|publish|workdir|user|label|name|network|net|mount|env-file|entrypoint|hostname|memory|cpus|platform|add-host|device|restart|pull|ulimit|shm-size|tmpfs|link|expose|cap-add|cap-drop|security-opt|log-driver|index|detach-keys|gpus|ipc|pid|runtime|namespace|container|image|context))$/;

interface Mount {
  readonly host: string;
  readonly inside: string;
}

const NODE: readonly Mount[] = [{ host: '/', inside: '/host' }];

/** Folders of this machine, from `-v host:inside`, `--volume=…` and `--mount type=bind,source=…,target=…`. */
function mountsOf(options: readonly string[]): readonly Mount[] {
  return options.flatMap((option, i) => {
    const before = options[i - 1] ?? '';
    const volume =
      /^--volume=(.+)$/s.exec(option)?.[1] ??
      /^-v=?(.+)$/s.exec(option)?.[1] ??
      (/^(?:-[itd]*v|--volume)$/.test(before) ? option : undefined);
    if (volume !== undefined) {
      const [host = '', inside = ''] = volume.split(':');
      return isFolder(host) && inside.startsWith('/') ? [{ host, inside }] : [];
    }
    const mount = /^--mount=(.+)$/s.exec(option)?.[1] ?? (before === '--mount' ? option : undefined);
    const host = /(?:^|,)(?:source|src)=([^,]+)/.exec(mount ?? '')?.[1];
    const inside = /(?:^|,)(?:target|destination|dst)=([^,]+)/.exec(mount ?? '')?.[1];
    return host && inside && isFolder(host) ? [{ host, inside }] : [];
  });
}

/** A named volume is no folder of this machine. */
function isFolder(source: string): boolean {
  return /^[/~.]/.test(source);
}

/** The same text with the names that its paths have outside. */
function onHost(text: string, mounts: readonly Mount[]): string {
  let mapped = text;
  for (const { host, inside } of mounts) {
    const from = inside.replace(/(?<!\/)\/+$/, '');
    const to = host.replace(/(?<!\/)\/+$/, '');
    if (from === '' || !mapped.includes(from)) continue;
    const pieces = mapped.split(from);
    mapped = pieces.reduce((left, right) => {
      const starts = left === '' || /[\s'"=:(,]$/.test(left);
      const ends = right === '' || /^[/\s'");:,]/.test(right);
      if (!starts || !ends) return left + from + right;
      return left + (to === '' && !right.startsWith('/') ? '/' : to) + right;
    });
  }
  return mapped;
}
