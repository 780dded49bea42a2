import { call, noAnswer } from '../../../platform/web/call.ts';

/** Whether it is this person still who is signed in: another tab may have signed somebody else in, and the cookie is one for all. */
export async function isStillHere(userId: string, signal: AbortSignal): Promise<boolean> {
  const { id } = (await call('GET /api/user', { signal })) as { id?: unknown };
  if (typeof id !== 'string') throw noAnswer();
  return id === userId;
}
