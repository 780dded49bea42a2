import { afterEach } from 'vitest';
import { newDataFolder } from './program.ts';

/** Returns helpers that undo what each test of a file started, last first. */
export function perTest() {
  const cleanUp: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  });
  return {
    cleanUp,
    /** Creates an empty data folder. */
    async folder(): Promise<string> {
      const { dataDir, remove } = await newDataFolder();
      cleanUp.push(remove);
      return dataDir;
    },
  };
}
