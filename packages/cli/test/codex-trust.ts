import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The part of Codex's `config.toml` that trusts all hooks of a `hooks.json`, which must not have matchers. */
export function trustOfCodex(path: string): string {
  const { hooks } = JSON.parse(readFileSync(path, 'utf8'));
  const states = Object.keys(hooks).flatMap((event) =>
    hooks[event].map(({ hooks: [hook] }: { hooks: object[] }, group: number) => {
      const event_name = event.replaceAll(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
      const normal = Object.fromEntries(Object.entries({ async: false, timeout: 600, ...hook }).sort());
      const hash = createHash('sha256').update(JSON.stringify({ event_name, hooks: [normal] }));
      return `[hooks.state."${path}:${event_name}:${group}:0"]\ntrusted_hash = "sha256:${hash.digest('hex')}"\n`;
    }),
  );
  return states.join('');
}
