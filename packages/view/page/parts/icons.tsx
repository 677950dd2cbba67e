import type { NodeKind } from '../run/node.ts';

/** The paths of the icons, on a grid of 16. */
const PATHS: Readonly<Record<NodeKind | 'chevron' | 'search' | 'close' | 'back' | 'theme', string>> = {
  run: 'M3 8h10M9 4l4 4-4 4',
  prompt: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z',
  turn: 'M12.5 6.5A5 5 0 1 0 13 9M13 3.5v3h-3',
  model: 'M8 2v12M2 8h12M4 4l8 8M12 4l-8 8',
  tool: 'M10.5 2.8a3.2 3.2 0 0 0-3 4.3L2.8 11.8l1.5 1.5 4.7-4.7a3.2 3.2 0 0 0 4.2-4.1L11.3 6.3 9.8 4.8l1.9-1.9z',
  attempt: 'M3.5 8a4.5 4.5 0 1 1 1.6 3.4M3 13v-3h3',
  approval:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c.4-2.6 2.2-4 4.5-4 .9 0 1.7.2 2.4.6M9.5 11.5l1.7 1.7 3.3-3.4',
  subagent:
    'M5.5 7a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM1.5 13c.3-2.5 1.8-4 4-4s3.700 1.500 4 4M10.500 2.800a2.200 2.200 0 0 1 0 4.100M12 9.300c1.400.6 2.300 1.900 2.500 3.700',
  answer: 'M3.5 14V2.500M3.500 3h8.500l-2 3 2 3h-8.500',
  event: 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  chevron: 'M6 4l4 4-4 4',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300l3.200 3.200',
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M10 3.500L5.500 8l4.500 4.500',
  theme: 'M8 2.500a5.500 5.500 0 1 0 5.500 5.500A4.200 4.200 0 0 1 8 2.500z',
};

/** An icon next to a text with the same meaning. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
