/**
 * Rejects if a promise takes too long, without stopping the work itself.
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
