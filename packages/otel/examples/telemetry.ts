import { createHooks } from '@hooks/core';
import { telemetry } from '@hooks/otel';

const hooks = createHooks();

// Records every dispatch and tool call of `hooks` from now on.
const recording = hooks.use(telemetry());

// Stops recording.
recording[Symbol.dispose]();
