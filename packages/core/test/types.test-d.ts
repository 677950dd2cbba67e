import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  AfterToolCall,
  addContext,
  answer,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  defineGroup,
  type EventOf,
  type EventPayload,
  type EventToken,
  grantApproval,
  type HookDecision,
  HookEvent,
  type Modify,
  modify,
  PermissionRequest,
  type Proceed,
  proceed,
  requireApproval,
  retry,
  SessionEnd,
  SessionStart,
  Stop,
  SubagentStart,
  ToolEvent,
  TransformToolResult,
  UserPromptSubmit,
} from '../src/index.ts';

const hooks = createHooks();

describe('decisions', () => {
  it('a plain literal is no decision', () => {
    // @ts-expect-error only the constructors make one
    const literal: HookDecision = { kind: 'proceed' };
    // @ts-expect-error nor is a literal Block
    hooks.on(BeforeToolCall, () => ({ kind: 'block', reason: 'no' }));
    void literal;
  });

  it('a switch over kind is exhaustive', () => {
    const decision = proceed() as HookDecision;
    switch (decision.kind) {
      case 'proceed':
      case 'block':
      case 'modify':
      case 'retry':
        break;
      default:
        decision satisfies never;
    }
  });
});

describe('what a handler may return', () => {
  it('is what the event permits, plain or as a promise', () => {
    hooks.on(BeforeToolCall, () => proceed());
    hooks.on(BeforeToolCall, async () => block('no'));
    hooks.on(BeforeToolCall, (call) =>
      call.toolName === 'x' ? modify({ input: 1 }) : requireApproval('sure?'),
    );
    hooks.on(BeforeToolCall, () => grantApproval('fine'));
    hooks.on(BeforeToolCall, () => answer('cached'));
    hooks.on(BeforeToolCall, () => addContext('be careful'));
    hooks.on(AfterToolCall, () => retry('again'));
    hooks.on(Stop, () => retry('go on'));
    hooks.on(UserPromptSubmit, () => modify({ prompt: 'x', metadata: { a: 1 } }));
    hooks.on(BeforeModelCall, (event) => modify({ settings: { ...event.settings, temperature: 0 } }));
    hooks.on(PermissionRequest, () => grantApproval('fine'));
    hooks.on(TransformToolResult, (event) => modify({ output: event.output }));
  });

  it('is nothing else', () => {
    // @ts-expect-error Retry before a tool call
    hooks.on(BeforeToolCall, () => retry('again'));
    // @ts-expect-error Block on an event that does not permit it
    hooks.on(SessionStart, () => block('no'));
    // @ts-expect-error a field that the event does not declare modifiable
    hooks.on(BeforeToolCall, () => modify({ session: 1 }));
    // @ts-expect-error nor beside one that it does
    hooks.on(BeforeToolCall, () => modify({ input: 1, callId: 'x' }));
    // @ts-expect-error a modifiable field with a wrong type
    hooks.on(BeforeToolCall, () => modify({ toolName: 1 }));
    // @ts-expect-error requireApproval where approval is required already
    hooks.on(PermissionRequest, () => requireApproval('x'));
    // @ts-expect-error the whole union
    hooks.on(BeforeToolCall, (): HookDecision => proceed());
    // @ts-expect-error a wrong answer in a promise
    hooks.on(BeforeToolCall, async () => retry('again'));
  });

  it('a forgotten return on a deciding event does not compile; on an observing one void is fine', () => {
    // @ts-expect-error forgotten
    hooks.on(BeforeToolCall, () => {});
    // @ts-expect-error forgotten on one path
    hooks.on(BeforeToolCall, (call) => {
      if (call.toolName === 'x') return block('no');
    });
    // @ts-expect-error forgotten in a promise
    hooks.on(BeforeToolCall, async () => {});
    hooks.on(SessionEnd, () => {});
    hooks.on(SubagentStart, async () => {});
    hooks.on(SessionEnd, () => proceed());
  });
});

describe('guards', () => {
  it('answer Proceed, Block or, before a tool call, requireApproval', () => {
    hooks.guard(BeforeToolCall, () => proceed());
    hooks.guard(BeforeToolCall, async () => block('no'));
    hooks.guard(BeforeToolCall, () => requireApproval('sure?'));
    hooks.guard(UserPromptSubmit, () => block('no'));
    hooks.guard(AfterToolCall, () => block('no'));
    // @ts-expect-error no other Modify
    hooks.guard(BeforeToolCall, () => modify({ input: 1 }));
    // @ts-expect-error not a grant
    hooks.guard(BeforeToolCall, () => grantApproval('fine'));
    // @ts-expect-error requireApproval only before a tool call
    hooks.guard(UserPromptSubmit, () => requireApproval('sure?'));
    // @ts-expect-error no Retry
    hooks.guard(AfterToolCall, () => retry('again'));
    // @ts-expect-error only where Block is permitted
    hooks.guard(SessionStart, () => proceed());
  });
});

describe('groups', () => {
  it('are observed only', () => {
    hooks.observe(ToolEvent, (event) => expectTypeOf(event.callId).toBeString());
    hooks.observe(HookEvent, (event) => expectTypeOf(event.type).toBeString());
    // @ts-expect-error a group can only be observed
    hooks.on(ToolEvent, () => proceed());
  });

  it('observers cannot decide', () => {
    hooks.observe(BeforeToolCall, ({ callId }) => new Map([[callId, 1]]));
    hooks.observe(BeforeToolCall, async () => []);
    hooks.observe(BeforeToolCall, () => proceed());
    // @ts-expect-error an observer changes nothing
    hooks.observe(BeforeToolCall, () => block('no'));
    // @ts-expect-error an observer changes nothing
    hooks.observe(BeforeToolCall, async () => block('no'));
    // @ts-expect-error an observer changes nothing
    hooks.observe(BeforeToolCall, ({ input }) => (input === 1 ? requireApproval('?') : proceed()));
  });

  it('events are told apart by their token', () => {
    hooks.observe(ToolEvent, (event) => {
      if (AfterToolCall.is(event))
        expectTypeOf(event.status).toEqualTypeOf<'ok' | 'error' | 'blocked' | 'denied'>();
    });
  });
});

describe('matchers', () => {
  const tool = {
    name: 'exec',
    schema: z.object({ command: z.string(), timeout: z.number().default(60) }),
    func: async (_input: { command: string }) => ({ stdout: '' }),
  };

  it('for(tool) narrows input and output to that tool’s types: the schema’s input type', () => {
    hooks.on(BeforeToolCall.for(tool), (call) => {
      expectTypeOf(call.input).toEqualTypeOf<{ command: string; timeout?: number | undefined }>();
      return modify({ input: { command: `${call.input.command} --color=never` } });
    });
    hooks.on(AfterToolCall.for(tool), (call) => {
      expectTypeOf(call.output).toEqualTypeOf<{ stdout: string } | undefined>();
      return modify({ output: { stdout: 'x' } });
    });
    // @ts-expect-error a Modify that does not fit the tool's input
    hooks.on(BeforeToolCall.for(tool), () => modify({ input: { cmd: 'ls' } }));
    // @ts-expect-error a Modify that does not fit the tool's output
    hooks.on(AfterToolCall.for(tool), () => modify({ output: 'x' }));
  });

  it('for(tool) lets a guard ask for approval', () => {
    hooks.guard(BeforeToolCall.for(tool), (call) =>
      call.input.command === 'rm' ? requireApproval('sure?') : proceed(),
    );
  });

  it('matching with a schema types the input: handlers get its output, and modify takes its input', () => {
    const schema = z.object({ amount: z.coerce.number<string>(), currency: z.string().default('EUR') });
    hooks.on(BeforeToolCall.matching('pay', schema), ({ input, callId }) => {
      expectTypeOf(callId).toBeString();
      expectTypeOf(input).toEqualTypeOf<{ amount: number; currency: string }>();
      return modify({ input: { amount: '7' } });
    });
    hooks.guard(BeforeToolCall.matching('pay', schema), ({ input }) =>
      input.amount > 5 ? requireApproval('sure?') : block('no'),
    );
    hooks.observe(AfterToolCall.matching(/^pay/, schema), ({ input, output }) => {
      expectTypeOf(input.currency).toBeString();
      expectTypeOf(output).toBeUnknown();
    });
    // @ts-expect-error a Modify that does not fit the schema's input
    hooks.on(BeforeToolCall.matching('pay', schema), () => modify({ input: { amount: 7 } }));
    // @ts-expect-error a guard modifies nothing
    hooks.guard(BeforeToolCall.matching('pay', schema), () => modify({ input: { amount: '7' } }));
    // @ts-expect-error no schema
    BeforeToolCall.matching('pay', { type: 'object' });
  });

  it('matching takes schemas of any library that follows Standard Schema', () => {
    // As valibot has them: an interface of its own, with a second argument of `validate`.
    interface LibrarySchema<Input, Output> {
      readonly kind: 'schema';
      readonly '~standard': {
        readonly version: 1;
        readonly vendor: 'library';
        readonly validate: (
          value: unknown,
          options?: { readonly abortEarly?: boolean },
        ) =>
          | { value: Output; issues?: undefined }
          | { issues: [{ message: string; path?: { key: PropertyKey }[] }] };
        readonly types?: { readonly input: Input; readonly output: Output } | undefined;
      };
    }
    const schema = {} as LibrarySchema<string, Date>;
    hooks.on(BeforeToolCall.matching('remind', schema), ({ input }) => {
      expectTypeOf(input).toEqualTypeOf<Date>();
      return modify({ input: 'tomorrow' });
    });
  });

  it('matching keeps the input unknown', () => {
    hooks.on(BeforeToolCall.matching('shell|edit_.*'), (call) => {
      expectTypeOf(call.input).toBeUnknown();
      return proceed();
    });
  });
});

describe('dispatch', () => {
  it('answers what the event permits', async () => {
    const session = hooks.session();
    const decision = await hooks.dispatch(UserPromptSubmit, { session, prompt: 'hi' });
    expectTypeOf(decision.kind).toEqualTypeOf<'proceed' | 'block' | 'modify'>();
    const ended = await hooks.dispatch(SessionEnd, { session, reason: 'other' });
    expectTypeOf(ended).toEqualTypeOf<Proceed>();
    // @ts-expect-error the event's own fields are needed
    await hooks.dispatch(UserPromptSubmit, { session });
    // @ts-expect-error a group is no event
    await hooks.dispatch(HookEvent, { session });
  });
});

interface Deploy extends EventPayload {
  readonly target: string;
  readonly dryRun: boolean;
}
const Deploy = defineEvent<Deploy>()({
  type: 'acme_deploy',
  permits: ['block', 'modify'],
  modifies: ['dryRun'],
  extends: HookEvent,
});

describe('custom events', () => {
  it('are declared once, for the compiler and the dispatcher', () => {
    expectTypeOf<EventOf<typeof Deploy>>().toEqualTypeOf<Deploy>();
    hooks.on(Deploy, (event) => (event.target === 'prod' ? block('no') : modify({ dryRun: true })));
    // @ts-expect-error not modifiable
    hooks.on(Deploy, () => modify({ target: 'x' }));
    // @ts-expect-error a field that is not there
    defineEvent<Deploy>()({ type: 'x', permits: ['modify'], modifies: ['nothing'] });
  });

  it('a sub-event may narrow what its parent permits and modifies', () => {
    interface Canary extends Deploy {
      readonly share: number;
    }
    const Canary = defineEvent<Canary>()({ type: 'acme_canary', permits: ['block'], extends: Deploy });
    hooks.on(Canary, () => block('no'));
    // @ts-expect-error narrowed away
    hooks.on(Canary, () => modify({ dryRun: true }));
  });

  it('but never widen it', () => {
    interface Canary extends Deploy {
      readonly share: number;
    }
    defineEvent<Canary>()({
      type: 'x',
      permits: ['block', 'retry'],
      // @ts-expect-error retry is not the parent's
      extends: Deploy,
    });
    defineEvent<Canary>()({
      type: 'x',
      permits: ['modify'],
      modifies: ['share'],
      // @ts-expect-error share is not modifiable in the parent
      extends: Deploy,
    });
    defineEvent<EventPayload>()({
      type: 'x',
      // @ts-expect-error the payload is not the parent's
      extends: Deploy,
    });
  });

  it('a group’s events have at least the group’s payload', () => {
    defineGroup<ToolEvent>()({ type: 'acme_tool', extends: ToolEvent });
    // @ts-expect-error a plain payload is no tool event
    defineGroup<EventPayload>()({ type: 'acme_tool', extends: ToolEvent });
  });

  it('a token is invariant in its decisions', () => {
    // @ts-expect-error a wider annotation over a narrower definition
    const wider: EventToken<Deploy, 'block' | 'modify' | 'retry', 'dryRun'> = Deploy;
    // @ts-expect-error a narrower one
    const narrower: EventToken<Deploy, 'block'> = Deploy;
    void wider;
    void narrower;
  });

  it('a tool event of one’s own has matchers', () => {
    interface Upload extends ToolEvent {
      readonly bytes: number;
    }
    const Upload = defineEvent<Upload>()({ type: 'acme_upload', permits: ['block'], extends: ToolEvent });
    hooks.guard(Upload.matching('put_.*'), (event) => (event.bytes > 10 ? block('too big') : proceed()));
    // @ts-expect-error an event about no tool has none
    Deploy.matching('x');
  });
});

describe('Modify', () => {
  it('is covariant in its patch', () => {
    expectTypeOf(modify({ input: 1 })).toExtend<
      Modify<{ readonly input?: number; readonly toolName?: string }>
    >();
    expectTypeOf(modify({ input: 1 })).toExtend<HookDecision>();
  });
});
