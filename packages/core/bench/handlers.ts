import { type BeforeToolCall, type Proceed, proceed } from '../src/index.ts';

/**
 * Ordinary policy handlers: each holds the command against a few expressions, as policies do, and lets it pass. Each is
 * a function of its own, and too large for V8 to inline.
 */
export function makeHandlers(count: number): readonly ((call: BeforeToolCall) => Proceed)[] {
  return Array.from({ length: count }, (_, index) => makeHandler(index));
}

function makeHandler(index: number): (call: BeforeToolCall) => Proceed {
  const forbidden = [/\brm\s+-[rf]+\s+\//, /\bmkfs\b/, new RegExp(`\\bchmod\\s+${index}`)];
  return (call) => {
    const { command } = call.input as { readonly command: string };
    // Nothing here is ever refused; the branch keeps the looks at the input alive.
    for (const expression of forbidden) if (expression.test(command)) throw new Error('refused');
    return proceed();
  };
}

/** The pattern of the handler at an index: the first two meet the tool `exec`. */
export function patternOf(index: number): string {
  return index < 2 ? 'exec|shell' : `tool_${index}_.*`;
}
