import type { Family } from '../scenario.ts';
import { attaching } from './attaching.ts';
import { bareTools } from './bare-tools.ts';
import { failedHooks } from './failed-hooks.ts';
import { parallel } from './parallel.ts';
import { prompts } from './prompt.ts';
import { redaction } from './redaction.ts';
import { sessions } from './session.ts';
import { stopping } from './stopping.ts';
import { toolDecisions } from './tool-decisions.ts';
import { toolErrors } from './tool-errors.ts';
import { toolRetry } from './tool-retry.ts';

/** Every scenario of the suite. */
export const families: readonly Family[] = [
  toolDecisions,
  toolRetry,
  failedHooks,
  toolErrors,
  parallel,
  stopping,
  prompts,
  sessions,
  redaction,
  attaching,
  bareTools,
];
