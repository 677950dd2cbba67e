import type { AskOuter } from '@hooks/core/tool-call';
import type { Attachment, Run } from '../run/run.ts';
import type { ToolCalls } from './call.ts';
import type { CallContext } from './context.ts';
import type { ToolParts } from './tool-parts.ts';

/** A tool and how it is hooked. */
export interface ToolSetup extends Attachment {
  readonly tool: ToolParts;
  /** Hooks of another registry that are further in get what to ask. */
  readonly execute: (input: unknown, context?: CallContext, outer?: AskOuter) => unknown;
  /** What the model knows it by. */
  readonly name: string;
  /** The tools that were hooked together with it, itself included. */
  readonly siblings: ReadonlyMap<string, ToolCalls>;
  /** The run whose tool it is, where it is one run's alone. */
  readonly run?: Run | undefined;
}
