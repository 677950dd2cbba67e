import { type EventPayload, type HookDecision, type Point, proceed } from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { catalogue, type DeclaredEvent, decisionsOf } from './catalogue.ts';
import type { AdapterHarness } from './harness.ts';
import { Stage } from './stage.ts';

/** Holds an adapter's table against the catalogue: it says something of everything, and what it excludes is refused. */
export function testSupports(harness: AdapterHarness): void {
  const { events } = harness.supports;
  describe('supports', () => {
    test('it has every event of the catalogue, every decision that it permits, and says why something is impossible', () => {
      for (const spec of catalogue) {
        const support = events[spec.type];
        expect(support, spec.type).toBeDefined();
        if (support?.fires.level === 'none') expect(support.fires.note, spec.type).toBeTruthy();
        else
          expect(Object.keys(support?.decisions ?? {}), spec.type).toEqual(
            expect.arrayContaining([...decisionsOf(spec)]),
          );
      }
    });
    for (const spec of catalogue) {
      const refuses = spec.permits.some((decision) => decision !== 'modify');
      if (!refuses || events[spec.type]?.fires.level !== 'none') continue;
      test(`a hook that may refuse on ${spec.type} is refused at attach, unless it is listed in allowUnsupported`, () =>
        expectRefused(harness, spec));
    }
  });
}

async function expectRefused(harness: AdapterHarness, spec: DeclaredEvent): Promise<void> {
  const stage = new Stage(harness, false);
  try {
    const point: Point<EventPayload, HookDecision, HookDecision> = { spec };
    stage.hooks.on(point, () => proceed());
    await expect(stage.agent([])).rejects.toMatchObject({ code: 'UNSUPPORTED_EVENT', event: spec.type });
    await stage.agent([], { attach: { allowUnsupported: [spec.type] } });
  } finally {
    await stage.close();
  }
}
