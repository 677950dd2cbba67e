import { describe, expect, test } from 'vitest';
import { cellName, claimsOf } from './cells.ts';
import { times } from './draw.ts';
import type { AdapterHarness } from './harness.ts';
import type { Scenario } from './scenario.ts';

/** Compares what the passed scenarios prove with what the adapter's table claims. */
export class Proof {
  readonly #harness: AdapterHarness;
  readonly #expected = new Set<string>();
  readonly #played = new Set<string>();
  readonly #proven: Readonly<Record<'plain' | 'streamed', Set<string>>> = {
    plain: new Set(),
    streamed: new Set(),
  };

  constructor(harness: AdapterHarness) {
    this.#harness = harness;
  }

  /** Announces a scenario before it runs. */
  expect({ rule }: Scenario, stream: boolean): void {
    this.#expected.add(`${rule} ${stream}`);
  }

  /** Notes a scenario that does not pass yet. Nothing has to prove the cells that it needs. */
  excuse({ needs }: Scenario, stream: boolean): void {
    for (const need of needs) this.#proven[stream ? 'streamed' : 'plain'].add(cellName(need));
  }

  /** Records a passed scenario and the cells that it proves. */
  played({ rule }: Scenario, stream: boolean, cells: readonly string[]): void {
    this.#played.add(`${rule} ${stream}`);
    for (const cell of cells) this.#proven[stream ? 'streamed' : 'plain'].add(cell);
  }

  /** Registers the tests. Call it after those of the scenarios. */
  test(): void {
    describe('every native and emulated cell of supports is proved by a scenario', () => {
      // Of a part of the suite, each scenario proves its cells in one form.
      const { plain, streamed } = this.#proven;
      const proven =
        times() < 1
          ? { plain: [plain, streamed], streamed: [plain, streamed] }
          : { plain: [plain], streamed: [streamed] };
      const forms = this.#harness.streams === false ? (['plain'] as const) : (['plain', 'streamed'] as const);
      for (const form of forms) {
        test(form, (context) => {
          if (this.#expected.size > this.#played.size)
            context.skip('not every scenario was played and passed');
          const claims = claimsOf(this.#harness.supports, form === 'streamed');
          expect(claims.filter((cell) => !proven[form].some((cells) => cells.has(cell)))).toEqual([]);
        });
      }
    });
  }
}
