import { standIn } from '@hooks/core/adapter';

/** A tool as `runTools` takes it. */
export interface RunnableTool {
  readonly type: string;
}

/** The callback of a tool. */
type Callback = (input: unknown, runner: object, toolContext: unknown) => unknown;

/** The function of a tool, whichever way the tool was defined. */
export interface Runnable {
  readonly name: string;
  readonly description: string | undefined;
  readonly parameters: unknown;
  readonly parse: ((raw: string) => unknown) | undefined;
  readonly callback: Callback;
}

interface Definition {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly parse?: (raw: string) => unknown;
  readonly function?: Callback;
}

/** A tool of `zodFunction` keeps parser and callback in hidden properties. */
interface Parseable {
  readonly $parseRaw?: (raw: string) => unknown;
  readonly $callback?: Callback;
}

/** The function of a tool; undefined if the tool does not run in this process. */
export function runnableOf(tool: RunnableTool): Runnable | undefined {
  const definition = Reflect.get(tool, 'function') as Definition | undefined;
  if (tool.type !== 'function' || definition === undefined) return undefined;
  const { $parseRaw, $callback } = tool as Parseable;
  const callback = $callback ?? definition.function;
  if (callback === undefined) return undefined;
  const parse = $parseRaw ?? definition.parse;
  return {
    name: definition.name ?? callback.name,
    description: definition.description,
    parameters: definition.parameters,
    parse: parse && ((raw) => parse.call($parseRaw ? tool : definition, raw)),
    callback: (input, runner, toolContext) =>
      callback.call($callback ? tool : definition, input, runner, toolContext),
  };
}

/** The tool with another parser and another callback. */
export function withCallback<T extends RunnableTool>(
  tool: T,
  parse: (raw: string) => unknown,
  callback: (input: never, runner: never, toolContext: unknown) => unknown,
): T {
  if ('$callback' in tool) return standIn(tool, { $parseRaw: parse, $callback: callback });
  const definition = Reflect.get(tool, 'function') as Definition;
  const name = definition.name ?? definition.function?.name;
  const copy = standIn(definition, { name, function: callback, ...(definition.parse && { parse }) });
  return standIn(tool, { function: copy });
}
