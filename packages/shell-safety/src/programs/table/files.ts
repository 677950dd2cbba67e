import type { Row } from '../program.ts';

/** Programs for files and containers: with what options they only say what they would do. */
export const files: readonly Row[] = [
  ['rsync', { valued: 'e f rsh exclude include filter', dryRun: /^(?:-n|--dry-run)$/ }],
  ['rclone', { dryRun: /^(?:-n|--dry-run)$/ }],
  ['docker podman nerdctl docker-compose', { dryRun: /^--(?:help|dry-run)$/ }],
];
