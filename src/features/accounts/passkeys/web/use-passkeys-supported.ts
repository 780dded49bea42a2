import { useSettings } from '#web/api/page-data.ts';

/** Returns whether the browser supports passkeys and the page is at the address that they are for. */
export function usePasskeysSupported(): boolean {
  const { passkeyOrigin } = useSettings();
  return (
    typeof location !== 'undefined' && location.origin === passkeyOrigin && 'PublicKeyCredential' in window
  );
}
