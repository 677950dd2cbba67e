import type { EventType } from './events.ts';

/** A hook from a file, in any dialect. */
export interface HookEntry {
  /** The corresponding event of ours, and the dialect's name for it. */
  readonly event: EventType;
  readonly wireEvent: string;
  /** The matcher as written; the dialect interprets it. Not set: matches everything. */
  readonly matcher?: string;
  /** The agents that the hook is for. Not set: all. An event without an agent runs every hook. */
  readonly agents?: readonly string[];
  /** The agents that the hook is not for, because the file has other hooks for them. */
  readonly exceptAgents?: readonly string[];
  readonly handler: Handler;
  /** All hooks of the event run one after the other, and each sees the input that those before it changed. */
  readonly sequential?: true;
  /** A judge that runs although a permission rule allows the call. */
  readonly preemptsRules?: true;
  /** The hook's `name`, if the file gives one. */
  readonly name?: string;
  /** The label for who may read the file: the hook's `name`, else what it runs, which may hold a secret. */
  readonly label: string;
  readonly origin: Origin;
}

/** A hook's position in a file. Lines and columns count from 1. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What a hook does. */
export type Handler =
  | CommandHandler
  | HttpHandler
  | ModelHandler
  | BuiltinHandler
  | PartHandler
  | ModuleHandler
  | UnsupportedHandler;

/** Fields of all hook types. */
export interface HandlerCommon {
  readonly timeoutMs: number;
  /** What the hook's failure counts as. Not set: what the event says. */
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
  /** Relative to the folder of the file. */
  readonly workingDir?: string;
  /** Starts the command without waiting, and ignores its answer. */
  readonly background?: boolean;
  /** The hook fails unless it prints JSON with fields that its event takes. */
  readonly strictOutput?: boolean;
}

/** Posts the event as JSON. The response body is the answer. */
export interface HttpHandler extends HandlerCommon {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The environment variables that `$NAME` in a header may refer to. Others are empty. */
  readonly allowedEnvVars: readonly string[];
}

/** Calls a model. */
export interface ModelHandler extends HandlerCommon {
  readonly type: 'model';
  /** `provider/model`. */
  readonly model: string;
  /** A Go text/template over the event. */
  readonly prompt: string;
  /** How to read the reply. Not set: as context. */
  readonly schema?: 'pre_tool_use_decision';
  readonly baseUrl?: string;
  /** The environment variable with the API key. */
  readonly apiKeyEnv?: string;
  /** Redact secrets in the event before the model sees it. */
  readonly redactSecrets: boolean;
}

/** A built-in hook, by its registered name. */
export interface BuiltinHandler extends HandlerCommon {
  readonly type: 'builtin';
  readonly name: string;
  readonly args: readonly string[] | Readonly<Record<string, unknown>>;
  /** Relative to the working directory of the session. */
  readonly workingDir?: string;
}

/** A part of a file that stands beside `hooks:`, such as `journal:`. */
export interface PartHandler extends HandlerCommon {
  readonly type: 'part';
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A JavaScript or TypeScript file that exports a provider. */
export interface ModuleHandler extends HandlerCommon {
  readonly type: 'module';
  /** Relative to the file that names it. */
  readonly path: string;
  readonly export: string;
}

/** A hook type of another program that cannot run here. It always fails. */
export interface UnsupportedHandler extends HandlerCommon {
  readonly type: 'unsupported';
  readonly reason: string;
}
