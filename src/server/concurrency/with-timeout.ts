/**
 * Rejects when a promise takes too long. The work itself continues.
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
