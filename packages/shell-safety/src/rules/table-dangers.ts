import { destroysData } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import type { Invocation } from '../programs/program.ts';
import { isKnown } from '../shell/marks.ts';
import { asksForHelp, isDryRun, matches, readCall } from './call.ts';
import { checkStatements } from './infrastructure.ts';

/** What the table says is dangerous about a call. */
export function checkTable(call: Invocation): readonly Finding[] {
  const program = call.known;
  if (!program || asksForHelp(call)) return [];
  const statements = program.statements
    ? (checkStatements(statementsOf(call)) ?? (readsScript(call) ? destroysData : undefined))
    : undefined;
  if (statements) return [statements];
  if (!program.dangers || isDryRun(call)) return [];
  const said = readCall(call, program);
  return program.dangers.filter((danger) => matches(danger, said)).map(({ is }) => is);
}

/** Whether the table says that a call prints a secret. */
export function printsSecretItself(call: Invocation): boolean {
  const program = call.known;
  if (!program?.printsSecret?.length || asksForHelp(call)) return false;
  const said = readCall(call, program);
  return program.printsSecret.some((way) => matches(way, said));
}

/** A script for a database whose name says that it deletes. */
function readsScript({ redirects }: Invocation): boolean {
  return redirects.some(({ operator, target }) => operator === '<' && DROPS_BY_NAME.test(target));
}

const DROPS_BY_NAME = /(?:^|[/_.-])(?:drop|wipe|destroy|purge|truncate)[\w.-]*\.sql$/i;

function statementsOf({ args, stdin }: Invocation): string {
  return [...args, stdin !== undefined && isKnown(stdin) ? stdin : ''].join('\n');
}
