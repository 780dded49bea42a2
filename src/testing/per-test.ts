import { afterEach } from 'vitest';
import { newDataFolder } from './program.ts';

/** What each test of a file begins is ended after it, the last first. */
export function perTest() {
  const cleanUp: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  });
  return {
    cleanUp,
    /** An empty data folder. */
    async folder(): Promise<string> {
      const { dataDir, remove } = await newDataFolder();
      cleanUp.push(remove);
      return dataDir;
    },
  };
}
