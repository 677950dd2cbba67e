import { type BeforeToolCall, type Proceed, proceed } from '../src/index.ts';

/**
 * Ordinary policy handlers: each holds the command against a few expressions, as policies do, and lets it pass. What a
 * refusal takes makes each too large for V8 to inline (over 460 bytes of bytecode): inlined into the hand-written loop,
 * and not into a dispatcher, they would be another comparison in each process.
 */
export function makeHandlers(count: number): readonly ((call: BeforeToolCall) => Proceed)[] {
  return Array.from({ length: count }, (_, index) => makeHandler(index));
}

function makeHandler(index: number): (call: BeforeToolCall) => Proceed {
  const forbidden = [/\brm\s+-[rf]+\s+\//, /\bmkfs\b/, new RegExp(`\\bchmod\\s+${index}`)];
  return (call) => {
    const { command } = call.input as { readonly command: string };
    // Nothing here is ever refused; the branch keeps the looks at the input alive.
    for (const expression of forbidden) {
      if (!expression.test(command)) continue;
      const program = command.split(' ')[0] ?? '';
      const about = `${call.toolName} (${call.callId}) of ${call.agent ?? 'the agent'} in ${call.session.id}`;
      switch (program) {
        case 'rm':
          throw new Error(
            `${about} would delete: ${command.slice(program.length).trim()} by ${expression.source}`,
          );
        case 'mkfs':
          throw new Error(
            `${about} would format: ${command.slice(program.length).trim()} by ${expression.source}`,
          );
        case 'chmod':
          throw new Error(
            `${about} would open up: ${command.slice(program.length).trim()} by ${expression.source}`,
          );
        case 'sudo':
          throw new Error(
            `${about} would be root: ${command.slice(program.length).trim()} by ${expression.source}`,
          );
        case 'env':
          throw new Error(
            `${about} would run: ${command.slice(program.length).trim()} by ${expression.source}`,
          );
        case 'xargs':
          throw new Error(
            `${about} would repeat: ${command.slice(program.length).trim()} by ${expression.source}`,
          );
        default:
          throw new Error(`${about} is refused: ${command} by ${expression.source}`);
      }
    }
    return proceed();
  };
}

/** The pattern of the handler at an index: the first two meet the tool `exec`. */
export function patternOf(index: number): string {
  return index < 2 ? 'exec|shell' : `tool_${index}_.*`;
}

/** An ordinary tool: a shell of a few commands. Too large for V8 to inline, as any tool that does something. */
export function makeTool(): (input: unknown) => Promise<unknown> {
  return async (input) => {
    const { command } = input as { readonly command: string };
    const [program = '', ...words] = command.split(' ');
    const done = (output: string, code = 0) => ({ output, code, program });
    switch (program) {
      case 'ls':
        return done('notes.txt');
      case 'echo':
        return done(words.join(' '));
      case 'pwd':
        return done(
          words.length === 0 ? '/home/agent' : 'pwd: too many arguments',
          words.length === 0 ? 0 : 1,
        );
      case 'true':
        return done('');
      case 'false':
        return done('', 1);
      case 'seq':
        return done(Array.from({ length: Number(words[0]) }, (_, at) => at + 1).join('\n'));
      case 'rev':
        return done(words.map((word) => [...word].reverse().join('')).join(' '));
      case 'wc':
        return done(`${words.length} ${words.join(' ').length}`);
      default:
        return done(`${program}: not found`, 127);
    }
  };
}
