import type { DefaultTheme } from 'vitepress';
import { decisions } from '../scripts/decisions.ts';
import { groups } from '../scripts/groups.ts';
import { entries } from '../scripts/reference.ts';

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

export const sidebar: DefaultTheme.Sidebar = [
  {
    text: 'Start',
    items: [
      page('LangChain', '/start/langchain'),
      page('OpenAI Agents SDK', '/start/openai-agents'),
      page('Mastra', '/start/mastra'),
      page('AI SDK', '/start/ai-sdk'),
      page('Claude Agent SDK', '/start/claude-agent-sdk'),
      page('MCP', '/guides/mcp'),
      page('Claude Code, Codex, Gemini CLI', '/guides/from-claude-code'),
      page('Examples to start from', '/start/examples'),
    ],
  },
  {
    text: 'Concepts',
    items: [
      page('How it works', '/concepts/how-it-works'),
      page('Decisions', '/concepts/decisions'),
      page('Events', '/concepts/events'),
      page('The tool call', '/concepts/tool-call'),
      page('Failure', '/concepts/failure'),
      page('Sessions', '/concepts/sessions'),
      page('Security', '/concepts/security'),
      page('Words', '/concepts/words'),
    ],
  },
  {
    text: 'Guides',
    items: [
      page('A first policy', '/guides/first-policy'),
      page('Who is the user', '/guides/principal'),
      page('Why was this refused?', '/guides/refused'),
      page('Approval', '/guides/approval'),
      page('Approval from elsewhere', '/guides/approval-elsewhere'),
      page('Ready-made guards', '/guides/guards'),
      page('Recipes', '/guides/recipes'),
      page('Who said so?', '/guides/flow'),
      page('Redaction', '/guides/redaction'),
      page('Testing a policy', '/guides/testing'),
      page('Check the final answer', '/guides/final-answer'),
      page('Run it elsewhere', '/guides/sandbox'),
      page('Any MCP client and server', '/guides/mcp'),
      page('See what was decided', '/guides/audit'),
      page('Keep a journal', '/guides/journal'),
      page('Look at a run', '/guides/view'),
      page('Replay: what would it have done?', '/guides/replay'),
      page('More than one machine', '/guides/more-than-one-machine'),
      page('Operate', '/guides/operate'),
      page('Troubleshooting', '/guides/troubleshooting'),
      page('A policy for the company', '/guides/company-policy'),
      page('Custom events', '/guides/custom-events'),
      page('Hooks in files', '/guides/files'),
      page('Writing an adapter', '/guides/adapter'),
      page('For coding agents', '/guides/for-coding-agents'),
    ],
  },
  {
    text: 'Coming from',
    items: [
      page('Claude Code', '/guides/from-claude-code'),
      page('docker-agent', '/guides/from-docker-agent'),
      page('OpenClaw', '/guides/from-openclaw'),
      page('ai4j', '/guides/from-ai4j'),
      page('LangChain middleware', '/guides/from-langchain-middleware'),
      page('OpenAI guardrails', '/guides/from-openai-guardrails'),
      page('Mastra processors', '/guides/from-mastra-processors'),
      page('Claude Agent SDK hooks', '/guides/from-claude-agent-sdk'),
      page('AI SDK tool approval', '/guides/from-ai-sdk-approval'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Events', '/reference/events'),
      page('What each framework can do', '/reference/support'),
      page('Files of hooks', '/reference/config'),
      page('Command line', '/reference/cli'),
      page('Benchmarks', '/reference/benchmarks'),
      page('Versions', '/reference/versions'),
      page('Compared with other ways', '/compared'),
    ],
  },
  {
    text: 'API',
    collapsed: true,
    // A flat list: vitepress-plugin-llms forgets the base of the site in nested ones.
    items: [
      page('All packages', '/reference/api/'),
      ...entries().flatMap(({ name }) => [
        page(name, `/reference/api/${name}`),
        ...(name === '@hooks/core' ? groups : []).map(({ title, path }) =>
          page(`${name}: ${title}`, `/reference/api/${path}`),
        ),
      ]),
    ],
  },
  {
    text: 'Limits',
    items: [
      page('LangChain', '/limits/langchain'),
      page('OpenAI Agents SDK', '/limits/openai-agents'),
      page('Mastra', '/limits/mastra'),
      page('AI SDK', '/limits/ai-sdk'),
      page('Claude Agent SDK', '/limits/claude-agent-sdk'),
      page('The MCP proxy', '/limits/mcp'),
      page('The journal', '/limits/journal'),
    ],
  },
  {
    text: 'Design decisions',
    collapsed: true,
    items: [page('All decisions', '/decisions/'), ...decisions().map(({ title, link }) => page(title, link))],
  },
];
