import { isHooksError } from '@hooks/core';
import { pendingApprovals } from '@hooks/mastra';
import type { Agent } from '@mastra/core/agent';
import {
  MASTRA_RESOURCE_ID_KEY,
  RequestContext,
} from '@mastra/core/request-context';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { User } from './agent.ts';

/** How many bytes a request may have. */
const MAX_BYTES = 10_000;

const Chat = z.strictObject({ message: z.string().min(1) });
const call = { runId: z.string(), callId: z.string() };
const Answer = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('allow'), ...call }),
  z.strictObject({
    decision: z.literal('deny'),
    reason: z.string().min(1),
    ...call,
  }),
]);

/**
 * `POST /chat` starts a run. `GET /approvals` lists what waits for the user, and `POST /approvals` answers it.
 *
 * @param userOf who sent a request, by its `authorization`; undefined if nobody is signed in
 */
export function bankService(
  agent: Agent,
  userOf: (authorization: string | undefined) => User | undefined,
) {
  const waitingFor = async (user: User) => {
    const { runs } = await agent.listSuspendedRuns({ resourceId: user.id });
    return (await Promise.all(runs.map(waitingIn))).flat();
  };
  const app = new Hono<{ Variables: { user: User } }>();
  app.use(async (context, next) => {
    const user = userOf(context.req.header('authorization'));
    if (user === undefined) return context.json('Sign in first.', 401);
    context.set('user', user);
    return next();
  });
  app.use(
    bodyLimit({
      maxSize: MAX_BYTES,
      onError: (context) =>
        context.json(`Send at most ${MAX_BYTES} bytes.`, 413),
    }),
  );
  app.post('/chat', async (context) => {
    const { message } = Chat.parse(await context.req.json());
    const requestContext = contextOf(context.get('user'));
    const run = await agent.generate(message, { requestContext });
    return context.json(await replyOf(run));
  });
  app.get('/approvals', async (context) =>
    context.json(await waitingFor(context.get('user'))),
  );
  app.post('/approvals', async (context) => {
    const user = context.get('user');
    const answer = Answer.parse(await context.req.json());
    const { runId, callId: toolCallId } = answer;
    const waiting = await waitingFor(user);
    if (
      !waiting.some((one) => one.runId === runId && one.callId === toolCallId)
    )
      return context.json('No such payment waits for you.', 404);
    const options = { runId, toolCallId, requestContext: contextOf(user) };
    const run = await (answer.decision === 'allow'
      ? agent.approveToolCallGenerate(options)
      : agent.declineToolCallGenerate({ ...options, reason: answer.reason }));
    return context.json(await replyOf(run));
  });
  app.notFound((context) => context.json('There is no such page.', 404));
  app.onError((error, context) => {
    if (error instanceof z.ZodError)
      return context.json(z.prettifyError(error), 400);
    if (error instanceof SyntaxError)
      return context.json('The body has to be JSON.', 400);
    // Such as a second answer, which arrives while the first one is carried out.
    if (isHooksError(error)) return context.json(error.message, 409);
    console.error(error);
    return context.json('The request failed.', 500); // no stack
  });
  return app;
}

/** What the agent knows of a request: the user who is signed in, and nothing that the client says. */
function contextOf(user: User): RequestContext {
  return new RequestContext([
    ['user', user],
    [MASTRA_RESOURCE_ID_KEY, user.id],
  ]);
}

/** What a run has answered, and the payments of it that wait. */
async function replyOf(run: Awaited<ReturnType<Agent['generate']>>) {
  return { text: run.text, approvals: await waitingIn(run) };
}

/** The payments of a run that wait for its user, with what an answer has to name. */
async function waitingIn(run: { readonly runId?: string | undefined }) {
  const pending = await pendingApprovals(run);
  return pending.map(({ callId, input, reason }) => ({
    runId: run.runId,
    callId,
    input,
    reason,
  }));
}
