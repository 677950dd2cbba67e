// Runs the suite by the README's example, against the reference adapter.
import '../examples/the-suite.ts';
