import { useEffect, useState } from 'react';

type LinkTokenState = { linkToken?: string };

/**
 * Returns the token of an emailed link, from the fragment or the query; an empty string if there is none.
 * Moves it from the URL to the page's history state, which survives a reload, so that nobody can read it over
 * the user's shoulder, copy it with the URL, or receive it as a referrer.
 */
export const useLinkToken = () => useTokenFrom(readAddressToken);

/**
 * Returns a fragment of the form `link=…` or `code=…`, or an empty string. A fragment is never sent to a
 * server, and may change while the page is open. Moves it from the URL like {@link useLinkToken}.
 */
export const useFragmentToken = () => useTokenFrom(readFragmentToken);

function useTokenFrom(given: () => string): string {
  const [token, setToken] = useState(() => given() || getStoredToken());
  useEffect(() => {
    const take = () => {
      const found = given();
      if (!found) return;
      setToken(found);
      history.replaceState({ ...getHistoryState(), linkToken: found }, '', location.pathname);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [given]);
  return token;
}

const parseToken = (part: string) => new URLSearchParams(part.slice(1)).get('token');
const readAddressToken = () => (parseToken(location.hash) ?? parseToken(location.search) ?? '').trim();
const readFragmentToken = () =>
  isInBrowser && /^#(link|code)=/.test(location.hash) ? location.hash.slice(1) : '';
const getStoredToken = () => getHistoryState().linkToken ?? '';
const getHistoryState = () => ((isInBrowser && history.state) || {}) as LinkTokenState;
/** False while rendering on the server, which never receives the fragment. */
const isInBrowser = typeof location !== 'undefined';
