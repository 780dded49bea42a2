import { useEffect, useState } from 'react';

type HistoryState = { resetToken?: string };

/**
 * The token from the URL. It is moved from the URL to the page's history state at once, which survives a reload, so
 * that it can't be read over a shoulder, copied with the URL, or sent as a referrer.
 */
export function useResetToken(): string {
  const [token] = useState(() => given() || storedToken());
  useEffect(() => {
    if (given()) history.replaceState({ ...state(), resetToken: token }, '', location.pathname);
  }, [token]);
  return token;
}

const given = () => (new URLSearchParams(location.search).get('token') ?? '').trim();
const storedToken = () => state().resetToken ?? '';
const state = () => (history.state ?? {}) as HistoryState;
