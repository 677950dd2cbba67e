import {
  AfterModelCall,
  AfterToolCall,
  addContext,
  BeforeModelCall,
  block,
  modify,
  proceed,
  retry,
  TurnStart,
} from '@hooks/core';
import { expect } from 'vitest';
import type { FailedAnswer, Script } from '../model-server/index.ts';
import { can } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { askWeather, call, expectAnswered } from './script.ts';

type Applies = NonNullable<Scenario['appliesTo']>;
const repeats: Applies = ({ repeats: can }) => can === true;
const reportsUsage: Applies = (harness) => harness.reportsUsage === true;

const BUSY: FailedAnswer = { status: 503, error: 'The server is busy.' };

/** The first request of each turn fails. */
function busyAtFirst(): Script {
  let asked = 0;
  return ({ turn }) => {
    asked++;
    if (asked % 2 === 1) return BUSY;
    return turn === 0 ? { toolCalls: [call('c1', 'weather', 'Rome')] } : { text: 'Done.' };
  };
}

/** Plays a call whose first two answers a hook has the model give again. */
async function playRetried(stage: Stage, last: 'stands' | 'is replaced' | 'is refused'): Promise<void> {
  stage.hooks.on(AfterModelCall, ({ attempt, response }) => {
    if (attempt < 3) return retry('again');
    if (last === 'is replaced') return modify({ response: { ...response, text: 'Changed.' } });
    return last === 'is refused' ? block('That was rude.') : proceed();
  });
  const { result, requests } = await stage.play([{ text: 'Done.' }]);
  expect(requests).toHaveLength(3);
  expect(result.error).toBeUndefined();
  expect(result.blockReason).toBe(last === 'is refused' ? 'That was rude.' : undefined);
  // Each answer of the scripted model takes 10 tokens in and 5 out.
  expect(result.usage).toMatchObject({ inputTokens: 30, outputTokens: 15 });
}

/** Each request that leaves, and what it costs. */
export const modelRequests: Family = {
  name: 'model requests',
  scenarios: [
    {
      rule: 'a request that the framework repeats after a failure: hooks decide on it again, in the same turn, on what they decided on before, and it has each context once',
      needs: [
        can(BeforeModelCall, 'modify.messages'),
        can(BeforeModelCall, 'modify.context'),
        can(TurnStart, 'modify.context'),
        can(AfterToolCall, 'modify.context'),
      ],
      appliesTo: repeats,
      async play(stage) {
        const decided: unknown[] = [];
        const turns: number[] = [];
        stage.hooks.on(TurnStart, ({ iteration }) => {
          turns.push(iteration);
          return addContext(`[turn ${iteration}]`);
        });
        stage.hooks.on(AfterToolCall, () => addContext('[tool]'));
        stage.hooks.on(BeforeModelCall, ({ iteration, turn, messages }) => {
          const prompt = messages.find(({ role }) => role === 'user')?.text;
          decided.push([iteration, turn, prompt]);
          return modify({
            context: [`[request ${decided.length}]`],
            messages: messages.map((one) => (one.role === 'user' ? { ...one, text: `${one.text}!` } : one)),
          });
        });
        const played = await stage.play(busyAtFirst(), { repeats: 1 });
        expectAnswered(played);
        const [first, , second] = decided.map((one) => (one as readonly unknown[])[1]);
        expect(decided).toEqual([
          [1, first, 'How is the weather?'],
          [1, first, 'How is the weather?'],
          [2, second, 'How is the weather?'],
          [2, second, 'How is the weather?'],
        ]);
        expect(second).not.toBe(first);
        expect(turns).toEqual([1, 2]);
        expect(stage.ran).toHaveLength(1);
        const told = played.requests.map(({ system }) => system.match(/\[[a-z]+( \d)?\]/g)?.toSorted());
        expect(told).toEqual([
          ['[request 1]', '[turn 1]'],
          ['[request 2]', '[turn 1]'],
          ['[request 3]', '[tool]', '[turn 2]'],
          ['[request 4]', '[tool]', '[turn 2]'],
        ]);
        for (const { messages } of played.requests)
          expect(messages.find(({ role }) => role === 'user')?.content).toBe('How is the weather?!');
      },
    },
    {
      rule: 'a request that the framework would repeat after a failure is not sent if a hook blocks it, and the result has the reason',
      needs: [can(BeforeModelCall, 'block')],
      appliesTo: repeats,
      async play(stage) {
        let asked = 0;
        stage.hooks.on(BeforeModelCall, () => (++asked === 2 ? block('The budget is spent.') : proceed()));
        const played = await stage.play([BUSY, ...askWeather], { repeats: 1 });
        expect(played.requests).toHaveLength(1);
        expect(stage.ran).toEqual([]);
        expect(played.result.blockReason).toBe('The budget is spent.');
      },
    },
    {
      rule: 'the tokens of a run are those of each answer, also of one that hooks retried before the model failed and the framework repeated the request',
      needs: [can(AfterModelCall, 'retry')],
      appliesTo: (harness) => repeats(harness) && reportsUsage(harness),
      async play(stage) {
        stage.hooks.on(AfterModelCall, ({ response }) =>
          response.text === 'Paid.' ? retry('again') : proceed(),
        );
        const answers = [{ text: 'Paid.' }, BUSY];
        const { result, requests } = await stage.play(() => answers.shift() ?? { text: 'Done.' }, {
          repeats: 1,
        });
        // Some frameworks repeat no request of an answer whose stream is open. The run then has the model's error.
        expect(requests).toHaveLength(result.error === undefined ? 3 : 2);
        if (result.error === undefined)
          expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
        else expect(String(result.error)).toContain(BUSY.error);
      },
    },
    ...(['stands', 'is replaced', 'is refused'] as const).map(
      (last): Scenario => ({
        rule: `the tokens of a run are those of each answer, also of those that hooks retried, where the last one ${last}`,
        needs: [
          can(AfterModelCall, 'retry'),
          ...(last === 'is replaced' ? [can(AfterModelCall, 'modify.response')] : []),
          ...(last === 'is refused' ? [can(AfterModelCall, 'block')] : []),
        ],
        appliesTo: reportsUsage,
        play: (stage) => playRetried(stage, last),
      }),
    ),
  ],
};
