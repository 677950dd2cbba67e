import type { EventPayload, ToolEvent } from '@hooks/core';
import type { Dialect } from '../dialects/dialect.ts';
import type { EventData, EventType } from '../events.ts';
import { toWireTool, type WireTool } from '../protocol/tools.ts';

/** An event in a dialect's words, and the translation of its tool back. */
export interface WireView {
  readonly data: EventData;
  /** Not set if the event has no tool. */
  readonly tool?: WireTool;
}

/** The event in the dialect's words. An event of another process has its own working directory. */
export function viewEvent(dialect: Dialect, type: EventType, event: EventPayload, cwd: string): WireView {
  const fields: Readonly<Record<string, unknown>> = { ...event };
  const { cwd: reported } = fields;
  const data = {
    type,
    sessionId: event.session.id,
    cwd: typeof reported === 'string' ? reported : cwd,
    fields,
  };
  if (typeof fields['toolName'] !== 'string') return { data };
  const about = 'tool' in event ? (event as ToolEvent).tool : undefined;
  const tool = toWireTool(dialect.tools, fields['toolName'], fields['input'], about);
  return { data: { ...data, fields: { ...fields, toolName: tool.name, input: tool.input } }, tool };
}
