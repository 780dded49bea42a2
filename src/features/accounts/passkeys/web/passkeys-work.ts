import { useSettings } from '#web/api/page-data.ts';

/** Whether this browser can have passkeys, and the page is at the address that they are for. */
export function usePasskeysWork(): boolean {
  const { passkeyOrigin } = useSettings();
  return (
    typeof location !== 'undefined' && location.origin === passkeyOrigin && 'PublicKeyCredential' in window
  );
}
