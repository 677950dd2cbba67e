import type { DeclaredPart } from './part.ts';

/** The parts of files by their names. Each loads when a file has it. */
export const PARTS: Readonly<Record<string, DeclaredPart>> = {
  principal: {
    make: async (...given) => (await import('./principal.ts')).principalPart(...given),
    unset: 'the user is nobody',
  },
  journal: { make: async (...given) => (await import('./journal.ts')).journalPart(...given) },
  telemetry: {
    make: async (...given) => (await import('./telemetry.ts')).telemetryPart(...given),
    elsewhere:
      'it reports to the OpenTelemetry SDK of the program; "hooks run" and "hooks mcp" have one only with NODE_OPTIONS=--import …',
  },
  sandbox: {
    make: async (...given) => (await import('./sandbox.ts')).sandboxPart(...given),
    elsewhere:
      'a command-line agent cannot run a call elsewhere, so under "hooks run" these calls are refused',
  },
};
