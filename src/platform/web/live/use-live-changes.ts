import { useEffect } from 'react';
import { LIVE } from '../../contract/live.ts';
import { useUser } from '../session.ts';
import { throttleRefreshes } from './throttle-refreshes.ts';
import { listenForChanges } from './live-changes.ts';
import { refreshLive } from './refresh-live.ts';

/** First what the page itself needs: on a slow connection the stream would take from it. */
const BEGINS_AFTER_MS = 3_000;

/** So long what comes in a row is gathered. */
const MOMENT_MS = 1_000;

/** Badges and lists of an open page follow what happens, without a reload and without asking again and again. */
export function useLiveChanges() {
  const { id } = useUser();
  useEffect(() => {
    let end = () => {};
    const timer = setTimeout(() => {
      const changes = throttleRefreshes(refreshLive, MOMENT_MS);
      const stopListening = listenForChanges((news) => changes.add(news ?? LIVE));
      end = () => {
        stopListening();
        changes.end();
      };
    }, BEGINS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [id]);
}
