import type { AgentOutputItem, ModelRequest, StreamEvent } from '@openai/agents';
import { responseOf } from '../translate.ts';
import type { ModelCall } from './call.ts';
import type { AnswerStream } from './hooked-model.ts';

type Done = Extract<StreamEvent, { type: 'response_done' }>;

/**
 * A streamed model call on its way through the hooks. Where a hook may change or refuse the answer its pieces are held
 * back until that is decided; a changed answer is streamed as one piece, and the original ones are dropped.
 */
export async function* streamThrough(
  call: ModelCall,
  request: ModelRequest,
  next: AnswerStream,
): AsyncGenerator<StreamEvent> {
  const begun = await call.begin(request);
  if (begun.kind === 'blocked') {
    yield* inOnePiece(begun.output);
    return;
  }
  const { holds } = call;
  for (;;) {
    const held: StreamEvent[] = [];
    let done: Done | undefined;
    for await (const event of next(begun.request)) {
      if (event.type === 'response_done') done = event;
      else if (holds) held.push(event);
      else yield event;
    }
    const ended = done && (await call.end(done.response, request.signal, !holds));
    if (ended?.kind === 'again') continue;
    if (ended?.output !== undefined) yield* inOnePiece(ended.output, done, holds);
    else if (done !== undefined) {
      yield* held;
      yield done;
    }
    // Without an end there was nothing to decide about: what was held back stays so, and the SDK rejects.
    return;
  }
}

function* inOnePiece(output: AgentOutputItem[], done?: Done, speak = true): Generator<StreamEvent> {
  const { text } = responseOf(output);
  if (speak) {
    yield { type: 'response_started' };
    if (text !== '') yield { type: 'output_text_delta', delta: text };
  }
  const usage = { requests: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  // What the provider sent holds the answer that the new one replaces.
  const { providerData: _replaced, ...response } = done?.response ?? {
    id: 'hooks_blocked',
    usage,
    providerData: {},
  };
  // The items of an answer: the SDK's own type for them here is narrower than that of a model's output.
  yield { type: 'response_done', response: { ...response, output: output as Done['response']['output'] } };
}
