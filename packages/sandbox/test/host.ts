import { readdirSync, readFileSync } from 'node:fs';

/** Process ids on this machine whose command line contains `text`. */
export function processesWith(text: string): readonly number[] {
  return processes().filter((pid) => look(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').includes(text));
}

/** Process ids of everything below `root`. */
export function descendants(root: number): readonly number[] {
  const children = processes().filter((pid) => parentOf(pid) === root);
  return children.flatMap((pid) => [pid, ...descendants(pid)]);
}

/** Whether a process with this id exists. */
export function lives(pid: number): boolean {
  const state = /\) (\S)/.exec(look(`/proc/${pid}/stat`))?.[1];
  return state !== undefined && state !== 'Z';
}

function processes(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(look(`/proc/${pid}/stat`))?.[1]);
}

function look(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
