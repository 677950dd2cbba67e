import { describe, expect, it } from 'vitest';
import {
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  defineGroup,
  type EventPayload,
  HookEvent,
  modify,
  proceed,
  ToolEvent,
} from '../src/index.ts';
import { AcmeEvent, Canary, Deploy, Upload } from './acme-deploy/index.ts';

const payload = (hooks: ReturnType<typeof createHooks>) => ({
  session: hooks.session('s'),
  tenant: 't',
  target: 'prod',
  version: 'v1',
});

describe('events of another package', () => {
  it('are dispatched, obeyed and observed like core’s own', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(Deploy, ({ version }) => modify({ version: version.slice(1) }));
    hooks.observe(AcmeEvent, ({ type, tenant }) => seen.push(`${type} ${tenant}`));
    hooks.observe(HookEvent, ({ type }) => seen.push(type));
    expect(await hooks.dispatch(Deploy, payload(hooks))).toMatchObject({
      kind: 'modify',
      patch: { version: '1' },
    });
    expect(seen).toEqual(['session_start', 'acme_deploy t', 'acme_deploy']);
  });

  it('tool events are seen by other people’s observers of ToolEvent, and have matchers', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(ToolEvent, ({ type, toolName }) => seen.push(`${type} ${toolName}`));
    hooks.guard(Upload.matching('put_.*'), ({ bytes }) => (bytes > 10 ? block('too big') : proceed()));
    const upload = (toolName: string, bytes: number) =>
      hooks.dispatch(Upload, {
        session: hooks.session('s'),
        callId: 'c',
        toolName,
        nativeToolName: toolName,
        input: {},
        bytes,
      });
    expect(await upload('put_file', 11)).toMatchObject({ kind: 'block', reason: 'too big' });
    expect(await upload('put_file', 1)).toBe(proceed());
    expect(await upload('get_file', 11)).toBe(proceed());
    expect(seen).toEqual(['acme_upload put_file', 'acme_upload put_file', 'acme_upload get_file']);
  });
});

describe('what a field may be replaced by', () => {
  interface Draft extends EventPayload {
    readonly prompt: { readonly text: string };
    readonly tone: string;
  }
  const Draft = defineEvent<Draft>()({
    type: 'acme_draft',
    permits: ['block', 'modify'],
    modifies: ['prompt', 'tone'],
    shapes: { tone: 'string' },
  });
  const Letter = defineEvent<Draft>()({
    type: 'acme_letter',
    permits: ['block', 'modify'],
    modifies: ['tone'],
    extends: Draft,
  });
  const draft = (hooks: ReturnType<typeof createHooks>) => ({
    session: hooks.session('s'),
    prompt: { text: 'Dear' },
    tone: 'kind',
  });

  it('is what its event says, whatever a field of that name is in other events', async () => {
    const hooks = createHooks();
    hooks.on(Draft, () => modify({ prompt: { text: 'Sir' } }));
    expect(await hooks.dispatch(Draft, draft(hooks))).toMatchObject({ patch: { prompt: { text: 'Sir' } } });
  });

  it('another shape is a failure of the hook, in sub-events too', async () => {
    const hooks = createHooks();
    hooks.on(Draft, () => modify({ tone: 7 as never }));
    const refused = { kind: 'block', reason: expect.stringContaining('"tone"') };
    expect(await hooks.dispatch(Draft, draft(hooks))).toMatchObject(refused);
    expect(await hooks.dispatch(Letter, draft(hooks))).toMatchObject(refused);
  });

  it('is named by fields that it lets be replaced', () => {
    defineEvent<Draft>()({
      type: 'acme_note',
      permits: ['modify'],
      modifies: ['tone'],
      // @ts-expect-error prompt is not modifiable here
      shapes: { prompt: 'object' },
    });
  });
});

describe('a sub-event', () => {
  it('asks its parent’s hooks too, in one order with its own', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(
      Deploy,
      () => {
        asked.push('parent');
        return proceed();
      },
      { priority: 1 },
    );
    hooks.on(
      Canary,
      () => {
        asked.push('own first');
        return proceed();
      },
      { priority: 2 },
    );
    hooks.on(Canary, () => {
      asked.push('own last');
      return proceed();
    });
    await hooks.dispatch(Canary, { ...payload(hooks), share: 1 });
    expect(asked).toEqual(['own first', 'parent', 'own last']);
    asked.length = 0;
    await hooks.dispatch(Deploy, payload(hooks));
    expect(asked).toEqual(['parent']);
  });

  it('holds its parent’s hooks to what it permits itself', async () => {
    const hooks = createHooks();
    hooks.on(Deploy, () => modify({ version: 'x' }), { id: 'rewrites' });
    const decision = await hooks.dispatch(Canary, { ...payload(hooks), share: 1 });
    expect(decision).toMatchObject({ kind: 'block', by: 'rewrites' });
  });

  it('that widens its parent is refused where types are not looked at', () => {
    const widen = (declaration: object) => () => defineEvent<EventPayload>()(declaration as never);
    expect(widen({ type: 'x', permits: ['block', 'retry'], extends: Deploy })).toThrow(
      /may only narrow its parent "acme_deploy", but adds retry/,
    );
    expect(widen({ type: 'x', permits: ['modify'], modifies: ['target'], extends: Deploy })).toThrow(
      /adds target/,
    );
  });
});

describe('a declaration that contradicts itself is refused', () => {
  it.each([
    [{ type: '' }, /needs a `type`/],
    [{ type: 'constructor' }, /needs a `type` of its own/],
    [{ type: 'x', permits: ['modify'] }, /modifies/],
    [{ type: 'x', modifies: ['agent'] }, /modifies/],
    [{ type: 'x', onFailure: 'block' }, /cannot block on failure/],
  ])('%j', (declaration, message) => {
    expect(() => defineEvent<EventPayload>()(declaration as never)).toThrow(message);
  });

  it('a group that extends an event', () => {
    expect(() => defineGroup<EventPayload>()({ type: 'x', extends: BeforeToolCall as never })).toThrow(
      /only extend a group/,
    );
  });
});

describe('dispatch refuses an event', () => {
  it('without a session, or of another type', () => {
    const hooks = createHooks();
    expect(() => hooks.dispatch(Deploy, {} as never)).toThrow(/needs a `session`/);
    expect(() => hooks.dispatch(Deploy, { ...payload(hooks), type: 'other' })).toThrow(/acme_deploy/);
  });
});
