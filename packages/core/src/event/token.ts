import type { DecisionKind } from '../decision.ts';
import { type NamePattern, toolName } from '../match.ts';
import type { StandardSchema } from '../schema.ts';
import type {
  DeclareEvent,
  DeclareGroup,
  EventDeclaration,
  EventPayload,
  EventSpec,
  PointData,
} from './event.ts';

/**
 * Creates an event's token without checks. The catalogue uses it, and its tests check it; others use `defineEvent`.
 *
 * @param about `isCustom`: it is no event of the catalogue; `keeps`: what of its fields no hook changes
 */
export function makeEvent<E extends EventPayload>(
  about?: Pick<EventSpec, 'isCustom' | 'keeps'>,
): DeclareEvent<E>;
export function makeEvent(
  about?: Pick<EventSpec, 'isCustom' | 'keeps'>,
): (declaration: EventDeclaration<EventPayload, DecisionKind, never>) => object {
  return (declaration) => {
    const { type } = declaration;
    const spec = { ...specOf('event', declaration), ...about };
    return {
      type,
      spec,
      is: (event: EventPayload) => event.type === type,
      matching: (pattern: NamePattern, schema?: StandardSchema): PointData => ({
        spec,
        tools: { pattern, schema },
      }),
      for: (tool: object): PointData => ({ spec, tools: { tool, name: toolName(tool) } }),
    };
  };
}

/** Creates a group's token without checks; see {@link makeEvent}. */
export function makeGroup<E extends EventPayload>(): DeclareGroup<E> {
  return (declaration) => ({ type: declaration.type, spec: specOf('group', declaration) });
}

/** A declaration with its defaults. */
function specOf<Kind extends EventSpec['kind']>(
  kind: Kind,
  declaration: Partial<Omit<EventSpec, 'kind' | 'lineage'>> & {
    readonly type: string;
    readonly extends?: PointData;
  },
): EventSpec & { readonly kind: Kind } {
  const { extends: parent, ...declared } = declaration;
  return {
    permits: [],
    modifies: [],
    onFailure: declared.permits?.includes('block') ? 'block' : 'proceed',
    order: 'forward',
    abortable: parent?.spec.abortable ?? true,
    schema: parent?.spec.schema,
    keeps: parent?.spec.keeps,
    ...declared,
    shapes: { ...parent?.spec.shapes, ...declared.shapes },
    kind,
    lineage: [declared.type, ...(parent?.spec.lineage ?? [])],
  };
}
