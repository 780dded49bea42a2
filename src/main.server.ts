import { cacheCompiledCode, requireNode24 } from './platform/server/require-node.ts';

requireNode24();
cacheCompiledCode();
const { run } = await import('./run.ts');
await run();
