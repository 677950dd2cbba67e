import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  block,
  PermissionRequest,
  requireApproval,
  ToolApprovalDecision,
  type ToolKind,
  TransformToolResult,
} from '@hooks/core';
import { expect } from 'vitest';
import type { Script } from '../model-server/index.ts';
import { can, reaches } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Cast, Played, Stage } from '../stage.ts';
import { callOf, expectAnswered } from './script.ts';

const points = [
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  BeforeExecute,
  TransformToolResult,
  AfterToolCall,
];

/** Tools of every kind are hooked. */
export const toolKinds: Family = {
  name: 'kinds of tools',
  scenarios: (['function', 'mcp', 'agent', 'framework'] as const).flatMap((kind) => [
    everyEvent(kind),
    blocked(kind),
  ]),
};

function everyEvent(kind: ToolKind): Scenario {
  return {
    rule: `a ${kind} tool call fires every event of a tool call in order, approval included`,
    needs: [...points.map((point) => reaches(point, kind)), can(BeforeToolCall, 'modify.approval')],
    async play(stage) {
      const events = stage.events();
      stage.hooks.on(BeforeToolCall.matching('.*oracle.*'), () => requireApproval('It costs money.'));
      const { played } = await ask(stage, kind, { approval: () => ({ decision: 'allow' }) });
      expectAnswered(played);
      expect(played.read['c1']).toContain('clear sky');
      const own = events.filter((event) => 'callId' in event && event.callId === 'c1');
      expect(own.map(({ type }) => type)).toEqual(points.map(({ type }) => type));
      for (const event of own) {
        // If an agent is a plain function, its kind is unknown.
        expect([kind, ...(kind === 'agent' ? ['function'] : [])]).toContain(kindOf(event));
        stage.witness({ event: event.type, tool: kind });
      }
    },
  };
}

function blocked(kind: ToolKind): Scenario {
  return {
    rule: `a blocked ${kind} tool call does not run`,
    needs: [reaches(BeforeToolCall, kind), can(BeforeToolCall, 'block')],
    async play(stage) {
      stage.hooks.guard(BeforeToolCall.matching('.*oracle.*'), () => block('Ask nobody.'));
      const { played, ran } = await ask(stage, kind, {});
      expectAnswered(played);
      expect(await ran()).toBe(false);
      expect(played.read).toEqual({ c1: 'Ask nobody.' });
    },
  };
}

/** Runs an agent whose only tool has this kind and `oracle` in its name. It answers 'clear sky'. */
async function ask(
  stage: Stage,
  kind: ToolKind,
  attach: NonNullable<Cast['attach']>,
): Promise<{ readonly played: Played; readonly ran: () => Promise<boolean> }> {
  let spoke = false;
  const oracle = stage.tool('oracle', () => 'clear sky');
  const server = kind === 'mcp' ? await stage.mcpServer('oracle', 'clear sky') : undefined;
  const casts: Readonly<Partial<Record<ToolKind, Cast>>> = {
    function: { tools: [oracle] },
    mcp: { tools: [], ...(server && { mcpServers: [server.spec] }) },
    agent: { tools: [], subagents: [{ ...sage, tools: [] }] },
    framework: { tools: [], frameworkTool: oracle },
  };
  const script: Script = (request) => {
    if (request.system.includes(sage.instructions)) {
      spoke = true;
      return { text: 'clear sky' };
    }
    return request.turn === 0 ? { toolCalls: [callOf(request, 'oracle', 'c1')] } : { text: 'Done.' };
  };
  const played = await stage.play(script, { ...casts[kind], attach });
  return {
    played,
    ran: async () => spoke || stage.ran.length > 0 || ((await server?.asked()) ?? []).length > 0,
  };
}

const sage = { name: 'oracle', description: 'Knows the weather.', instructions: 'You are the oracle.' };

function kindOf(event: { readonly tool?: { readonly kind: string } } | object): string | undefined {
  return 'tool' in event ? event.tool?.kind : undefined;
}
