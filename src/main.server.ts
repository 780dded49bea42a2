import { cacheCompiledCode, exitUnlessNode24 } from '#server/config/require-node.ts';

exitUnlessNode24();
cacheCompiledCode();
const { runServer } = await import('#app/server/run.ts');
await runServer();
