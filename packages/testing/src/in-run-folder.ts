// Before each test file: what it, and the programs that it starts, take for the system's temporary folder is the run's.
import { inject } from 'vitest';

process.env['TMPDIR'] = inject('tmpdir');
