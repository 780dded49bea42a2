import type { AppApi } from '../api.ts';

/** Declares the API for `callApi()`. TypeScript includes this file; nothing imports it. */
declare module '#web/api/call.ts' {
  interface ApiRegister {
    api: AppApi;
  }
}
