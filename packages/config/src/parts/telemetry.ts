import { named } from '../builtins/arguments.ts';
import { messageOf } from '../error-message.ts';
import type { MakePart } from './part.ts';
import type { TelemetryArguments } from './schemas.ts';

/** Reports to OpenTelemetry, with the providers that the program has registered. Warns once where it has none. */
export const telemetryPart: MakePart = async (args, { onWarning }) => {
  const { telemetrySchema } = await import('./schemas.ts');
  const options = await named<TelemetryArguments>(args, () => telemetrySchema);
  const { telemetry, api } = await packages();
  const provider = telemetry(options);
  let checked = false;
  return {
    ...provider,
    register(hooks) {
      provider.register(hooks);
      hooks.trace(() => {
        if (checked) return;
        checked = true;
        if (!isRegistered(api))
          onWarning(
            'telemetry: this program has no OpenTelemetry SDK, so nothing is reported; register one, for example with node --import.',
          );
      });
    },
  };
};

type Api = typeof import('@opentelemetry/api');

function isRegistered({ trace, metrics, ProxyTracerProvider }: Api): boolean {
  const none = new ProxyTracerProvider();
  const tracers = trace.getTracerProvider();
  const hasTracers =
    !(tracers instanceof ProxyTracerProvider) || tracers.getDelegate() !== none.getDelegate();
  return hasTracers || metrics.getMeterProvider().constructor.name !== 'NoopMeterProvider';
}

async function packages() {
  try {
    const [{ telemetry }, api] = await Promise.all([import('@hooks/otel'), import('@opentelemetry/api')]);
    return { telemetry, api };
  } catch (cause) {
    throw new Error(`it needs a package: npm install @hooks/otel @opentelemetry/api (${messageOf(cause)})`, {
      cause,
    });
  }
}
