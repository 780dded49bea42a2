import { cacheCompiledCode, requireNode24 } from '#server/config/require-node.ts';

requireNode24();
cacheCompiledCode();
const { demoEnvironment, prepareDemo } = await import('#cli/demo/prepare.ts');
const { run } = await import('#app/server/run.ts');
await run({ environment: demoEnvironment(process.env), prepare: prepareDemo });
