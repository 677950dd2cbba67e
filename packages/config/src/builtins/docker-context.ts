import {
  AfterToolCall,
  addContext,
  BeforeCompaction,
  type EventPayload,
  type HookDecision,
  type HookRegistrar,
  type Point,
  proceed,
  SessionStart,
  Stop,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { dockerAgent } from '../dialects/docker-agent/dialect.ts';
import type { EventType } from '../events.ts';
import { goFields, parseOverFields } from '../model/fields.ts';
import { stdinText } from '../protocol/stdin.ts';
import { contributeLate } from '../provider/decision.ts';
import { viewEvent } from '../provider/event.ts';
import { row } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Tells the model the result of Go templates over the event: docker-agent's `add_context`. */
export const context: Builtin = (args, { cwd }) => {
  const texts = row(args);
  if (texts.every((text) => text.trim() === ''))
    throw new Error('expected a template, such as "The user said: {{ .Prompt }}"');
  const templates = texts.map(parseOverFields);

  /** Renders the templates over the event as a docker-agent hook sees it. */
  function tell(type: EventType, event: EventPayload): string {
    const { data } = viewEvent(dockerAgent, type, event, cwd);
    const [wireEvent = ''] =
      Object.entries(dockerAgent.events).find(
        ([, { event: same, fires }]) => same === type && fires?.(data) !== false,
      ) ?? [];
    const fields = goFields(JSON.parse(stdinText(dockerAgent, wireEvent, data)));
    const texts = templates.map((template) => template.render(fields));
    return texts.filter((text) => text.trim() !== '').join('\n');
  }

  return {
    name: 'add_context',
    register(hooks: HookRegistrar) {
      for (const point of [SessionStart, UserPromptSubmit, TurnStart, AfterToolCall, BeforeCompaction]) {
        const type = point.spec.type as EventType;
        const anyPoint: Pick<Point<EventPayload, HookDecision, never>, 'spec'> = point;
        hooks.on<EventPayload, HookDecision, never>(
          anyPoint,
          (event) => {
            const text = tell(type, event);
            return text === '' ? proceed() : addContext(text);
          },
          { id: `context-${type}` },
        );
      }
      hooks.on(
        Stop,
        (event) => {
          const text = tell('stop', event);
          if (text !== '') contributeLate(event, [text]);
          return proceed();
        },
        { id: 'context-stop' },
      );
    },
  };
};
