// Runs before each test file, and makes the run's folder the temporary folder of the file and of the programs it starts.
import { inject } from 'vitest';

process.env['TMPDIR'] = inject('tmpdir');
