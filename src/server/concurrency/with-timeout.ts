/**
 * Returns the result of a promise, or rejects if it takes too long. Does not stop the work itself.
 * @throws Error named 'TimeoutError'
 */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fail = () => reject(Object.assign(new Error(`not within ${ms} ms`), { name: 'TimeoutError' }));
  const timer = setTimeout(fail, ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
