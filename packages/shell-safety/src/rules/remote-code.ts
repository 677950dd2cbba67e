import { type Finding, finding } from '../effect.ts';
import type { Invocation } from '../programs/program.ts';
import { OPAQUE, REMOTE } from '../shell/marks.ts';

/** Running what came over the network. The walk reports it where such text becomes code. */
export const remoteCode: Finding = finding(
  'remote-code/execute',
  'This runs code straight from the network without anybody having read it.',
  'Download it to a file, read the file, and run it only when it is what you expect; or use the package manager.',
);

export const hiddenCode: Finding = finding(
  'remote-code/hidden',
  'This decodes or rewrites a text and runs the result, so nobody can see what will run.',
  'Write the command out in plain text.',
);

/** A program whose own name came over the network. */
export function checkProgram(call: Invocation): Finding | undefined {
  if (call.program.includes(REMOTE)) return remoteCode;
  return call.program.includes(OPAQUE) ? hiddenCode : undefined;
}
