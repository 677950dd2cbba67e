import type { DecisionKind } from '../decision.ts';
import { defined } from '../defined.ts';
import { seal } from '../dispatch/seal.ts';
import { fail } from '../error.ts';
import { isSchema } from '../schema.ts';
import type { DeclareEvent, DeclareGroup, EventDeclaration, EventPayload, EventSpec } from './event.ts';
import { makeEvent, makeGroup } from './token.ts';

/**
 * Defines an event, in any package. The token is what hooks register on and what is dispatched; a type of the same
 * name next to it is the convention.
 *
 * @throws HooksError `INVALID_EVENT` if the declaration contradicts itself or permits more than its parent's
 * @example
 * ```ts
 * export interface Deploy extends EventPayload { readonly target: string }
 * export const Deploy = defineEvent<Deploy>()({ type: 'acme_deploy', permits: ['block', 'modify'], modifies: ['target'] });
 *
 * hooks.guard(Deploy, (event) => (event.target === 'prod' ? block('not on a Friday') : proceed()));
 * const decision = await hooks.dispatch(Deploy, { session, target: 'prod' });
 * ```
 */
export function defineEvent<E extends EventPayload>(): DeclareEvent<E>;
export function defineEvent(): (declaration: EventDeclaration<EventPayload, DecisionKind, never>) => object {
  return (given) => {
    const declaration = read(given);
    const token = makeEvent({ isCustom: true })(declaration);
    check(token.spec, declaration.extends?.spec);
    return token;
  };
}

/**
 * Defines a group: a supertype whose observers see every event that extends it, including those of other packages.
 *
 * @throws HooksError `INVALID_EVENT` if it extends an event
 * @example
 * ```ts
 * export const AcmeEvent = defineGroup<EventPayload>()({ type: 'acme_event', extends: HookEvent });
 * ```
 */
export function defineGroup<E extends EventPayload>(): DeclareGroup<E> {
  return (given) => {
    const declaration = read(given);
    const { type, extends: parent } = declaration;
    if (parent?.spec.kind === 'event') fail('INVALID_EVENT', `Group "${type}" can only extend a group`);
    return makeGroup<E>()(declaration);
  };
}

/** A declaration as it is checked, whatever becomes of its lists later. */
function read<Declaration extends { readonly extends?: unknown; readonly schema?: unknown }>(
  given: Declaration,
): Declaration {
  const { extends: parent, schema, ...data } = given;
  // The same fields.
  return { ...seal(data), ...defined({ extends: parent, schema }) } as object as Declaration;
}

function check(spec: EventSpec, parent: EventSpec | undefined): void {
  const { type, permits, modifies, onFailure, schema } = spec;
  const wrong = (what: string): never => fail('INVALID_EVENT', `Event "${type}" ${what}`);
  // Registries keep what they know of it under its type.
  if (!type || type in {}) wrong('needs a `type` of its own');
  if (modifies.length > 0 !== permits.includes('modify'))
    wrong('needs `modifies` exactly where it permits "modify"');
  if (onFailure === 'block' && !permits.includes('block'))
    wrong('cannot block on failure without permitting "block"');
  if (schema !== undefined && !isSchema(schema)) wrong('has a `schema` that is not a Standard Schema');
  if (parent?.kind !== 'event') return;
  const inherited: readonly string[] = [...parent.permits, ...parent.modifies];
  const wider = [...permits, ...modifies].filter((allowed) => !inherited.includes(allowed));
  if (wider.length > 0) wrong(`may only narrow its parent "${parent.type}", but adds ${wider}`);
}
