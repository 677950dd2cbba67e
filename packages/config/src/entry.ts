import type { EventType } from './events.ts';

/** One hook of a file, whatever its dialect. */
export interface HookEntry {
  /** Which of our events it belongs to, and what the dialect calls it. */
  readonly event: EventType;
  readonly wireEvent: string;
  /** As the file has it; what it means is the dialect's. Absent: everything. */
  readonly matcher?: string;
  /** The agents whose hook it is. Absent: all. An event without an agent concerns every hook. */
  readonly agents?: readonly string[];
  /** The agents whose hook it is not, as the file has hooks of their own for them. */
  readonly exceptAgents?: readonly string[];
  readonly handler: Handler;
  /** What people read: the hook's `name`, else what it runs. */
  readonly label: string;
  readonly origin: Origin;
}

/** Where in which file a hook stands. Lines and columns count from 1. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What a hook does when it is asked. */
export type Handler =
  | CommandHandler
  | HttpHandler
  | ModelHandler
  | BuiltinHandler
  | ModuleHandler
  | UnsupportedHandler;

/** What every hook may say, whatever its type. */
export interface HandlerCommon {
  readonly timeoutMs: number;
  /** What happens when the hook fails. Absent: what the event does. */
  readonly onError?: 'warn' | 'ignore' | 'block';
  /** A further condition on the call, as Claude Code's `if`. */
  readonly condition?: string;
}

/** Runs a command: the event on stdin, the answer by exit code and stdout. */
export interface CommandHandler extends HandlerCommon {
  readonly type: 'command';
  /** A line for the shell, or a program with its arguments. */
  readonly command: string | readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Relative to the working directory of the session. */
  readonly workingDir?: string;
  /** Started and not waited for; its answer is dropped. */
  readonly background?: boolean;
  /** It has failed unless it prints JSON, of fields that its event takes. */
  readonly strictOutput?: boolean;
}

/** Posts the event as JSON; the response's body is the answer. */
export interface HttpHandler extends HandlerCommon {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The environment variables that `$NAME` in a header may name; others are empty. */
  readonly allowedEnvVars: readonly string[];
}

/** Asks a model. */
export interface ModelHandler extends HandlerCommon {
  readonly type: 'model';
  /** `provider/model`. */
  readonly model: string;
  /** A Go text/template over the event. */
  readonly prompt: string;
  /** How the reply is read. Absent: as context. */
  readonly schema?: 'pre_tool_use_decision';
  readonly baseUrl?: string;
  /** The environment variable that holds the key. */
  readonly apiKeyEnv?: string;
  /** Scrub secrets from the event before the model sees it. */
  readonly redactSecrets: boolean;
}

/** A hook of this program, by its registered name. */
export interface BuiltinHandler extends HandlerCommon {
  readonly type: 'builtin';
  readonly name: string;
  readonly args: readonly string[] | Readonly<Record<string, unknown>>;
  /** Relative to the working directory of the session. */
  readonly workingDir?: string;
}

/** A JavaScript or TypeScript file that exports a provider. */
export interface ModuleHandler extends HandlerCommon {
  readonly type: 'module';
  /** Relative to the file that names it. */
  readonly path: string;
  readonly export: string;
}

/** A hook type of another program that cannot run here. It fails whenever it is asked. */
export interface UnsupportedHandler extends HandlerCommon {
  readonly type: 'unsupported';
  readonly reason: string;
}
