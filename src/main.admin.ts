import { cacheCompiledCode, assertNode24 } from '#server/config/require-node.ts';

assertNode24();
cacheCompiledCode();
const { runAdminCommand } = await import('#cli/admin.ts');
process.exitCode = await runAdminCommand(process.argv.slice(2));
