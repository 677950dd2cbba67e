import type { MakePart } from './part.ts';

/** The parts of files by their names. Each loads when a file has it. */
export const PARTS: Readonly<Record<string, MakePart>> = {
  principal: async (...given) => (await import('./principal.ts')).principalPart(...given),
  journal: async (...given) => (await import('./journal.ts')).journalPart(...given),
  telemetry: async (...given) => (await import('./telemetry.ts')).telemetryPart(...given),
  sandbox: async (...given) => (await import('./sandbox.ts')).sandboxPart(...given),
};
