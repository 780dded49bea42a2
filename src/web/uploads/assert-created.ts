import { createNoConnectionError } from '../api/call.ts';

/**
 * Checks that the server has created something. Only a response with an integer id confirms that. Any other 200 must
 * not count, because what was sent may exist only on this device.
 * @throws {CallError} the same error as for a lost connection
 */
export function assertCreated(answer: unknown): void {
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : null;
  if (!Number.isInteger(id)) throw createNoConnectionError();
}
