import { BeforeToolCall, type Hooks, modify, type Proceed, proceed } from '@hooks/core';
import type { AttachSpec } from '../harness.ts';
import { can, type Need } from '../need.ts';
import type { Scenario } from '../scenario.ts';
import type { Cast, Stage } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';

/** Which registries hook the tool itself and which its agent. A bare tool has no agent. */
export interface Way {
  readonly name: string;
  readonly tool: readonly Which[];
  readonly agent?: readonly Which[];
}

type Which = 'inner' | 'outer';

/** The ways in which two registries can hook the same tool. The outer one is attached later. */
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

/** A rule that holds in each of these ways. */
export interface Rule {
  readonly rule: string;
  readonly needs: Scenario['needs'];
  /** `answer` calls the tool once, for Rome, and returns what the model or the caller gets. */
  readonly play: (
    stage: Stage,
    both: Both & {
      readonly answer: (
        attach?: AttachSpec,
        each?: { readonly [Name in Which]: AttachSpec },
      ) => Promise<string>;
    },
  ) => Promise<void>;
}

/** The inner registry may rewrite the input. */
export const rewritten: Need = can(BeforeToolCall, 'modify.input');

/** The rule in one of these ways. */
export function ruleIn(way: Way, { rule, needs, play }: Rule): Scenario {
  return {
    rule: `${way.name}: ${rule}`,
    needs,
    plainOnly: way.agent === undefined,
    async play(stage) {
      const both = { inner: stage.registry(), outer: stage.registry() };
      await play(stage, {
        ...both,
        answer: (attach = {}, each = { inner: attach, outer: attach }) =>
          answerOf(stage, way, both, attach, each),
      });
    },
  };
}

/** Calls the tool once, for Rome. Returns what the model reads, or what the caller of a bare tool gets. */
async function answerOf(
  stage: Stage,
  way: Way,
  both: Both,
  attach: AttachSpec,
  each: { readonly [Name in Which]: AttachSpec },
): Promise<string> {
  if (way.agent === undefined) {
    const hooks = way.tool.map((which) => both[which]);
    const attachEach = way.tool.map((which) => each[which]);
    const { output, blockReason } = await stage.callTool(stage.tool('weather'), {
      hooks,
      attach,
      attachEach,
    });
    return blockReason ?? JSON.stringify(output) ?? '';
  }
  const played = await stage.play(askWeather, { ...castOf(stage, way, both, each), attach });
  expectAnswered(played);
  return played.read['c1'] ?? '';
}

/** The agent and its tool. */
export function castOf(
  stage: Stage,
  { tool, agent = [] }: Way,
  both: Both,
  each?: { readonly [Name in Which]: AttachSpec },
): Cast {
  const hooked = (names: readonly Which[]) => ({
    hooks: names.map((which) => both[which]),
    ...(each && { attachEach: names.map((which) => each[which]) }),
  });
  return { tools: [stage.tool('weather', undefined, hooked(tool))], ...hooked(agent) };
}

/** Registers a hook that redirects calls for Rome to another city. */
export function sendTo(hooks: Hooks, city: string): void {
  hooks.on(BeforeToolCall, (event) => (cityOf(event) === 'Rome' ? modify({ input: { city } }) : proceed()));
}

/** Records a name and proceeds. */
export function note(asked: string[], what: string): Proceed {
  asked.push(what);
  return proceed();
}

/** The city of a call. */
export function cityOf({ input }: { readonly input: unknown }): string {
  return String(Reflect.get(Object(input), 'city'));
}

/** The cities that the tool ran for. */
export function citiesOf({ ran }: Stage): readonly string[] {
  return ran.map(cityOf);
}
