import { block, modify, proceed, TransformToolResult, UserPromptSubmit } from '@hooks/core';
import type { AdapterHarness } from '../harness.ts';
import { findText } from '../leak.ts';
import type { ModelRequest, Script } from '../model-server/index.ts';
import { Stage } from '../stage.ts';
import { FORBIDDEN } from './arguments.ts';
import { type HostileClient, SECRET } from './random-client.ts';
import { REFUSED, shorten, Witness } from './witness.ts';

/**
 * Plays the posts of a hostile client and returns what was wrong, one sentence each. A run may fail only if it also fails
 * in the bare framework.
 */
export async function faultsOfClient(
  harness: AdapterHarness,
  client: HostileClient,
  stream: boolean,
): Promise<readonly string[]> {
  const { faults, failed } = await play(harness, client, stream, true);
  if (failed.length === 0) return faults;
  const bare = await play(harness, client, stream, false);
  const alone = failed.filter(({ at }) => !bare.failed.some((other) => other.at <= at));
  return [...faults, ...alone.map(({ fault }) => fault)];
}

interface Report {
  readonly faults: readonly string[];
  /** The runs that failed. */
  readonly failed: readonly { readonly at: number; readonly fault: string }[];
}

async function play(
  harness: AdapterHarness,
  { posts, session, calls, asking }: HostileClient,
  stream: boolean,
  hooked: boolean,
): Promise<Report> {
  await using stage = new Stage(harness, stream);
  const witness = new Witness(hooked ? 'hooked' : 'bare');
  if (hooked) {
    witness.register(stage.hooks);
    stage.hooks.guard(UserPromptSubmit, ({ prompt }) =>
      prompt.includes(FORBIDDEN) ? block(REFUSED) : proceed(),
    );
    stage.hooks.on(TransformToolResult, ({ output }) =>
      typeof output === 'string' && output.includes(SECRET) ? modify({ output: 'hidden' }) : proceed(),
    );
  }
  let said = 0;
  const script: Script = ({ messages }) =>
    calls && messages.at(-1)?.role === 'user'
      ? { toolCalls: [{ id: `m${++said}`, name: 'shell', arguments: { command: 'ls' } }] }
      : { text: 'Done.' };
  const approval = asking === 'approver' ? witness.answer.bind(witness) : 'native';
  const actor = await stage.agent(script, {
    tools: witness.tools(),
    hooks: hooked ? [stage.hooks] : [],
    attach: hooked && asking !== 'nobody' ? { approval } : {},
  });
  const faults: string[] = [];
  let refused = false;
  const failed: { at: number; fault: string }[] = [];
  for (const [at, post] of posts.entries()) {
    const { result, requests } = await actor.run({ ...post, ...(session && { session: 's1' }) });
    if (hooked) faults.push(...requests.flatMap(leaksIn));
    // A pause of a made-up call is no fault, as nobody answers it.
    // Frameworks may report a refused prompt as an error.
    if (result.blockReason !== undefined) refused = true;
    // After a refusal, the history is another one than in the bare framework.
    else if (result.error !== undefined && !refused)
      failed.push({ at, fault: `run ${at + 1} threw ${shorten(String(result.error))}` });
  }
  await stage.hooks.settled();
  const broken = stage.failures.map(({ message }) => `a hook failed: ${message}`);
  return { faults: [...witness.faults, ...faults, ...broken], failed };
}

/** What hooks refused or replaced, and the model read nevertheless. */
function leaksIn({ messages }: ModelRequest): readonly string[] {
  const prompts = messages.filter(({ role }) => role === 'user');
  const results = messages.filter(({ role }) => role === 'tool');
  return [
    ...(findText(prompts, FORBIDDEN) ? ['the model read a prompt that a hook refuses'] : []),
    ...(findText(results, SECRET) ? ['the model read a result that a hook replaces'] : []),
  ];
}
