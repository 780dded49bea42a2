import type { TestProject } from 'vitest/node';
import { explainMissingNginx } from './nginx.ts';

/** Sets up the tests at scale, in which each test's server becomes two servers behind nginx. */
export default function setup(project: TestProject) {
  const missing = explainMissingNginx();
  project.provide('nginxMissing', missing);
  project.provide('isScaled', missing === null);
  if (missing) console.warn(`\nThe tests behind nginx are skipped: ${missing}.\n`);
}

declare module 'vitest' {
  interface ProvidedContext {
    isScaled: boolean;
    /** Reason for skipping the tests that need nginx; null if they run. */
    nginxMissing: string | null;
  }
}
