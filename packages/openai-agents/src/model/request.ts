import { AfterModelCall, type BeforeModelCall } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import type { ModelRequest } from '@openai/agents';
import { decides, type Scope } from '../run/scope.ts';
import { beginTurn } from '../run/turn.ts';
import { itemsOf, requestTools, withSettings } from '../translate.ts';

/** What hooks make of a model call's request. */
export type ModelPatch = Partial<Pick<BeforeModelCall, 'instructions' | 'messages' | 'tools' | 'settings'>>;

/** A request about which no hook is asked any more: with what hooks have set and given before. */
export function pass(scope: Scope, request: ModelRequest): ModelRequest {
  if (isRepeated(scope, request)) return withChanges(request, scope.prepared?.changes);
  beginTurn(scope);
  return prepare(scope, request);
}

/** Whether the SDK repeats a request that has failed, with the same input: it is the same call, and hooks were asked. */
export function isRepeated({ prepared }: Scope, { input }: ModelRequest): boolean {
  return prepared?.input === input;
}

/** A request with what hooks make of it, what they have set for the run, and the context that they have given. */
export function prepare(scope: Scope, request: ModelRequest, patch?: ModelPatch): ModelRequest {
  const { input } = request;
  const changes = changesOf(scope, request, patch);
  if (typeof input !== 'string') scope.prepared = { input, changes };
  return withChanges(request, changes);
}

type Changes = { -readonly [Field in keyof ModelRequest]?: ModelRequest[Field] };

function withChanges(request: ModelRequest, changes: Changes = {}): ModelRequest {
  return Object.keys(changes).length === 0 ? request : { ...request, ...changes };
}

/** An answer that hooks may yet change or refuse is put into no trace, which the model writes before they are asked. */
function changesOf(scope: Scope, request: ModelRequest, patch: ModelPatch | undefined): Changes {
  const { attached, session, run, settings } = scope;
  const changes: Changes = {};
  if (settings !== undefined) changes.modelSettings = withSettings(request.modelSettings, settings);
  if (patch !== undefined) Object.assign(changes, patched({ ...request, ...changes }, patch));
  if (request.tracing === true && decides(scope, AfterModelCall)) changes.tracing = 'enabled_without_data';
  const context = takeContext(attached.hooks, session, run);
  if (context.length > 0) {
    const instructions = changes.systemInstructions ?? request.systemInstructions;
    changes.systemInstructions = [instructions, ...context].filter(Boolean).join('\n\n');
  }
  return changes;
}

function patched(request: ModelRequest, { instructions, messages, tools, settings }: ModelPatch): Changes {
  return {
    ...(instructions !== undefined && { systemInstructions: instructions }),
    ...(messages !== undefined && { input: itemsOf(messages) }),
    ...(tools !== undefined && requestTools(request, tools)),
    ...(settings !== undefined && { modelSettings: withSettings(request.modelSettings, settings) }),
  };
}
