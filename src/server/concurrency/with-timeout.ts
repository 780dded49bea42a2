/**
 * Rejects when a promise takes too long; whatever it does goes on.
 * @throws Error named 'TimeoutError'
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(Object.assign(new Error(`not within ${ms} ms`), { name: 'TimeoutError' }));
    timer = setTimeout(fail, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
