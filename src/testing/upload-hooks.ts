import { createServices } from '#app/server/server.ts';
import { startTestApp, type TestAppOptions } from './app.ts';

type UploadHook = (() => unknown) | null;

/**
 * Starts an app that can run a hook before or after an upload's file is staged.
 * @returns the app, the hooks (which each test sets and resets), and a function that synchronizes concurrent
 * calls
 */
export async function startAppWithUploadHooks(options: TestAppOptions = {}) {
  const during: { beforeStaging: UploadHook; afterStaging: UploadHook } = {
    beforeStaging: null,
    afterStaging: null,
  };
  const app = await startTestApp({
    ...options,
    services: (_, parts) =>
      createServices({
        ...parts,
        partials: {
          ...parts.partials,
          async stage(...file) {
            await during.beforeStaging?.();
            const staged = await parts.partials.stage(...file);
            await during.afterStaging?.();
            return staged;
          },
        },
      }),
  });
  /** Makes concurrent calls, and lets them continue only when each has staged its whole file. */
  async function atOnce<T>(calls: (() => Promise<T>)[]): Promise<T[]> {
    let arrived = 0;
    let release!: () => void;
    const all = new Promise<void>((resolve) => (release = resolve));
    during.afterStaging = () => {
      arrived += 1;
      if (arrived >= calls.length) release();
      return all;
    };
    return Promise.all(calls.map((call) => call()));
  }

  return { app, during, atOnce };
}
