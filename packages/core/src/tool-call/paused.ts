import { canonicalJson } from '../approval.ts';
import { Flight } from './flight.ts';

/** A call that paused in this process, if it is taken up again with the same input. */
export function takePaused(flight: Flight): Flight | undefined {
  const paused = flight.session.paused?.get(flight.event.callId);
  if (!(paused instanceof Flight) || paused.event.nativeToolName !== flight.event.nativeToolName)
    return undefined;
  if (canonicalJson(paused.call.input) !== canonicalJson(flight.call.input)) return undefined;
  paused.call = flight.call;
  return paused;
}

/** Keeps a call that pauses in its session. */
export function keepPaused(flight: Flight): void {
  flight.session.paused ??= new Map();
  flight.session.paused.set(flight.event.callId, flight);
}
