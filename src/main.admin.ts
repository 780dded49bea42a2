import { cacheCompiledCode, requireNode24 } from '#server/config/require-node.ts';

requireNode24();
cacheCompiledCode();
const { administer } = await import('#cli/admin.ts');
process.exitCode = await administer(process.argv.slice(2));
