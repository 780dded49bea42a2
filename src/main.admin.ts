import { cacheCompiledCode, requireNode24 } from './platform/server/require-node.ts';

requireNode24();
cacheCompiledCode();
const { administer } = await import('./admin.ts');
process.exitCode = await administer(process.argv.slice(2));
