import type { AdapterHarness } from '../harness.ts';
import { Stage } from '../stage.ts';
import { COSTLY, FORBIDDEN, type HostileTool } from './arguments.ts';
import { shorten, Witness } from './witness.ts';

/** An input that somebody's code, not JSON, hands to a bare tool. */
export interface BareInput {
  readonly what: string;
  readonly tool: HostileTool;
  /** Makes a new one, since some change when they are read. */
  readonly make: () => object;
}

/** Inputs that hooks could read in another way than the tool. */
export const bareInputs: readonly BareInput[] = [
  shell('an inherited field', () => Object.create({ command: FORBIDDEN })),
  shell('an own field with the name of the prototype', () =>
    JSON.parse(`{"command":"ls","__proto__":{"command":"${FORBIDDEN}"}}`),
  ),
  shell('an inherited field beside an own one', () =>
    Object.assign(Object.create({ data: FORBIDDEN }), { command: 'ls' }),
  ),
  shell('an accessor with another value each time', () => {
    let reads = 0;
    return Object.defineProperty({}, 'command', {
      enumerable: true,
      get: () => (++reads % 2 === 1 ? 'ls' : FORBIDDEN),
    });
  }),
  shell('an accessor of its class', () => new Accessor()),
  shell('a hidden field', () => Object.defineProperty({}, 'command', { value: FORBIDDEN })),
  shell('a proxy with another value each time', () => {
    let reads = 0;
    return new Proxy({ command: 'ls' }, { get: () => (++reads % 2 === 1 ? 'ls' : FORBIDDEN) });
  }),
  shell('an own toJSON', () => ({ command: FORBIDDEN, toJSON: () => ({ command: 'ls' }) })),
  shell('a toJSON of its class', () => new Disguised()),
  shell('a costly command behind a toJSON', () => ({ command: COSTLY, toJSON: () => ({ command: 'ls' }) })),
  note('a nested inherited field', () => Object.create({ command: FORBIDDEN })),
  note('a nested toJSON', () => ({ command: FORBIDDEN, toJSON: () => 'ls' })),
  note('a symbol as key', () => ({ [Symbol.for('command')]: FORBIDDEN })),
  note('a Map', () => new Map([['command', FORBIDDEN]])),
  note('a Set', () => new Set([FORBIDDEN])),
  note('a boxed string', () => Object.assign(new String(FORBIDDEN), { toString: () => 'ls' })),
  note('a boxed string with a toJSON', () => Object.assign(new String(FORBIDDEN), { toJSON: () => 'ls' })),
  note('a list with a field', () => Object.assign(['ls'], { command: FORBIDDEN })),
  note('a list of a class of its own', () => Object.assign(new Listed(), { 0: 'ls', length: 1 })),
  note('a list with an inherited item', () => Object.setPrototypeOf([], [FORBIDDEN])),
  note('an error with a field', () => Object.assign(new Error('ls'), { command: FORBIDDEN })),
  note('a date with a field', () => Object.assign(new Date(0), { command: FORBIDDEN })),
  note('bytes', () => new TextEncoder().encode(FORBIDDEN)),
  note('a function with a field', () => Object.assign(() => 'ls', { command: FORBIDDEN })),
  note('a large integer', () => Object(1n)),
  note('a cycle', () => {
    const cycle: { [key: string]: unknown } = { command: FORBIDDEN };
    cycle['again'] = cycle;
    return cycle;
  }),
  note('5,000 levels', () => {
    let nested: object = { command: FORBIDDEN };
    for (let level = 0; level < 5_000; level++) nested = { nested };
    return nested;
  }),
];

function shell(what: string, make: () => object): BareInput {
  return { what, tool: 'shell', make };
}

function note(what: string, make: () => object): BareInput {
  return { what, tool: 'note', make: () => ({ data: make() }) };
}

class Accessor {
  get command(): string {
    return FORBIDDEN;
  }
}

class Disguised {
  command = FORBIDDEN;
  toJSON(): object {
    return { command: 'ls' };
  }
}

class Listed extends Array<string> {
  command = FORBIDDEN;
}

/** Calls a bare tool with an input, and returns what was wrong. */
export async function faultsOfBareCall(
  harness: AdapterHarness,
  { tool: name, make }: BareInput,
): Promise<readonly string[]> {
  await using stage = new Stage(harness, false);
  const witness = new Witness();
  witness.register(stage.hooks);
  const tool = witness.tools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const attach = { approval: witness.answer.bind(witness) };
  const hooked = await stage.harness.callTool(tool, make(), { hooks: [stage.hooks], attach });
  await stage.hooks.settled();
  const failed = stage.failures.map(({ message }) => `a hook failed: ${message}`);
  const stack = hooked.error instanceof RangeError && !(await overflows(harness, tool, make()));
  return [
    ...witness.faults,
    ...failed,
    ...(stack ? [`the call threw ${shorten(String(hooked.error))}`] : []),
  ];
}

async function overflows(
  harness: AdapterHarness,
  tool: ReturnType<Witness['tools']>[number],
  input: object,
): Promise<boolean> {
  const execute = (): string => 'ran';
  const { error } = await harness.callTool({ ...tool, execute }, input, { hooks: [], attach: {} });
  return error instanceof RangeError;
}
