import { noAnswer } from '../api/call.ts';

/**
 * Only an answer with an integer id confirms that the server has made something. Any other 200 must not count: the copy
 * on the device may be the only one.
 * @throws {CallError} as for a lost connection
 */
export function confirmed(answer: unknown): void {
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : null;
  if (!Number.isInteger(id)) throw noAnswer();
}
