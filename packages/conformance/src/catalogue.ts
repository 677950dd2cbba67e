import type { EventSpec } from '@hooks/core';
import * as core from '@hooks/core';

/** The declaration of an event. */
export type DeclaredEvent = EventSpec & { readonly kind: 'event' };

/** The declarations of all events in the catalogue, read from core's exports. */
export const catalogue: readonly DeclaredEvent[] = Object.values(core).flatMap((value) =>
  typeof value === 'object' && value !== null && 'spec' in value && value.spec.kind === 'event'
    ? [value.spec as DeclaredEvent]
    : [],
);

/** The decisions that an event permits besides Proceed, as a support table writes them: `block`, `modify.input`. */
export function decisionsOf({ permits, modifies }: EventSpec): readonly string[] {
  return [
    ...permits.filter((decision) => decision !== 'modify'),
    ...modifies.map((field) => `modify.${field}`),
  ];
}
