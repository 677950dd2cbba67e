import type {
  Attached,
  Execute,
  ExecuteOptions,
  FindTarget,
  Hooks,
  InputCheck,
  Principal,
  ToolDescriptor,
} from '@hooks/core';
import { type AgentRun, Attachment, errorText, type RunToolCall, standIn } from '@hooks/core/adapter';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CANNOT_WAIT } from '../approval/deferral.ts';
import { ASKS, approverOf } from '../approval/user-approver.ts';
import { type RegisteredTool, registeredTools } from '../internals.ts';
import { type HookToolOptions, OF_TOOLS } from '../options.ts';
import { attach, type Registries } from '../registries.ts';
import { type CallPlace, type Gate, isNameOf, type OwnTools, type Place } from '../run/gate.ts';
import { type InputOf, isRecord, type OwnServer } from '../sdk.ts';
import { callOf, decided } from './builtin.ts';
import { decidedCall, hookedHandler, runAlone } from './hook-tools.ts';
import { failed, outputOf, type Reply, replyOf } from './result.ts';
import { siblingName, unpermitted } from './sibling.ts';

/** The `native` field of events of tools that run in this process. */
export interface NativeToolCall {
  /** The `_meta` of the request. */
  readonly meta: { readonly [field: string]: unknown };
}

const SERVER = Symbol('@hooks/claude-agent-sdk server');

/** How a server is hooked by itself. */
interface Known {
  readonly original: OwnServer;
  readonly own: Registries;
}

/**
 * Hooks the tools of a server that `createSdkMcpServer` made, for a query that is not hooked: each call has its own
 * session. In a hooked query, its registries are further in than those of the query.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that the SDK does not have
 * @example
 * ```ts
 * const server = hookServer(createSdkMcpServer({ name: 'shop', tools }), hooks);
 * ```
 */
export function hookServer<S extends OwnServer>(server: S, hooks: Hooks, options: HookToolOptions = {}): S {
  const { original, own } = knownServer(server);
  const tools = [...registeredTools(original).keys()];
  const registries = attach({ of: 'hookServer', takes: OF_TOOLS }, hooks, options, tools);
  return new HookedServer(original, registries.around(own), undefined).config(server);
}

/** The server without its hooks, and those. */
export function knownServer(server: OwnServer): Known {
  const known: Known | undefined = Reflect.get(server.instance, SERVER);
  return known ?? { original: server, own: Attachment.none };
}

/** What a JSON-RPC message is made of. */
interface RpcMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [field: string]: unknown };
}

/** A server of this process between Claude Code and the user's server: calls enter core here. */
export class HookedServer implements OwnTools {
  readonly #server: OwnServer;
  /** Registries that hook the server by itself. */
  readonly #own: Registries;
  readonly #gate: Gate | undefined;
  readonly #waiting: Map<string | number, (reply: Reply) => void> = new Map();
  /** The running calls on whose results hooks decide, by what warns of withheld messages. */
  readonly #held: Set<() => void> = new Set();
  readonly #schemas: Map<string, { readonly [keyword: string]: unknown }> = new Map();
  #minted = 0;
  #inner: Transport | undefined;

  constructor(server: OwnServer, own: Registries, gate: Gate | undefined) {
    this.#server = server;
    this.#own = own;
    this.#gate = gate;
  }

  /** The user's configuration, with this server in place of theirs. */
  config<S extends OwnServer>(server: S): S {
    const known: Known = { original: this.#server, own: this.#own };
    const instance = standIn(this.#server.instance, {
      connect: (transport: Transport) => this.#connect(transport),
      [SERVER]: known,
    });
    return { ...server, instance };
  }

  async #connect(outer: Transport): Promise<void> {
    const inner: Transport = {
      start: async () => {},
      close: () => outer.close(),
      send: async (message) => {
        const { id, method }: RpcMessage = message as RpcMessage;
        if ('result' in message) this.#learn(message.result);
        const waits = id === undefined || method !== undefined ? undefined : this.#waiting.get(id);
        if (waits !== undefined) return waits(message as Reply);
        // What a tool tells while it runs may be part of a result that hooks have not decided on.
        if (
          this.#held.size > 0 &&
          (method === 'notifications/progress' || method === 'notifications/message')
        ) {
          for (const warn of this.#held) warn();
          return;
        }
        await outer.send(message);
      },
    };
    this.#inner = inner;
    this.#gate?.own.set(this.#server.name, this);
    outer.onclose = () => {
      // Another server may take its name, without hooks.
      this.#gate?.disconnected(this.#server.name, this);
      inner.onclose?.();
    };
    await this.#server.instance.connect(inner);
    outer.onerror = (error) => inner.onerror?.(error);
    outer.onmessage = (message, extra) => {
      const { id, method }: RpcMessage = message as RpcMessage;
      if (method !== 'tools/call' || id === undefined) inner.onmessage?.(message, extra);
      else
        void this.#answer(message as RpcMessage).then(
          (reply) => outer.send({ jsonrpc: '2.0', id, ...reply } as never),
          () => outer.send({ jsonrpc: '2.0', id, result: failed('The hooks failed.') } as never),
        );
    };
    await outer.start();
  }

  /** Notes the JSON Schemas of the tools that the server lists. */
  #learn({ tools }: { readonly [field: string]: unknown }): void {
    for (const tool of Array.isArray(tools) ? tools : [])
      if (isRecord(tool) && isRecord(tool['inputSchema']))
        this.#schemas.set(String(tool['name']), tool['inputSchema']);
  }

  /** Runs a call through the hooks. */
  async #answer(message: RpcMessage): Promise<Reply> {
    const { name, arguments: input = {}, _meta } = message.params ?? {};
    const tool = String(name);
    const meta = isRecord(_meta) ? _meta : {};
    const id = meta['claudecode/toolUseId'];
    const callId = typeof id === 'string' ? id : undefined;
    const place = this.#gate?.arrived(callId, this.#server.name, tool);
    // Nothing tells by what name hooks know it.
    if (this.#gate !== undefined && place === undefined) return { result: failed(UNANNOUNCED) };
    const registries = this.#registriesOf(tool);
    const toolName = place?.toolName ?? tool;
    if (!registries.concerns(toolName)) return this.#send(message, input);
    const run = place?.run ?? (await runAlone(registries));
    const alone = place === undefined;
    if (run.stop !== undefined) return { result: failed(run.stop.reason) };
    // From the beginning to the decision: a tool may go on after it has returned.
    const withheld = registries.withheld(toolName, {});
    if (withheld) this.#held.add(withheld);
    try {
      return await this.#decide({ run, message, tool, toolName, input, callId, meta, place });
    } finally {
      if (withheld) this.#held.delete(withheld);
      if (alone) await run.end({ kind: 'done' });
    }
  }

  async #decide({ run, message, tool, toolName, input, callId, meta, place }: Entered): Promise<Reply> {
    let reply: Reply | undefined;
    let output: unknown;
    const native: NativeToolCall = { meta };
    const execute: Execute = async (effective, running) => {
      reply = undefined;
      reply = await this.#send(message, effective, running);
      output = outputOf(reply);
      return output;
    };
    const call: RunToolCall = {
      toolName,
      ...(callId !== undefined && { callId }),
      input,
      ...this.#describe(tool),
      ...(place && this.#principalOf(tool, place)),
      native,
    };
    const outcome = await run.callTool(call, execute, {
      inner: place === undefined ? [] : this.#innerOf(tool),
      check: this.#checkOf(tool),
      pause: CANNOT_WAIT,
      rename: place === undefined ? () => 'the agent is not hooked' : this.#finder(place, native, meta),
    });
    // In the server's words. The server itself is not asked: it might accept what hooks could not see.
    if (outcome.code === 'INVALID_INPUT' && outcome.by === undefined && !outcome.ran)
      return { result: failed(`${INVALID} ${tool}: ${errorText(outcome.error)}`) };
    return replyOf(outcome, reply, output);
  }

  /** Sends a call to the user's server, as a request of its own. An abort of the run cancels it. */
  #send(
    message: RpcMessage,
    input: unknown,
    { signal, call, registries }: Partial<ExecuteOptions> & { readonly registries?: Registries } = {},
  ): Promise<Reply> {
    const tool = String(message.params?.['name']);
    const asked = registries ?? this.#registriesOf(tool);
    const withheld = call && asked.withheld(call.toolName, call);
    if (withheld) this.#held.add(withheld);
    const id = `hooks-${++this.#minted}`;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    // A request that was canceled gets no response.
    const cancel = (): void => {
      const { message: reason = 'The run was aborted.' } = Object(signal?.reason);
      const params = { requestId: id, reason: String(reason) };
      this.#inner?.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params } as never);
      this.#waiting.get(id)?.({ error: { code: -32000, message: params.reason } });
    };
    this.#waiting.set(id, ({ result, error }) => {
      this.#waiting.delete(id);
      if (withheld) this.#held.delete(withheld);
      signal?.removeEventListener('abort', cancel);
      resolve(error === undefined ? { result } : { error });
    });
    signal?.addEventListener('abort', cancel);
    const request = { ...message, id, params: { ...message.params, arguments: input } };
    const handler = this.#tool(tool)?.handler;
    decidedCall.run({ handler }, () => this.#inner?.onmessage?.(request as never));
    return promise;
  }

  /** All registries that hook a tool, outermost first. */
  #registriesOf(tool: string): Registries {
    return (this.#gate?.setting.registries ?? Attachment.none).around(this.#innerRegistries(tool));
  }

  /** Those that hook it by itself or with its server. */
  #innerRegistries(tool: string): Registries {
    return this.#own.around(hookedHandler(this.#tool(tool)?.handler)?.own ?? Attachment.none);
  }

  /** The same in core's form. */
  #innerOf(toolName: string): readonly Attached[] {
    return this.#innerRegistries(this.#nameOf(toolName)).attached();
  }

  async decideFirst(place: Place, input: InputOf<'PreToolUse'>, signal: AbortSignal): Promise<boolean> {
    const { run, conversation } = place;
    const { tool_name: toolName } = input;
    if (!this.#asks(toolName) || run.stop !== undefined) return false;
    const call = {
      ...callOf(input),
      signal,
      needsApproval: ASKS,
      ...this.#describe(toolName),
      ...this.#principalOf(toolName, place),
    };
    await decided(conversation, run, call, {
      runsIn: 'callTool',
      inner: this.#innerOf(toolName),
      check: this.#checkOf(toolName),
      approval: approverOf(conversation.setting.options),
      pause: CANNOT_WAIT,
      capabilities: {
        ask: true,
        retry: true,
        route: true,
        rename: this.#finder({ toolName, caller: input }, call.native),
      },
    });
    return true;
  }

  /** Whether its server asks for approval of each call. */
  #asks(toolName: string): boolean {
    const name = this.#nameOf(toolName);
    return (
      this.#server.tools?.some((tool) => tool.name === name && tool.permission_policy === 'always_ask') ===
      true
    );
  }

  /** A tool, as hooks see it. */
  #describe(toolName: string): { readonly tool: ToolDescriptor } {
    const name = this.#nameOf(toolName);
    const { description, annotations, inputSchema } = this.#tool(name) ?? {};
    const schema = this.#schemas.get(name);
    return {
      tool: {
        kind: 'function',
        ...(isRecord(inputSchema) && { ref: inputSchema }),
        inputSchema: schema && (() => schema),
        description,
        annotations,
      },
    };
  }

  /** The principal of a call, where a registry that hooks the tool by itself knows one. */
  #principalOf(
    toolName: string,
    { run, conversation: { sessionId, setting } }: Place,
  ): { readonly principal?: Principal } {
    const own = this.#innerRegistries(this.#nameOf(toolName));
    const principal = own.principalOfCall(run, { options: setting.options, sessionId });
    return principal === undefined ? {} : { principal };
  }

  /** Checks an input by the schema that the server keeps. */
  #checkOf(toolName: string): InputCheck | undefined {
    const schema = this.#tool(this.#nameOf(toolName))?.inputSchema;
    const parse: unknown = isRecord(schema) ? schema['safeParseAsync'] : undefined;
    if (typeof parse !== 'function') return undefined;
    return async (input) => {
      const { success, error } = (await parse.call(schema, input)) as {
        readonly success: boolean;
        readonly error?: Error;
      };
      return success ? undefined : { message: error?.message ?? 'it does not fit', error };
    };
  }

  /** Finds a tool that a hook selects instead of the one that the model called. */
  #finder(
    { toolName: called, caller }: Pick<CallPlace, 'toolName' | 'caller'>,
    native: unknown,
    meta?: object,
  ): FindTarget {
    const registries = this.#registriesOf(this.#nameOf(called));
    return (given) => {
      const tool = this.#nameOf(given);
      const server = this.#server.name;
      if (this.#tool(tool) === undefined) return `the server ${server} has no tool named ${given}`;
      return {
        name: siblingName(called, server, tool),
        ...this.#describe(tool),
        native,
        registries: this.#registriesOf(tool).attached(),
        unenforced: this.#hasPolicy(tool)
          ? 'has a permission policy of its own, which Claude Code would not apply'
          : this.#gate && unpermitted(this.#gate, caller, server, tool),
        check: this.#checkOf(tool) ?? 'itself',
        execute: async (input, running) => {
          const params = { name: tool, ...(meta && { _meta: meta }) };
          const message = { jsonrpc: '2.0', method: 'tools/call', params };
          // The call keeps its registries, which may be more than those of the tool that runs.
          return outputOf(await this.#send(message, input, { ...running, registries }));
        },
      };
    };
  }

  #hasPolicy(tool: string): boolean {
    return this.#server.tools?.some(({ name }) => name === tool) === true;
  }

  #tool(name: string): RegisteredTool | undefined {
    return registeredTools(this.#server).get(name);
  }

  /** The server's name of a tool, by that or by the model's. */
  #nameOf(toolName: string): string {
    if (this.#tool(toolName) !== undefined) return toolName;
    const names = [...registeredTools(this.#server).keys()];
    return names.find((name) => isNameOf(toolName, this.#server.name, name)) ?? toolName;
  }
}

const UNANNOUNCED = 'The call did not run: Claude Code did not ask the hooks about it.';
const INVALID = 'MCP error -32602: Input validation error: Invalid arguments for tool';

interface Entered {
  readonly run: AgentRun;
  readonly message: RpcMessage;
  readonly tool: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly callId: string | undefined;
  readonly meta: { readonly [field: string]: unknown };
  readonly place: CallPlace | undefined;
}
