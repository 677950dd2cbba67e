import { describe, expect, it } from 'vitest';
import {
  BeforeToolCall,
  block,
  createHooks,
  type HookProvider,
  HooksError,
  proceed,
  recordTraces,
} from '../src/index.ts';
import { call } from './support/call.ts';

const redact = (): HookProvider => ({
  name: 'redact',
  register: (hooks) => void hooks.on(BeforeToolCall, () => proceed(), { id: 'tool-result' }),
});
const pii = (): HookProvider => ({
  name: 'pii',
  register: (hooks) => void hooks.guard(BeforeToolCall, () => proceed(), { id: 'tool-result' }),
});

describe('a provider that uses other providers', () => {
  it('gives their hooks ids within its own, so that two may share an id', () => {
    const hooks = createHooks();
    hooks.use({
      name: 'acme',
      register(registrar) {
        registrar.use(redact());
        registrar.use(pii());
        registrar.use(redact(), { name: 'again' });
      },
    });
    expect(hooks.list().map(({ id }) => id)).toEqual([
      'acme/redact/tool-result',
      'acme/pii/tool-result',
      'acme/again/tool-result',
    ]);
    expect(() => hooks.use(redact())).not.toThrow();
  });

  it('is removed with all that it uses, by its name and by disposing', () => {
    for (const remove of [true, false]) {
      const hooks = createHooks();
      const used = hooks.use({ name: 'acme', register: (registrar) => void registrar.use(redact()) });
      hooks.use(pii());
      if (remove) expect(hooks.remove('acme')).toBe(true);
      else used[Symbol.dispose]();
      expect(hooks.list().map(({ id }) => id)).toEqual(['pii/tool-result']);
    }
  });

  it('registers nothing where one that it uses throws', () => {
    const hooks = createHooks();
    const traces = recordTraces();
    const broken: HookProvider = {
      name: 'broken',
      register() {
        throw new HooksError('CONFIG_INVALID', 'broken: no key');
      },
    };
    expect(() =>
      hooks.use({
        name: 'acme',
        register(registrar) {
          registrar.trace(traces.listener);
          registrar.use(redact());
          registrar.use(broken);
        },
      }),
    ).toThrow('broken: no key');
    expect(hooks.list()).toEqual([]);
    hooks.on(BeforeToolCall, () => proceed());
    void hooks.dispatch(BeforeToolCall, {
      session: hooks.session('s'),
      callId: 'c',
      toolName: 'exec',
      nativeToolName: 'exec',
      input: {},
    });
    expect(traces.traces).toEqual([]);
  });

  it('brings its own telemetry, which goes with it', async () => {
    const hooks = createHooks();
    const traces = recordTraces();
    const used = hooks.use({
      name: 'acme',
      register(registrar) {
        registrar.trace(traces.listener);
        registrar.guard(BeforeToolCall, () => proceed({ note: 'looked at 3 rules' }), { id: 'rules' });
      },
    });
    await call(hooks);
    const [trace] = traces.traces;
    expect(trace?.hooks).toMatchObject([{ id: 'acme/rules', decision: { note: 'looked at 3 rules' } }]);
    used[Symbol.dispose]();
    hooks.guard(BeforeToolCall, () => block('no'));
    await call(hooks);
    expect(traces.traces).toHaveLength(1);
  });

  it('used twice under one name is an error that says what to do', () => {
    const hooks = createHooks();
    const twice: HookProvider = {
      name: 'acme',
      register(registrar) {
        registrar.use(redact());
        registrar.use(redact());
      },
    };
    expect(() => hooks.use(twice)).toThrow('Provider "acme/redact" is in use: give the second a { name }');
    expect(hooks.list()).toEqual([]);
  });
});

it('a priority that is no number is refused', () => {
  expect(() => createHooks().on(BeforeToolCall, () => proceed(), { priority: Number.NaN })).toThrow(
    /priority is NaN; expected a number/,
  );
});
