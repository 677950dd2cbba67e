import type { Endpoint, ServerSentEvent, WireAnswer } from './endpoint.ts';
import { responseEvents, responseObject } from './responses-answer.ts';
import { readResponsesRequest } from './responses-request.ts';
import { StoredResponses } from './stored-responses.ts';

/** `POST /v1/responses` of one server. Later requests may refer to its earlier responses. */
export function createResponses(): Endpoint {
  const stored = new StoredResponses();
  const finish = (answer: WireAnswer, text: string) => {
    const response = responseObject(answer, text);
    stored.keep(answer.body, response);
    return response;
  };
  return {
    read: (body) => readResponsesRequest(body, stored.inputOf(body)),
    whole: finish,
    streamed: (answer): AsyncGenerator<ServerSentEvent> =>
      responseEvents(answer, (text) => finish(answer, text)),
  };
}
