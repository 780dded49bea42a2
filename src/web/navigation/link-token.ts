import { useEffect, useState } from 'react';

type Kept = { linkToken?: string };

/**
 * Returns the token of a mailed link, from the fragment or the query. Moves it from the address to the page's history
 * state, which survives a reload, so that nobody can read it over the user's shoulder, copy it with the address, or
 * receive it as a referrer.
 */
export const useLinkToken = () => useToken(inAddress);

/** Returns a token from the fragment only, which is never sent to a server; it may change while the page is open. */
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
/** The server never sees the fragment. */
const isInBrowser = typeof location !== 'undefined';
