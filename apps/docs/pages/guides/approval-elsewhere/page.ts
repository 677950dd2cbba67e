import { createServer } from 'node:http';
import { isStoreError, type Store } from '@hooks/store';
import {
  answerApproval,
  answerReceived,
  waitingApprovals,
} from '@hooks/store/approvals';
import { z } from 'zod';

/** How many bytes an answer may have. */
const MAX_BYTES = 10_000;

const Answer = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('allow') }),
  z.strictObject({ decision: z.literal('deny'), reason: z.string() }),
]);

/**
 * `GET /approvals` lists what waits, `POST /approvals/<id>` answers it.
 *
 * @param userOf who is signed in; nobody else may answer
 */
export function approvalServer(
  store: Store,
  userOf: (authorization: string | undefined) => string | undefined,
) {
  return createServer(async (request, response) => {
    const reply = (status: number, body: unknown) =>
      response.writeHead(status).end(JSON.stringify(body));
    const by = userOf(request.headers.authorization);
    if (by === undefined) return reply(401, 'Sign in first.');
    try {
      if (request.method === 'GET')
        return reply(200, await waitingApprovals(store));
      if (!(Number(request.headers['content-length']) <= MAX_BYTES))
        return reply(413, `Send at most ${MAX_BYTES} bytes.`);
      const text = (await request.toArray()).join('');
      const answer = Answer.parse(JSON.parse(text));
      const id = request.url?.split('/').at(-1) ?? '';
      await answerApproval(store, id, { ...answer, by });
      // A process that was killed a moment ago reads no answer.
      const received = await answerReceived(store, id);
      return reply(200, received ? 'Answered.' : 'Stored, and not read yet.');
    } catch (error) {
      // Such as "The request … was answered already by ann: allow."
      return reply(409, isStoreError(error) ? error.message : 'Bad request.');
    }
  });
}
