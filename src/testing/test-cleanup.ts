import { afterEach } from 'vitest';
import { createDataFolder } from './program.ts';

/** Returns helpers that undo what each test of a file has started, in reverse order. */
export function createTestCleanup() {
  const cleanUp: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  });
  return {
    cleanUp,
    /** Creates an empty data folder. */
    async folder(): Promise<string> {
      const { dataDir, remove } = await createDataFolder();
      cleanUp.push(remove);
      return dataDir;
    },
  };
}
