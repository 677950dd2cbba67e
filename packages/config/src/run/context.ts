import type { BeforeToolCall } from '@hooks/core';
import type { CommandRunner } from '../command/runner.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { RouteCall } from '../provider/route.ts';

/** The settings that hooks run with. */
export interface RunContext {
  readonly dialect: Dialect;
  readonly runner: CommandRunner;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly route?: RouteCall;
  /** Whether a rule of the file allows a call. */
  readonly allows?: (call: BeforeToolCall) => boolean;
}
