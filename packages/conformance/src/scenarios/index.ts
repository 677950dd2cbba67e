import type { Family } from '../scenario.ts';
import { aborts } from './aborts.ts';
import { aboutToRun } from './about-to-run.ts';
import { agents } from './agents.ts';
import { answeredCalls } from './answered-calls.ts';
import { approvals } from './approvals.ts';
import { attaching } from './attaching.ts';
import { bareTools } from './bare-tools.ts';
import { clientPrompts } from './client-prompts.ts';
import { compaction } from './compaction.ts';
import { differentOptions } from './different-options.ts';
import { failedHooks } from './failed-hooks.ts';
import { fieldEquality } from './field-equality.ts';
import { hostileClients } from './hostile-client.ts';
import { hostileModel } from './hostile-model.ts';
import { mcp } from './mcp.ts';
import { modelAnswers } from './model-answers.ts';
import { modelCalls } from './model-calls.ts';
import { modelRequests } from './model-requests.ts';
import { neighbours } from './neighbours.ts';
import { onlyDecisionsChange } from './only-decisions-change.ts';
import { otherTools } from './other-tools.ts';
import { parallel } from './parallel.ts';
import { pauses } from './pauses.ts';
import { principals } from './principal.ts';
import { prompts } from './prompt.ts';
import { randomConversations } from './random-conversations.ts';
import { randomRuns } from './random-runs.ts';
import { redaction } from './redaction.ts';
import { refusals } from './refusals.ts';
import { registeredLate } from './registered-late.ts';
import { restarts } from './restarts.ts';
import { resultNames } from './result-names.ts';
import { sessions } from './session.ts';
import { stopEvent } from './stop-event.ts';
import { stopping } from './stopping.ts';
import { toolDecisions } from './tool-decisions.ts';
import { toolErrors } from './tool-errors.ts';
import { toolKinds } from './tool-kinds.ts';
import { toolResults } from './tool-results.ts';
import { toolRetry } from './tool-retry.ts';
import { turns } from './turns.ts';
import { twoRegistries } from './two-registries.ts';
import { twoRegistriesApprovals } from './two-registries-approvals.ts';
import { whoApproves } from './who-approves.ts';

/** Every scenario of the suite. */
export const families: readonly Family[] = [
  toolDecisions,
  toolResults,
  otherTools,
  toolRetry,
  aboutToRun,
  failedHooks,
  onlyDecisionsChange,
  toolErrors,
  parallel,
  stopping,
  aborts,
  prompts,
  clientPrompts,
  sessions,
  principals,
  redaction,
  modelCalls,
  modelRequests,
  modelAnswers,
  neighbours,
  resultNames,
  turns,
  stopEvent,
  approvals,
  pauses,
  answeredCalls,
  randomRuns,
  randomConversations,
  hostileModel,
  hostileClients,
  restarts,
  agents,
  mcp,
  toolKinds,
  compaction,
  attaching,
  registeredLate,
  bareTools,
  refusals,
  twoRegistries,
  twoRegistriesApprovals,
  whoApproves,
  differentOptions,
  fieldEquality,
];
