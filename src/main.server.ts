import { cacheCompiledCode, assertNode24 } from '#server/config/require-node.ts';

assertNode24();
cacheCompiledCode();
const { runServer } = await import('#app/server/run.ts');
await runServer();
