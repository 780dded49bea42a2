import { useEffect, useState } from 'react';

type Kept = { linkToken?: string };

/**
 * The token of a mailed link, from the fragment or the query. It leaves the address at once for the page's own entry in
 * the history, which a reload keeps: so that it can't be read over a shoulder, copied along with the address, or sent as a referrer.
 */
export const useLinkToken = () => useToken(inAddress);

/** The same, where it is in the fragment, which no server sees; changed also while the page is open. */
export const useFragmentToken = () => useToken(inFragment);

function useToken(given: () => string): string {
  const [token, setToken] = useState(() => given() || kept());
  useEffect(() => {
    const take = () => {
      const found = given();
      if (!found) return;
      setToken(found);
      history.replaceState({ ...state(), linkToken: found }, '', location.pathname);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [given]);
  return token;
}

const tokenIn = (part: string) => new URLSearchParams(part.slice(1)).get('token');
const inAddress = () => (tokenIn(location.hash) ?? tokenIn(location.search) ?? '').trim();
const inFragment = () => (isInBrowser && /^#(link|code)=/.test(location.hash) ? location.hash.slice(1) : '');
const kept = () => state().linkToken ?? '';
const state = () => ((isInBrowser && history.state) || {}) as Kept;
/** The server knows no fragment. */
const isInBrowser = typeof location !== 'undefined';
