import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdapterHarness, families, runScenario } from '@hooks/conformance';
import type { Hooks } from '@hooks/core';
import { HARNESSES } from '@hooks/testing/adapters';
import { sampled } from '@hooks/testing/random';
import { describe, expect, test } from 'vitest';
import { type Journal, journal, replay, verifyJournal } from '../src/index.ts';

/** Of the scenarios: what their hooks replace or withhold. */
const SECRETS = ['sk-tangerine-0123456789'];

const scenarios = families.find(({ name }) => name === 'redaction')?.scenarios ?? [];

const forms = [
  ['plain', false],
  ['streamed', true],
] as const;

// Each framework in one form; in both with `HOOKS_RANDOM=1`.
describe.each(HARNESSES.map((one, offset) => ({ ...one, offset })))(
  'the journal of $name',
  ({ harness: url, offset }) => {
    test.each(sampled(forms, 2, offset))(
      'holds no secret of the redaction scenarios, verifies and replays (%s)',
      async (_, stream) => {
        const { harness }: { readonly harness: AdapterHarness } = await import(url);
        expect(scenarios.length).toBeGreaterThan(5);
        for (const scenario of scenarios) {
          const sink = mkdtempSync(join(tmpdir(), 'journal-'));
          const logs = new Map<Hooks, Journal>();
          const journaled: AdapterHarness = {
            ...harness,
            agent: (spec) => {
              for (const hooks of spec.hooks) {
                if (logs.has(hooks)) continue;
                const log = journal({ sink });
                logs.set(hooks, log);
                hooks.use(log);
              }
              return harness.agent(spec);
            },
          };
          await runScenario(scenario, journaled, { stream });
          for (const log of logs.values()) await log.close();

          const files = readdirSync(sink, { recursive: true, encoding: 'utf8' }).filter((name) =>
            name.includes('.json'),
          );
          const texts = files.map((name) => readFileSync(join(sink, name), 'utf8')).join('\n');
          expect(texts, scenario.rule).toContain('"hooks.after_tool_call"');
          for (const secret of SECRETS) expect(texts.includes(secret), scenario.rule).toBe(false);
          expect(await verifyJournal(sink), scenario.rule).toMatchObject({ state: 'intact', problems: [] });
          const { coverage } = await replay(sink, []);
          expect(coverage.calls, scenario.rule).toBeGreaterThan(0);
        }
      },
    );
  },
);
