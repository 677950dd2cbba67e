import { canonicalJson } from '../approval/approval.ts';
import type { Hooks } from '../registry/hooks.ts';
import type { KnownSession } from '../session/session.ts';
import { Flight, makeFlight } from './flight.ts';
import type { Can, InputCheck, ToolCall } from './types.ts';

/** The flight of a call: its own, or that of the same call where it paused in this process. */
export function enter(hooks: Hooks, call: ToolCall, can?: Can, check?: InputCheck): Flight {
  const flight = makeFlight(hooks, call, can, check);
  return flight.session.paused === undefined ? flight : (takePaused(flight) ?? flight);
}

/** A call that paused in this process, if it is taken up again with the same input. */
function takePaused(flight: Flight): Flight | undefined {
  const paused = pausedAs(flight.session, flight.event.callId, flight.described);
  if (paused === undefined) return undefined;
  paused.described = flight.described;
  paused.due = undefined;
  return paused;
}

/** What paused in a session under an id, where it is a call of this tool with this input. */
export function pausedAs(
  { paused }: KnownSession,
  callId: string,
  { toolName, input }: Pick<ToolCall, 'toolName' | 'input'>,
): Flight | undefined {
  const flight = paused?.get(callId);
  if (!(flight instanceof Flight) || flight.described.toolName !== toolName) return undefined;
  return canonicalJson(flight.described.input) === canonicalJson(input) ? flight : undefined;
}

/** Keeps a call that pauses in its session. */
export function keepPaused(flight: Flight): void {
  flight.session.paused ??= new Map();
  flight.session.paused.set(flight.event.callId, flight);
}
