import { text } from 'node:stream/consumers';
import { type Block, messageOf, type Request, startServer, stream, type TestServer } from './fixtures.ts';

interface ChatCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | null | readonly object[];
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/**
 * Translates the API of Claude Code to that of the suite's model server, and takes Claude Code's own reminders out: what
 * hooks added becomes system messages again.
 */
export async function translated(
  modelUrl: string,
  subagents: readonly string[],
  repeats: boolean,
): Promise<TestServer> {
  /** Claude Code asks again after a failure, which the scripts of the suite count unless they are about that. */
  const failures = new Map<string, string>();
  return startServer((request, response) => {
    void (async () => {
      const raw = await text(request);
      if (request.url?.startsWith('/v1/messages') !== true || request.url.includes('count_tokens'))
        return void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"input_tokens":10}');
      const body: Request = JSON.parse(raw);
      // Asks whether there is such a model.
      if (body.max_tokens === 1)
        return void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(messageOf(body, [{ type: 'text', text: 'Yes' }])));
      const asked = JSON.stringify(chatOf(body, subagents));
      const failure = failures.get(asked);
      const answer =
        failure === undefined
          ? await fetch(`${modelUrl}/chat/completions`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
              body: asked,
            }).catch(() => undefined)
          : undefined;
      if (answer?.ok !== true) {
        const message = failure ?? (await answer?.text())?.slice(0, 500) ?? 'gone';
        if (!repeats) failures.set(asked, message);
        const error = { type: 'error', error: { type: 'invalid_request_error', message } };
        return void response
          .writeHead((repeats && answer?.status) || 400, { 'content-type': 'application/json' })
          .end(JSON.stringify(error));
      }
      const {
        choices,
        usage = {},
      }: {
        readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number };
        readonly choices: readonly {
          readonly message: { readonly content: string | null; readonly tool_calls?: readonly ChatCall[] };
        }[];
      } = JSON.parse(await answer.text());
      const message = choices[0]?.message;
      const blocks: Block[] = [
        ...(message?.content ? [{ type: 'text' as const, text: message.content }] : []),
        ...(message?.tool_calls ?? []).map(({ id, function: { name, arguments: json } }): Block => {
          if (!subagents.includes(name)) return { type: 'tool_use', id, name, input: json };
          const { task }: { readonly task: string } = JSON.parse(json);
          const input = { subagent_type: name, prompt: task, description: name, run_in_background: false };
          return { type: 'tool_use', id, name: 'Agent', input };
        }),
      ];
      const { prompt_tokens: input_tokens, completion_tokens: output_tokens } = usage;
      stream(response, body, blocks, { input_tokens, output_tokens });
    })().catch(() => response.destroy());
  });
}

const REMINDER = /\s*<system-reminder>([\s\S]*?)<\/system-reminder>\s*/g;

interface Split {
  readonly text: string;
  readonly system: readonly string[];
  readonly user: readonly string[];
}

function split(given: string): Split {
  const system: string[] = [];
  const user: string[] = [];
  const rest = given.replaceAll(REMINDER, (_, inner: string) => {
    const added = /hook additional context: ([\s\S]*)$/.exec(inner.trim())?.[1];
    if (added !== undefined) system.push(...added.split('\n\n'));
    const stop = /^Stop:Callback hook blocking error from command: "callback": ([\s\S]*)$/.exec(
      inner.trim(),
    )?.[1];
    if (stop !== undefined) user.push(stop);
    return '';
  });
  return { text: rest, system, user };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? content : [])
    .map(({ text: said = '' }: { text?: string }) => said)
    .join('');
}

function chatOf(body: Request, subagents: readonly string[]): object {
  const instructions = (Array.isArray(body.system) ? body.system : [{ text: body.system ?? '' }])
    .map(({ text: said }: { readonly text: string }) => said)
    .filter((said) => said !== '' && !/^x-anthropic|^You are (Claude Code|a Claude agent)/.test(said));
  const messages: ChatMessage[] = [];
  if (instructions.length > 0) messages.push({ role: 'system', content: instructions.join('\n') });
  for (const { role, content } of body.messages) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (role === 'assistant') messages.push(assistant(blocks as readonly Block[]));
    else messages.push(...userMessages(blocks));
  }
  const tools = (body.tools ?? [])
    .filter(({ name }) => name !== 'Agent')
    .map(({ name, ...tool }) => ({
      type: 'function',
      function: {
        name,
        description: Reflect.get(tool, 'description'),
        parameters: Reflect.get(tool, 'input_schema'),
      },
    }));
  const isMain = body.tools?.some(({ name }) => name === 'Agent') === true;
  const task = { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] };
  const agents = isMain ? subagents : [];
  const { temperature, max_tokens: maxTokens } = body;
  return {
    model: body.model,
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== USUAL_MAX && { max_tokens: maxTokens }),
    tools: [...tools, ...agents.map((name) => ({ type: 'function', function: { name, parameters: task } }))],
  };
}

/** What Claude Code sends unless hooks set something else. */
const USUAL_MAX = 32_000;

function assistant(blocks: readonly Block[]): ChatMessage {
  const calls = blocks.flatMap((block) => {
    if (block.type !== 'tool_use') return [];
    const input = block.input as { readonly subagent_type?: string; readonly prompt?: string };
    const isAgent = block.name === 'Agent';
    const name = isAgent ? (input.subagent_type ?? '') : block.name;
    const json = JSON.stringify(isAgent ? { task: input.prompt } : input);
    return [{ id: block.id, type: 'function', function: { name, arguments: json } }];
  });
  return {
    role: 'assistant',
    content: textOf(blocks.filter(({ type }) => type === 'text')) || null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function userMessages(blocks: readonly object[]): ChatMessage[] {
  const results: ChatMessage[] = [];
  const system: ChatMessage[] = [];
  const user: ChatMessage[] = [];
  for (const block of blocks) {
    const {
      type,
      text: said = '',
      tool_use_id: id = '',
      content,
    } = block as {
      readonly type: string;
      readonly text?: string;
      readonly tool_use_id?: string;
      readonly content?: unknown;
    };
    const parts = split(type === 'tool_result' ? textOf(content) : said);
    system.push(...parts.system.map((content) => ({ role: 'system', content })));
    user.push(...parts.user.map((content) => ({ role: 'user', content })));
    if (type === 'tool_result')
      results.push({ role: 'tool', tool_call_id: id, content: withoutFrame(parts.text.replace(/\n$/, '')) });
    else if (type === 'text' && parts.text.trim() !== '' && !IMAGE_FILE.test(parts.text))
      user.push({ role: 'user', content: parts.text.trim() });
    else if (type === 'image') user.push({ role: 'user', content: [block] });
  }
  return [...results, ...system, ...user];
}

/** Where Claude Code keeps an image of a prompt, which it tells the model. */
const IMAGE_FILE = /^\[Image: source: .*\]$/;

/** What a tool or a sub-agent answered, without what Claude Code puts around it. */
function withoutFrame(result: string): string {
  return result.replace(/\n?agentId: [\s\S]*$/, '').replace(/^PreToolUse:\S+ hook error: /, '');
}
