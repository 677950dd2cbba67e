import type { Endpoint } from './endpoint.ts';
import { responseEvents, responseObject } from './responses-answer.ts';
import { readResponsesRequest } from './responses-request.ts';

/** `POST /v1/responses` */
export const responses: Endpoint = {
  read: readResponsesRequest,
  whole: responseObject,
  streamed: responseEvents,
};
