import type { Builtin } from './builtin.ts';

/** The hooks of `@hooks/guards` and `@hooks/flow` by their names in files. Each loads when a file names it. */
export const GUARDS: Readonly<Record<string, Builtin>> = {
  command_safety: async (...given) => (await import('./command-safety.ts')).safeCommands(...given),
  sensitive_paths: async (...given) => (await import('./sensitive-paths.ts')).safePaths(...given),
  redact_secrets: async (...given) => (await import('./redact-secrets.ts')).withoutSecrets(...given),
  pii: async (...given) => (await import('./pii.ts')).withoutPii(...given),

  injection: async (...given) => (await import('./who-and-what.ts')).injections(...given),
  require_principal: async (...given) => (await import('./who-and-what.ts')).principal(...given),
  valid_history: async (...given) => (await import('./who-and-what.ts')).history(...given),

  add_context: async (...given) => (await import('./docker-context.ts')).context(...given),
  http_post: async (...given) => (await import('./http-post.ts')).post(...given),
  limit_large_tool_results: async (...given) => (await import('./limit-results.ts')).limitResults(...given),
  safer_shell: async (...given) => (await import('./command-safety.ts')).safeCommands(...given),

  flow: async (...given) => (await import('./flow.ts')).flows(...given),

  docker_agent_permissions: async (...given) =>
    (await import('./docker-permissions.ts')).dockerPermissions(...given),
  docker_agent_safety: async (...given) => (await import('./docker-safety.ts')).safetyMode(...given),
  permissions: async (...given) => (await import('./tools.ts')).permitted(...given),
  allow_tools: async (...given) => (await import('./tools.ts')).allowed(...given),
  deny_tools: async (...given) => (await import('./tools.ts')).denied(...given),

  max_iterations: async (...given) => (await import('./limits.ts')).iterations(...given),
  limits: async (...given) => (await import('./limits.ts')).budgets(...given),
  rate_limit: async (...given) => (await import('./limits.ts')).rate(...given),
  loop_detection: async (...given) => (await import('./limits.ts')).loops(...given),
  retry_transient: async (...given) => (await import('./retry-transient.ts')).retries(...given),

  add_date: async (...given) => (await import('./context.ts')).date(...given),
  add_environment_info: async (...given) => (await import('./context.ts')).environment(...given),
  add_prompt_files: async (...given) => (await import('./context.ts')).promptFiles(...given),
  add_git_status: async (...given) => (await import('./context.ts')).gitStatus(...given),
  add_git_diff: async (...given) => (await import('./context.ts')).gitDiff(...given),
  add_directory_listing: async (...given) => (await import('./context.ts')).directory(...given),
  add_user_info: async (...given) => (await import('./context.ts')).user(...given),
  add_recent_commits: async (...given) => (await import('./context.ts')).commits(...given),

  snapshot: async (...given) => (await import('./snapshot.ts')).snapshots(...given),
  unload: async (...given) => (await import('./unload.ts')).unload(...given),
};
