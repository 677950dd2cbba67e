import { createHooks } from '@hooks/core';
import { hooksTelemetry } from '@hooks/otel';

const hooks = createHooks();

// Records every dispatch and tool call of `hooks` from now on.
const telemetry = hooksTelemetry(hooks);

// Stops recording.
telemetry[Symbol.dispose]();
