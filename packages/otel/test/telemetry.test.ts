import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  proceed,
  requireApproval,
  retry,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { SpanStatusCode } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import * as sdk3 from '@opentelemetry/sdk-trace';
import * as sdk2 from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { telemetry } from '../src/index.ts';

/** A tracer of each SDK, and its finished spans. */
const SDKS = {
  'the SDK 3'() {
    const exporter = new sdk3.InMemorySpanExporter();
    const provider = new sdk3.TracerProvider({
      spanProcessors: [new sdk3.SimpleSpanProcessor({ exporter })],
    });
    return { tracer: provider.getTracer('test'), spans: () => exporter.getFinishedSpans() };
  },
  'the SDK 2'() {
    const exporter = new sdk2.InMemorySpanExporter();
    const provider = new sdk2.BasicTracerProvider({
      spanProcessors: [new sdk2.SimpleSpanProcessor(exporter)],
    });
    return { tracer: provider.getTracer('test'), spans: () => exporter.getFinishedSpans() };
  },
};

describe.each(Object.entries(SDKS))('telemetry with %s', (_, trace) => {
  /** Hooks that report to a real SDK with exporters in memory. */
  function setUp(options = {}) {
    const { tracer, spans } = trace();
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
    const meters = new MeterProvider({ readers: [reader] });
    const hooks = createHooks();
    const recording = hooks.use(telemetry({ tracer, meter: meters.getMeter('test'), ...options }));
    return {
      hooks,
      recording,
      spans,
      async points(name: string) {
        await reader.forceFlush();
        const all =
          exporter
            .getMetrics()
            .at(-1)
            ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
        return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
      },
    };
  }

  const call = (hooks: Hooks, execute: (input: unknown) => unknown = () => 'out') =>
    callTool(
      hooks,
      { session: hooks.session('chat'), agent: 'coder', toolName: 'exec', callId: 'c1', input: 'a secret' },
      execute,
    );

  it('records each dispatch that ran a hook as a span, with an event for each hook', async () => {
    const { hooks, spans } = setUp();
    hooks.on(BeforeToolCall, () => proceed(), { id: 'first' });
    hooks.guard(BeforeToolCall, () => block('because of a secret'), { id: 'second' });
    await call(hooks);
    const span = spans().find(({ name }) => name === 'hooks before_tool_call');
    expect(span?.attributes).toEqual({
      'gen_ai.conversation.id': 'chat',
      'gen_ai.agent.name': 'coder',
      'gen_ai.tool.name': 'exec',
      'gen_ai.tool.call.id': 'c1',
      'hooks.event': 'before_tool_call',
      'hooks.decision': 'block',
      'hooks.hook': 'second',
    });
    expect(span?.events.map(({ name, attributes }) => [name, attributes?.['hooks.decision']])).toEqual([
      ['first', 'proceed'],
      ['second', 'block'],
    ]);
  });

  it('records only the id of the principal', async () => {
    const { hooks, spans } = setUp();
    hooks.session('chat', { principal: { id: 'ann', roles: ['admin'], tenant: 'acme' } });
    hooks.on(BeforeToolCall, () => proceed());
    await call(hooks);
    expect(spans().map(({ attributes }) => attributes['enduser.id'])).toEqual(['ann', 'ann', 'ann']);
    expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toMatch(/admin|acme/);
  });

  it('records a required approval as such, not as a modification', async () => {
    const { hooks, spans, points } = setUp();
    hooks.guard(BeforeToolCall, () => requireApproval('sure?'), { id: 'asks' });
    await call(hooks);
    const span = spans().find(({ name }) => name === 'hooks before_tool_call');
    expect(span?.attributes['hooks.decision']).toBe('require_approval');
    expect(span?.events.map(({ attributes }) => attributes?.['hooks.decision'])).toEqual([
      'require_approval',
    ]);
    expect((await points('hooks.decisions'))[0]).toMatchObject({
      attributes: { 'hooks.event': 'before_tool_call', 'hooks.decision': 'require_approval' },
    });
  });

  it('records each attempt at a tool call as a span of the GenAI conventions', async () => {
    const { hooks, spans } = setUp();
    let runs = 0;
    hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('again') : proceed()));
    await call(hooks, () => {
      if (++runs === 1) throw new TypeError('a secret');
      return 'out';
    });
    const attempts = spans().filter(({ name }) => name === 'execute_tool exec');
    expect(
      attempts.map(({ attributes, status }) => [
        attributes['gen_ai.operation.name'],
        attributes['hooks.tool.status'],
        attributes['error.type'],
        status.code,
      ]),
    ).toEqual([
      ['execute_tool', 'error', 'TypeError', SpanStatusCode.ERROR],
      ['execute_tool', 'ok', undefined, SpanStatusCode.UNSET],
    ]);
  });

  it('records no inputs, outputs and error messages, and reasons only with the option', async () => {
    for (const reasons of [false, true]) {
      const { hooks, spans } = setUp({ reasons });
      hooks.guard(BeforeToolCall, () => block('a reason'));
      await call(hooks);
      hooks.clear();
      await call(hooks, () => {
        throw new Error('a secret');
      });
      const exported = JSON.stringify(
        spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
      );
      expect(exported).not.toContain('a secret');
      expect(exported.includes('a reason')).toBe(reasons);
    }
  });

  it('counts decisions, failures and durations', async () => {
    const { hooks, points } = setUp();
    hooks.on(
      BeforeToolCall,
      () => {
        throw new Error('x');
      },
      { id: 'broken', onFailure: 'proceed' },
    );
    await call(hooks);
    await call(hooks);
    expect(await points('hooks.decisions')).toMatchObject([
      { attributes: { 'hooks.event': 'before_tool_call', 'hooks.decision': 'proceed' }, value: 2 },
      { attributes: { 'hooks.event': 'after_tool_call' }, value: 2 },
    ]);
    expect(await points('hooks.failures')).toMatchObject([
      { attributes: { 'hooks.hook': 'broken', 'hooks.error.code': 'HOOK_FAILED' }, value: 2 },
    ]);
    expect(await points('hooks.tool.duration')).toMatchObject([
      { attributes: { 'gen_ai.tool.name': 'exec' }, value: { count: 2 } },
    ]);
  });

  it('can be part of a policy and is removed with it', async () => {
    const { tracer, spans } = trace();
    const hooks = createHooks();
    const policy = hooks.use({
      name: 'acme',
      register(registrar) {
        registrar.on(BeforeToolCall, () => proceed());
        registrar.use(telemetry({ tracer }));
      },
    });
    await call(hooks);
    expect(spans().map(({ name }) => name)).toContain('execute_tool exec');
    policy[Symbol.dispose]();
    const before = spans().length;
    await call(hooks);
    expect(spans()).toHaveLength(before);
  });

  it('stops when disposed', async () => {
    const { hooks, recording, spans } = setUp();
    hooks.on(BeforeToolCall, () => proceed());
    recording[Symbol.dispose]();
    await call(hooks);
    expect(spans()).toEqual([]);
  });
});

it('telemetry refuses an option that has no effect', () => {
  expect(() => telemetry({ reason: true } as object)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: 'telemetry: reason is unknown; did you mean reasons?',
    }),
  );
});
