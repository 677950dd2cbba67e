import { hiddenCode, remoteCode } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import type { Invocation } from '../programs/program.ts';
import { OPAQUE, REMOTE } from '../shell/marks.ts';

/** A program whose own name came over the network. */
export function checkProgram(call: Invocation): Finding | undefined {
  if (call.program.includes(REMOTE)) return remoteCode;
  return call.program.includes(OPAQUE) ? hiddenCode : undefined;
}
