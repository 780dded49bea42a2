import { noAnswer } from '../call.ts';

/**
 * Only what the server has made has a number. Whatever else comes with a 200 is no confirmation: the copy on the
 * device may be the only one.
 * @throws {CallError} as for a lost connection
 */
export function confirmed(answer: unknown): void {
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : null;
  if (!Number.isInteger(id)) throw noAnswer();
}
