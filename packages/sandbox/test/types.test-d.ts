import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import { expectTypeOf, it } from 'vitest';
import { createSandbox, localSandbox, routeTo, type SandboxCommand, type SandboxSpec } from '../src/index.ts';

const hooks = createHooks();
const sandbox = createSandbox(localSandbox());

it('routeTo is an answer for interceptors of BeforeToolCall, not for guards', () => {
  hooks.on(BeforeToolCall, () => routeTo(sandbox, { command: 'ls' }));
  hooks.on(BeforeToolCall, async (call) =>
    call.toolName === 'x' ? routeTo(sandbox, { argv: ['ls'] }) : proceed(),
  );
  // @ts-expect-error a guard cannot rewrite
  hooks.guard(BeforeToolCall, () => routeTo(sandbox, { command: 'ls' }));
});

it('a command is either a line or a program with arguments', () => {
  expectTypeOf<{ command: string }>().toExtend<SandboxCommand>();
  expectTypeOf<{ argv: [string] }>().toExtend<SandboxCommand>();
  expectTypeOf<{ argv: [] }>().not.toExtend<SandboxCommand>();
  expectTypeOf<{ command: string; argv: [string] }>().not.toExtend<SandboxCommand>();
  expectTypeOf<{ cwd: string }>().not.toExtend<SandboxCommand>();
});

it('a workspace has a kind', () => {
  expectTypeOf<{ workspace: { kind: 'mount' } }>().not.toExtend<SandboxSpec>();
  expectTypeOf<{ workspace: { kind: 'copy'; path: string } }>().toExtend<SandboxSpec>();
});
