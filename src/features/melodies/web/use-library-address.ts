import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Level } from '../../levels/contract.ts';

/** The address follows when typing pauses: browsers allow only so many changes of it. */
const WRITTEN_AFTER_MS = 300;

/** Level and search stand in the address, so that the way back leads to what was shown and a link can be passed on. */
export function useLibraryAddress(levels: readonly Level[]) {
  const [params, setParams] = useSearchParams();
  const level = levels.find(({ id }) => String(id) === params.get('level'))?.id ?? null;
  const written = params.get('q') ?? '';
  const [typed, setTyped] = useState(written);
  const [lastWritten, setLastWritten] = useState(written);
  // The way back, or a link: then the field follows the address.
  if (written !== lastWritten) {
    setLastWritten(written);
    setTyped(written);
  }

  useEffect(() => {
    if (typed === written) return;
    const timer = setTimeout(
      () => setParams((before) => withParam(before, 'q', typed), { replace: true }),
      WRITTEN_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, written, setParams]);

  const setLevel = (id: number | null) =>
    setParams((before) => withParam(withParam(before, 'q', typed), 'level', id === null ? '' : String(id)));
  return { level, setLevel, query: typed, setQuery: setTyped };
}

function withParam(before: URLSearchParams, name: string, value: string) {
  const params = new URLSearchParams(before);
  if (value === '') params.delete(name);
  else params.set(name, value);
  return params;
}
