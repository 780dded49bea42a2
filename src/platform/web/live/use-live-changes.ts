import { useEffect } from 'react';
import { LIVE } from '../../contract/live.ts';
import { refresh } from '../query-client.ts';
import { useUser } from '../session.ts';
import { listenForChanges } from './live-changes.ts';

/** First what the page itself needs: on a thin line the stream would take from it. */
const BEGINS_AFTER_MS = 3_000;

/** Badges and lists of an open page follow what happens, without a reload and without asking again and again. */
export function useLiveChanges() {
  const { id } = useUser();
  useEffect(() => {
    let end = () => {};
    const timer = setTimeout(() => {
      end = listenForChanges((news) => refresh(news ?? LIVE));
    }, BEGINS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [id]);
}
