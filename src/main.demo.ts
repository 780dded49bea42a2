import { cacheCompiledCode, requireNode24 } from './platform/server/require-node.ts';

requireNode24();
cacheCompiledCode();
const { demoEnvironment, prepareDemo } = await import('./demo/prepare.ts');
const { run } = await import('./run.ts');
await run({ environment: demoEnvironment(process.env), prepare: prepareDemo });
