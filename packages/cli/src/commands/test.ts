import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { dispatchEvent, flowInMemory, unrecorded, visible } from '@hooks/config';
import { createHooks, type HookDecision } from '@hooks/core';
import * as z from 'zod';
import { type Program, UserError } from '../program.ts';
import { readYaml } from '../read-yaml.ts';
import { type AskOptions, describeDecision, eventOf, loadFor } from './explain.ts';

/**
 * Runs a table of cases: an event, and the expected decision of all hooks together. Exit code 1 if one differs.
 *
 * ```yaml
 * - name: no rm
 *   event: { hook_event_name: before_tool_call, tool_name: shell, tool_input: { cmd: rm -rf / } }
 *   expect: block
 *   reason: dangerous
 * ```
 */
export async function runTests(path: string, options: AskOptions, program: Program): Promise<number> {
  const cases = z
    .array(caseSchema)
    .min(1, 'expected at least one case')
    .safeParse(await readYaml('<cases>', path, 'a YAML or JSON file with test cases', program));
  if (!cases.success) throw new UserError(`${resolve(program.cwd(), path)}: ${z.prettifyError(cases.error)}`);
  using loaded = await loadFor(options, program, { ...unrecorded, flow: flowInMemory });
  const hooks = createHooks();
  hooks.use(loaded);
  let failed = 0;
  for (const [index, one] of cases.data.entries()) {
    const { session: _, type, ...fields } = eventOf(one.event, loaded);
    hooks.session(`test-${index}`, { principal: loaded.principal });
    const data = { type, sessionId: `test-${index}`, cwd: program.cwd(), fields };
    const difference = differs(one, await dispatchEvent(hooks, data));
    if (difference !== undefined) failed++;
    program.stdout.write(
      difference === undefined
        ? `${styleText('green', 'ok')}  ${visible(one.name)}\n`
        : `${styleText('red', 'FAILED')}  ${visible(`${one.name}: ${difference}`)}\n`,
    );
  }
  program.stdout.write(`${cases.data.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

const caseSchema = z.strictObject({
  name: z.string(),
  event: z.record(z.string(), z.unknown()),
  expect: z.enum(['proceed', 'block', 'ask', 'modify', 'retry']),
  /** A part of the reason. */
  reason: z.string().optional(),
  /** Fields of the patch that a modify is expected to have. */
  patch: z.record(z.string(), z.unknown()).optional(),
});

function differs(expected: z.infer<typeof caseSchema>, decision: HookDecision): string | undefined {
  const { says, why } = describeDecision(decision);
  const [word] = says.split(/[ ,]/);
  if (word !== expected.expect) return `expected ${expected.expect}, got ${says}${why && `: ${why}`}`;
  if (expected.reason !== undefined && !why.includes(expected.reason))
    return `expected the reason to contain "${expected.reason}", got: ${why}`;
  const patch: Readonly<Record<string, unknown>> = decision.kind === 'modify' ? { ...decision.patch } : {};
  for (const [field, value] of Object.entries(expected.patch ?? {})) {
    if (JSON.stringify(patch[field]) !== JSON.stringify(value))
      return `expected ${field} ${JSON.stringify(value)}, got ${JSON.stringify(patch[field])}`;
  }
  return undefined;
}
