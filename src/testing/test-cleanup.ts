import { afterEach } from 'vitest';
import { createDataFolder } from './program.ts';

/** After each test, runs the steps that the test has added to `cleanUp`, in reverse order. */
export function createTestCleanup() {
  const cleanUp: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  });
  return {
    cleanUp,
    /** Creates an empty data folder, which is removed after the test. */
    async folder(): Promise<string> {
      const { dataDir, remove } = await createDataFolder();
      cleanUp.push(remove);
      return dataDir;
    },
  };
}
