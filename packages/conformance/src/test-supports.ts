import { describe, expect, test } from 'vitest';
import { catalogue, decisionsOf } from './catalogue.ts';
import { expectAttached, expectFailed, expectRefused } from './excluded.ts';
import type { AdapterHarness } from './harness.ts';

/** Tests an adapter's table against the catalogue: it covers every event, and attaching rejects what it excludes. */
export function testSupports(harness: AdapterHarness): void {
  const { events, refused } = harness.supports;
  describe('supports', () => {
    test('it has every event of the catalogue, every decision that it permits, and says why something is impossible', () => {
      for (const spec of catalogue) {
        const { fires, decisions = {} } = events[spec.type] ?? {};
        expect(fires, spec.type).toBeDefined();
        if (fires?.level !== 'none')
          expect(Object.keys(decisions), spec.type).toEqual(expect.arrayContaining([...decisionsOf(spec)]));
        for (const [word, cell] of Object.entries({ ...decisions, fires }))
          if (cell?.level === 'none') expect(cell.note, `${spec.type} ${word}`).toBeTruthy();
      }
    });
    test('it says in which forms a run ends that a hook ends, and why not in the others', () => {
      for (const form of ['return', 'throw'] as const) {
        const { level, note } = refused?.[form] ?? {};
        expect(level, form).toBeDefined();
        if (level === 'none') expect(note, form).toBeTruthy();
      }
    });
    for (const spec of catalogue) {
      const { fires, happens, decisions = {} } = events[spec.type] ?? {};
      const refuses = spec.permits.some((decision) => decision !== 'modify');
      if (fires?.level === 'none') {
        if (refuses && happens === false)
          test(`a hook on ${spec.type}, which never happens, is attached`, () =>
            expectAttached(harness, spec));
        else if (refuses)
          test(`a hook that may refuse on ${spec.type} is refused at attach, unless it is optional or listed in allowUnsupported`, () =>
            expectRefused(harness, spec));
        continue;
      }
      for (const decision of decisionsOf(spec)) {
        if (decisions[decision]?.level !== 'none') continue;
        test(`${decision} on ${spec.type} is impossible: a hook that answers it has failed, or was refused`, () =>
          expectFailed(harness, spec, decision));
      }
    }
  });
}
