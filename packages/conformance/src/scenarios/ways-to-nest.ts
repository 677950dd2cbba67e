import type { Hooks } from '@hooks/core';
import type { AttachSpec } from '../harness.ts';
import type { Cast, Stage } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';

/** Where the hooks of each registry stand: around the tool itself, around its agent; a bare tool has no agent. */
export interface Way {
  readonly name: string;
  readonly tool: readonly Which[];
  readonly agent?: readonly Which[];
}

type Which = 'inner' | 'outer';

/** How two registries come to hook the same tool. */
export const ways: readonly Way[] = [
  { name: 'a hooked tool of a hooked agent', tool: ['inner'], agent: ['outer'] },
  { name: 'a tool hooked twice, of an agent without hooks', tool: ['inner', 'outer'], agent: [] },
  { name: 'an agent hooked twice', tool: [], agent: ['inner', 'outer'] },
  { name: 'a bare tool hooked twice', tool: ['inner', 'outer'] },
];

/** Two registries around the same tool. */
export interface Both {
  readonly inner: Hooks;
  readonly outer: Hooks;
}

/** Has the tool called once, for Rome: what the model reads of it, or what the caller of a bare tool gets. */
export async function answerOf(stage: Stage, way: Way, both: Both, attach: AttachSpec): Promise<string> {
  if (way.agent === undefined) {
    const hooks = way.tool.map((which) => both[which]);
    const rome = { city: 'Rome' };
    const { output, blockReason } = await stage.harness.callTool(stage.tool('weather'), rome, {
      hooks,
      attach,
    });
    return blockReason ?? JSON.stringify(output) ?? '';
  }
  const played = await stage.play(askWeather, { ...castOf(stage, way, both), attach });
  expectAnswered(played);
  return played.read['c1'] ?? '';
}

/** The agent and its tool. */
export function castOf(stage: Stage, { tool, agent = [] }: Way, both: Both): Cast {
  return {
    tools: [stage.tool('weather', undefined, { hooks: tool.map((which) => both[which]) })],
    hooks: agent.map((which) => both[which]),
  };
}
