import { requireNode24 } from './platform/server/require-node.ts';

requireNode24();
const { run } = await import('./run.ts');
await run();
