// The README's example runs the suite; what passes it is the reference adapter.
import '../examples/the-suite.ts';
