import { useEffect, useState } from 'react';

type Kept = { linkToken?: string };

/**
 * The token of a mailed link, from the address. It leaves the address at once for the page's own entry in the history,
 * which a reload keeps: so that it can't be read over a shoulder, copied along with the address, or sent as a referrer.
 */
export function useLinkToken(): string {
  const [token] = useState(() => given() || kept());
  useEffect(() => {
    if (given()) history.replaceState({ ...state(), linkToken: token }, '', location.pathname);
  }, [token]);
  return token;
}

const given = () => (new URLSearchParams(location.search).get('token') ?? '').trim();
const kept = () => state().linkToken ?? '';
const state = () => (history.state ?? {}) as Kept;
