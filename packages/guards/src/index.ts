export {
  type CommandVerdict,
  checkCommand,
  checkPath,
  normalizePath,
  type PathVerdict,
} from '@hooks/shell-safety';
export { type AllApproveOptions, allApprove } from './approval/all-approve.ts';
export { type CommandSafetyOptions, commandSafety } from './command-safety.ts';
export type { ContextOptions } from './context/contributor.ts';
export { addDate, addEnvironmentInfo, addUserInfo } from './context/environment.ts';
export { addDirectoryListing, addPromptFiles } from './context/files.ts';
export { addGitDiff, addGitStatus, addRecentCommits, type GitDiffOptions } from './context/repository.ts';
export { type DryRunReport, dryRun } from './dry-run.ts';
export { validHistory } from './history/provider.ts';
export { findInjection } from './injection/find.ts';
export { injectionIn } from './injection/flags.ts';
export {
  type DetectInjection,
  type DetectOptions,
  type InjectionOptions,
  injection,
} from './injection/provider.ts';
export type { Budget, ToolBudget } from './limits/budget.ts';
export { type ConcurrencyOptions, concurrency } from './limits/concurrency.ts';
export { type LimitsOptions, limits } from './limits/limits.ts';
export { type LoopDetectionOptions, loopDetection } from './limits/loop.ts';
export { maxIterations } from './limits/max-iterations.ts';
export type { ModelPrice, ModelPrices } from './limits/prices.ts';
export { type RateLimitOptions, rateLimit } from './limits/rate.ts';
export type { SharedLimitOptions } from './limits/shared-counters.ts';
export { type OnceOptions, once } from './once/provider.ts';
export { type FoundPii, findPii } from './pii/find.ts';
export type { PiiKind } from './pii/kinds.ts';
export { type PiiAction, type PiiOptions, pii } from './pii/provider.ts';
export { type RequirePrincipalOptions, requirePrincipal } from './principal/provider.ts';
export { type RecommendedOptions, recommended } from './recommended.ts';
export { type FoundSecret, findSecrets } from './redact/find.ts';
export type { Ignored } from './redact/ignore.ts';
export { type RedactSecretsOptions, redactSecrets } from './redact/provider.ts';
export { createSecretRedactor, type PlaceholderOptions, type SecretRedactor } from './redact/redactor.ts';
export type { RevealOptions } from './redact/reveal.ts';
export type { FindSecretsOptions } from './redact/rule.ts';
export { secretStream } from './redact/stream.ts';
export { classifyError, type TransientClass } from './retry/classify.ts';
export { type Backoff, type RetryTransientOptions, retryTransient } from './retry/retry-transient.ts';
export { type SensitivePathsOptions, sensitivePaths } from './sensitive-paths/provider.ts';
export { type SnapshotProvider, snapshot } from './snapshot/provider.ts';
export type { ChangedFile } from './snapshot/shadow.ts';
export {
  type Checkpoint,
  openSnapshots,
  type SnapshotOptions,
  type Snapshots,
} from './snapshot/snapshots.ts';
export { type ToolArguments, usualCommandTools, usualPathTools } from './tool-arguments.ts';
export { allowTools, denyTools, type ToolRules } from './tools/allow-deny.ts';
export { compileRule, type PermissionRule } from './tools/permission-rule.ts';
export { type PermissionsOptions, permissions } from './tools/permissions.ts';
export { type PinToolsOptions, pinTools } from './tools/pin-tools.ts';
export { readsOnly } from './tools/reads-only.ts';
export {
  type DockerModelRunnerOptions,
  dockerModelRunner,
  type Unloader,
  type UnloadModelsOptions,
  unloadModels,
} from './unload-models.ts';
