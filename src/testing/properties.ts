import fc from 'fast-check';

// The same examples in each run. A failure prints seed and path, and the smallest counterexample.
fc.configureGlobal({ seed: 26, numRuns: 200 });

export { fc };
