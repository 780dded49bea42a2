import { cacheCompiledCode, exitUnlessNode24 } from '#server/config/require-node.ts';

exitUnlessNode24();
cacheCompiledCode();
const { runAdminCommand } = await import('#cli/admin.ts');
process.exitCode = await runAdminCommand(process.argv.slice(2));
