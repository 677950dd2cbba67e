import type { DeclaredBuiltin } from './builtin.ts';
import { injectionForgets, injectionNeeds, limitForgets, limitNeeds, revealNeeds } from './needs.ts';

/** The hooks of `@hooks/guards` and `@hooks/flow` by their names in files. Each loads when a file names it. */
export const GUARDS: Readonly<Record<string, DeclaredBuiltin>> = {
  command_safety: { make: async (...given) => (await import('./command-safety.ts')).safeCommands(...given) },
  sensitive_paths: { make: async (...given) => (await import('./sensitive-paths.ts')).safePaths(...given) },
  redact_secrets: {
    make: async (...given) => (await import('./redact-secrets.ts')).withoutSecrets(...given),
    needs: revealNeeds,
  },
  pii: { make: async (...given) => (await import('./pii.ts')).withoutPii(...given), needs: revealNeeds },

  injection: {
    make: async (...given) => (await import('./who-and-what.ts')).injections(...given),
    needs: injectionNeeds,
    forgets: injectionForgets,
  },
  require_principal: { make: async (...given) => (await import('./who-and-what.ts')).principal(...given) },
  valid_history: { make: async (...given) => (await import('./who-and-what.ts')).history(...given) },

  add_context: { make: async (...given) => (await import('./docker-context.ts')).context(...given) },
  http_post: { make: async (...given) => (await import('./http-post.ts')).post(...given) },
  limit_large_tool_results: {
    make: async (...given) => (await import('./limit-results.ts')).limitResults(...given),
  },
  safer_shell: { make: async (...given) => (await import('./command-safety.ts')).safeCommands(...given) },

  flow: { make: async (...given) => (await import('./flow.ts')).flows(...given) },

  docker_agent_permissions: {
    make: async (...given) => (await import('./docker-permissions.ts')).dockerPermissions(...given),
  },
  docker_agent_safety: {
    make: async (...given) => (await import('./docker-safety.ts')).safetyMode(...given),
  },
  permissions: { make: async (...given) => (await import('./tools.ts')).permitted(...given) },
  allow_tools: { make: async (...given) => (await import('./tools.ts')).allowed(...given) },
  deny_tools: { make: async (...given) => (await import('./tools.ts')).denied(...given) },

  max_iterations: { make: async (...given) => (await import('./limits.ts')).iterations(...given) },
  limits: {
    make: async (...given) => (await import('./limits.ts')).budgets(...given),
    needs: limitNeeds,
    forgets: limitForgets,
  },
  rate_limit: { make: async (...given) => (await import('./limits.ts')).rate(...given), needs: limitNeeds },
  loop_detection: {
    make: async (...given) => (await import('./limits.ts')).loops(...given),
    forgets: () => 'it counts in one process; use limits or rate_limit',
  },
  retry_transient: { make: async (...given) => (await import('./retry-transient.ts')).retries(...given) },

  add_date: { make: async (...given) => (await import('./context.ts')).date(...given) },
  add_environment_info: { make: async (...given) => (await import('./context.ts')).environment(...given) },
  add_prompt_files: { make: async (...given) => (await import('./context.ts')).promptFiles(...given) },
  add_git_status: { make: async (...given) => (await import('./context.ts')).gitStatus(...given) },
  add_git_diff: { make: async (...given) => (await import('./context.ts')).gitDiff(...given) },
  add_directory_listing: { make: async (...given) => (await import('./context.ts')).directory(...given) },
  add_user_info: { make: async (...given) => (await import('./context.ts')).user(...given) },
  add_recent_commits: { make: async (...given) => (await import('./context.ts')).commits(...given) },

  snapshot: {
    make: async (...given) => (await import('./snapshot.ts')).snapshots(...given),
    forgets: () => 'it compares the files within one process',
  },
  unload: { make: async (...given) => (await import('./unload.ts')).unload(...given) },
};
