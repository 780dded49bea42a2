import { cacheCompiledCode, exitUnlessNode24 } from '#server/config/require-node.ts';

exitUnlessNode24();
cacheCompiledCode();
const { getDemoEnvironment, prepareDemo } = await import('#cli/demo/prepare.ts');
const { runServer } = await import('#app/server/run.ts');
await runServer({ environment: getDemoEnvironment(process.env), prepare: prepareDemo });
