import { usePageSettings } from '#web/api/page-data.ts';

/**
 * Returns whether the browser supports passkeys and the page is at the origin for which they are registered.
 */
export function usePasskeysSupported(): boolean {
  const { passkeyOrigin } = usePageSettings();
  return (
    typeof location !== 'undefined' && location.origin === passkeyOrigin && 'PublicKeyCredential' in window
  );
}
