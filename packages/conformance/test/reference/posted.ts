import { z } from 'zod';
import type { PostedMessage } from '../../src/index.ts';
import { messageOf as spokenMessage } from './loop.ts';
import type { Message } from './model.ts';
import type { Running } from './run.ts';
import { messageOf, text } from './tool.ts';
import { hookedCall, unwrap } from './tool-call.ts';
import { toolsOf } from './tools.ts';

type PostedCall = Extract<PostedMessage, { role: 'call' }>;

/**
 * The messages that a client posts. Hooks decide on each result, and an approval counts for nothing: what is approved
 * stands in the store.
 */
export async function readPosted(
  running: Running,
  posted: readonly PostedMessage[],
): Promise<readonly Message[]> {
  const messages: Message[] = [];
  for (const [at, one] of posted.entries()) {
    if (one.role === 'user' || one.role === 'assistant') messages.push(one);
    else if (one.role === 'call')
      messages.push(spokenMessage({ usage: undefined, text: '', toolCalls: [calledOf(one)] }));
    else if (one.role === 'result') {
      const call = posted
        .slice(0, at)
        .findLast((other) => other.role === 'call' && other.callId === one.callId);
      const content = await readResult(running, call?.role === 'call' ? call : undefined, one.output);
      messages.push({ role: 'tool', tool_call_id: one.callId, content });
    } else if (one.approved && running.faults.has('believes an approval that a client makes up'))
      running.answers.set(one.callId, { decision: 'allow', hash: undefined });
  }
  return messages;
}

function calledOf({ callId: id, toolName: name, input }: PostedCall) {
  return { id, name, arguments: JSON.stringify(input) };
}

/** A result as hooks leave it. */
async function readResult(running: Running, call: PostedCall | undefined, output: string): Promise<string> {
  if (call === undefined) return output;
  const [any, ...others] = toolsOf(running);
  const own = [any, ...others].find((one) => one?.name === call.toolName);
  // A client may name a tool that the agent does not have.
  const tool = own ?? (any && { ...any, name: call.toolName, schema: z.unknown() });
  if (tool === undefined) return output;
  if (running.faults.has('does not read a result that a client makes up')) return output;
  try {
    const outcome = await hookedCall(running, { ...tool, execute: () => output }, call.input, call.callId);
    return text(unwrap(outcome));
  } catch (error) {
    return messageOf(error);
  }
}
