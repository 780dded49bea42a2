/**
 * Asks once at a time, and again only when the answer is this old: however often and by however many it is asked for, it
 * costs the same. A failure is not remembered.
 */
export function remembered<T>(ask: () => Promise<T>, forMs: number): () => Promise<T> {
  let last: { askedAt: number; answer: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (last && now - last.askedAt < forMs) return last.answer;
    const asked = { askedAt: now, answer: ask() };
    asked.answer.catch(() => {
      if (last === asked) last = null;
    });
    last = asked;
    return asked.answer;
  };
}
