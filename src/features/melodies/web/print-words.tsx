import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { PrintedWords } from './printed-words.tsx';

type PrintWordsProps = {
  id: number;
  title: string;
  onDone: () => void;
  onFailure: (error: unknown) => void;
};

/** Fetches the words of a melody and opens the browser's dialog for printing them. */
export default function PrintWords({ id, title, onDone, onFailure }: PrintWordsProps) {
  const { data, error } = useQuery(apiQuery('GET /api/melodies/{id}', { params: { id } }));
  const text = data?.melodyText ?? null;

  useEffect(() => {
    if (error) onFailure(error);
  }, [error, onFailure]);

  useEffect(() => {
    if (text === null) return;
    // What a file is called that is saved instead.
    const pageTitle = document.title;
    document.title = title;
    let isHere = true;
    addEventListener('afterprint', onDone);
    // Tibetan has a face of its own, which comes once there is something to write with it.
    void document.fonts.ready.then(() => isHere && print());
    return () => {
      isHere = false;
      removeEventListener('afterprint', onDone);
      document.title = pageTitle;
    };
  }, [text, title, onDone]);

  return text !== null && <PrintedWords {...{ title, text }} />;
}
