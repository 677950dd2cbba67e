import { type Hooks, UserPromptSubmit } from '@hooks/core';
import type { InputProcessor, ProcessInputArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { Attachment, Run } from './run.ts';
import { promptText, withPrompt, withSystemText } from './translate.ts';

/**
 * The processor of one run: the prompt before any model, and what the model is told beside it. Undefined where no
 * hook needs it.
 */
export function runProcessor({ hooks }: Attachment, run: Run): InputProcessor | undefined {
  const asksPrompt = hooks.get(UserPromptSubmit).length > 0;
  if (!asksPrompt && hooks.list().every(({ verb }) => verb === 'observe')) return undefined;
  return {
    id: 'hooks',
    ...(asksPrompt && { processInput: (args: ProcessInputArgs) => submitPrompt(hooks, run, args) }),
    processLLMRequest: ({ prompt, stepNumber, abort }: ProcessLLMRequestArgs) => {
      if (run.stop !== undefined) abort(run.stop);
      const told = run.told?.step === stepNumber ? run.told.texts : run.session.takeContext(run.id);
      run.told = { step: stepNumber, texts: told };
      return told.length === 0 ? undefined : { prompt: withSystemText(prompt, told.join('\n\n')) };
    },
  } as InputProcessor;
}

async function submitPrompt(
  hooks: Hooks,
  run: Run,
  args: ProcessInputArgs,
): Promise<ProcessInputArgs['messages']> {
  const { messages, messageList, abort } = args;
  const submitted = new Set(messageList.get.input.db().map(({ id }) => id));
  // `messages` holds what memory recalled, too.
  const users = messages.filter(({ id, role }) => role === 'user' && submitted.has(id));
  if (users.length === 0) return messages;
  const prompt = users.map(promptText).join('\n');
  const decision = await hooks.dispatch(
    UserPromptSubmit,
    {
      session: run.session,
      prompt,
      ...(run.agent !== undefined && { agent: run.agent }),
      ...(run.id !== undefined && { run: run.id }),
      native: { messages: users },
    },
    { signal: run.signal },
  );
  if (decision.kind === 'block') abort(decision.reason);
  if (decision.kind !== 'modify' || decision.patch.prompt === undefined) return messages;
  const rewritten = decision.patch.prompt;
  const last = users.at(-1);
  return messages.flatMap((message) => {
    if (message === last) return [withPrompt(message, rewritten)];
    return users.includes(message) ? [] : [message];
  });
}
