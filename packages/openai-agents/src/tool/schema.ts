import { type Schema, Validator } from '@cfworker/json-schema';
import type { InputCheck, InvalidInput } from '@hooks/core';
import { isSchema, parse } from '@hooks/core/adapter';

/** The check of a tool's parameters, as they were given at definition: a Standard Schema or a JSON Schema. */
export function checkOf(parameters: unknown): InputCheck | undefined {
  if (isSchema(parameters))
    return (input) =>
      parse(
        parameters,
        input,
        () => undefined,
        (message) => ({ message }),
      );
  return typeof parameters === 'object' && parameters !== null ? jsonCheck(parameters) : undefined;
}

/** Parses an input by the schema, with defaults and transforms. Returns the input itself if there is no such schema. */
export async function parsed(parameters: unknown, input: unknown): Promise<unknown> {
  return isSchema(parameters)
    ? parse(
        parameters,
        input,
        (value) => value,
        () => input,
      )
    : input;
}

/**
 * The check of a JSON Schema. A schema that the SDK made of zod's requires every property, also those with a default
 * and those that may be null, which zod's own check does not; so here they need not be there.
 */
function jsonCheck(schema: object): InputCheck {
  let validator: Validator | undefined;
  return (input) => {
    // Most tools that an agent has are not called.
    validator ??= new Validator(lenient(schema) as Schema, '2020-12', true);
    const { valid, errors } = validator.validate(input);
    if (valid) return undefined;
    const innermost = errors.findLast(({ keyword }) => keyword !== 'properties') ?? errors[0];
    return {
      message:
        innermost === undefined ? 'it does not fit' : `${innermost.instanceLocation}: ${innermost.error}`,
    };
  };
}

function lenient(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lenient);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: { [keyword: string]: unknown } = {};
  for (const [keyword, value] of Object.entries(schema)) copy[keyword] = lenient(value);
  const { required, properties } = copy;
  if (Array.isArray(required) && typeof properties === 'object' && properties !== null) {
    copy['required'] = required.filter((name) => !mayBeAbsent(Reflect.get(properties, name)));
  }
  return copy;
}

function mayBeAbsent(property: unknown): boolean {
  if (typeof property !== 'object' || property === null) return false;
  if ('default' in property) return true;
  const { type, anyOf } = property as { readonly type?: unknown; readonly anyOf?: unknown };
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  return Array.isArray(anyOf) && anyOf.some(mayBeAbsent);
}

/** Arguments that are no object fit no tool. */
export function notAnObject(input: unknown): InvalidInput | undefined {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return undefined;
  return { message: 'the input must be a JSON object' };
}
