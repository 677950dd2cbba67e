import { type Principal, ToolApprovalDecision } from '@hooks/core';
import { blockReason, hookedRunner } from '@hooks/openai-agents';
import { isStoreError, type Store } from '@hooks/store';
import {
  answerApproval,
  inbox,
  waitingApprovals,
} from '@hooks/store/approvals';
import { type Agent, MemorySession, Runner } from '@openai/agents';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type Response,
} from 'express';
import { z } from 'zod';
import { policy } from './agent.ts';

/** How many bytes a request may have. */
const MAX_BYTES = 10_000;

const Chat = z.strictObject({ message: z.string() });
const Answer = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('allow') }),
  z.strictObject({ decision: z.literal('deny'), reason: z.string().min(1) }),
]);

type SignedIn = Response<unknown, { user: Principal }>;

/** A run, as its user sees it. It has an answer when it is over. */
interface Run {
  readonly user: string;
  readonly approvals: object[];
  answer?: string;
}

/**
 * `POST /chat` starts a run, and `GET /chat/<id>` shows it. `GET /approvals` lists what waits for the user's answer, and
 * `POST /approvals/<id>` answers it.
 *
 * @param userOf who sent a request; undefined if nobody is signed in
 */
export function chatService(
  agent: Agent<Principal>,
  store: Store,
  userOf: (request: Request) => Principal | undefined,
): Express {
  const runs = new Map<string, Run>();
  const hooks = policy();
  hooks.observe(ToolApprovalDecision, (decision) => {
    const { session, toolName, approval, by, reason } = decision;
    runs.get(session.id)?.approvals.push({ toolName, approval, by, reason });
  });
  const runner = hookedRunner(new Runner(), hooks, {
    approval: inbox({ store }),
    principal: (context?: Principal) => context,
  });

  async function answer(id: string, context: Principal, message: string) {
    const session = new MemorySession({ sessionId: id });
    try {
      const result = await runner.run(agent, message, { context, session });
      return blockReason(result) ?? result.finalOutput ?? '';
    } catch (error) {
      const reason = blockReason(error);
      if (reason === undefined) console.error(error); // it is broken
      return reason ?? 'Something went wrong.';
    }
  }

  /** Approvers answer the requests of others. */
  const waitingFor = async ({ id, roles }: Principal) =>
    (await waitingApprovals(store)).filter(
      ({ principal }) => roles?.includes('approver') && principal?.id !== id,
    );

  const app = express();
  app.use((request, response: SignedIn, next) => {
    const user = userOf(request);
    if (user === undefined)
      return void response.status(401).json('Sign in first.');
    response.locals.user = user;
    next();
  });
  app.use(express.json({ limit: MAX_BYTES })); // nobody else's body is read
  app.post('/chat', async ({ body }, response: SignedIn) => {
    const { user } = response.locals;
    const { message } = Chat.parse(body);
    const id = crypto.randomUUID();
    const run: Run = { user: user.id, approvals: [] };
    runs.set(id, run);
    response.status(202).json({ id });
    run.answer = await answer(id, user, message);
    setTimeout(() => runs.delete(id), 60 * 60_000).unref(); // shown for an hour
  });
  app.get('/chat/:id', ({ params }, response: SignedIn) => {
    const run = runs.get(params.id);
    if (run?.user === response.locals.user.id) response.json(run);
    else response.status(404).json('There is no such chat.');
  });
  app.get('/approvals', async (_request, response: SignedIn) => {
    response.json(await waitingFor(response.locals.user));
  });
  app.post('/approvals/:id', async ({ params, body }, response: SignedIn) => {
    const { user } = response.locals;
    const given = Answer.parse(body);
    const waiting = await waitingFor(user);
    if (!waiting.some(({ id }) => id === params.id))
      return void response.status(404).json('No such request waits for you.');
    await answerApproval(store, params.id, { ...given, by: user.id });
    response.json('Answered.');
  });
  app.use((_request, response) => {
    response.status(404).json('There is no such page.');
  });
  app.use(
    (
      error: unknown,
      _request: Request,
      response: Response,
      _next: NextFunction, // Express knows an error handler by its four parameters
    ) => {
      if (error instanceof z.ZodError)
        return void response.status(400).json(z.prettifyError(error));
      // Such as "The request … was answered already by bob: allow."
      if (isStoreError(error) && error.code === 'INVALID')
        return void response.status(409).json(error.message);
      // Express says so of what it cannot read, such as a body that is no JSON.
      const { status = 500 }: { readonly status?: number } = Object(error);
      if (status >= 500) console.error(error);
      response.status(status).json('The request failed.'); // no stack
    },
  );
  return app;
}
