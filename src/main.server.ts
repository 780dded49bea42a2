import { cacheCompiledCode, requireNode24 } from '#server/config/require-node.ts';

requireNode24();
cacheCompiledCode();
const { run } = await import('#app/server/run.ts');
await run();
