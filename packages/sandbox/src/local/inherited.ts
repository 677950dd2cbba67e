import { openSync, readdirSync, readFileSync } from 'node:fs';

/**
 * The `stdio` beyond `pipes` that turns descriptors which the agent inherited from its parent into `/dev/null` in the
 * child. The kernel closes Node's own.
 */
export function withoutInherited(pipes: number): readonly ('pipe' | number | null)[] {
  const stdio: ('pipe' | number | null)[] = Array.from({ length: pipes }, () => 'pipe');
  const inherited = readdirSync('/proc/self/fd').map(Number).filter(staysOpen);
  if (inherited.every((fd) => fd < pipes)) return stdio;
  devNull ??= openSync('/dev/null', 'r+');
  for (const fd of inherited.filter((fd) => fd >= pipes)) {
    while (stdio.length < fd) stdio.push(null);
    stdio[fd] = devNull;
  }
  return stdio;
}

let devNull: number | undefined;

const O_CLOEXEC = 0o2000000;

function staysOpen(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false; // closed since it was listed
  }
}
