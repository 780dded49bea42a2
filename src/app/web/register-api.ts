import type { Api } from '../api.ts';

/** Declares the API for `callApi()`. TypeScript includes this file; nothing imports it. */
declare module '#web/api/call.ts' {
  interface Register {
    api: Api;
  }
}
