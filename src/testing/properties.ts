import fc from 'fast-check';

// Uses the same examples in each run. A failure prints the seed, the path and the smallest counterexample.
fc.configureGlobal({ seed: 26, numRuns: 200 });

export { fc };
