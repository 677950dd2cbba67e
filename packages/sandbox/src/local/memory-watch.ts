import { readdirSync, readFileSync } from 'node:fs';

const INTERVAL_MS = 100;
const PAGE = 4096;

/**
 * Calls `exceeded` once when a process and all its descendants together use more than `maxBytes` of memory. The
 * kernel's own limit is per process, and unprivileged users cannot use cgroups everywhere. Shared memory counts for
 * each process.
 */
export function watchMemory(pid: number, maxBytes: number, exceeded: () => void): Disposable {
  const timer = setInterval(() => {
    if (treeBytes(pid) <= maxBytes) return;
    clearInterval(timer);
    exceeded();
  }, INTERVAL_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function treeBytes(root: number): number {
  let bytes = 0;
  for (const pending = [root]; pending.length > 0; ) {
    const pid = pending.pop();
    try {
      bytes += Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE;
      for (const thread of readdirSync(`/proc/${pid}/task`))
        for (const child of readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' '))
          if (child !== '') pending.push(Number(child));
    } catch {
      // The process ended in the meantime.
    }
  }
  return bytes;
}
