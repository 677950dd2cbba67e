import { createHooks } from '@hooks/core';
import { hooksTelemetry } from '@hooks/otel';

const hooks = createHooks();
using _telemetry = hooksTelemetry(hooks);
