import type { Api } from '../api.ts';

declare module '#web/api/call.ts' {
  interface Register {
    api: Api;
  }
}
