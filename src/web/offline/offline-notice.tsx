import type { ReactNode } from 'react';
import { isLastResponseFromDevice } from './from-device.ts';
import { Notice } from '../ui/notice.tsx';
import { useStore } from '../use-store.ts';

/**
 * Shows a note while data comes from the device instead of the server. The children explain what that means for
 * the page.
 */
export function OfflineNotice({ children }: { children: ReactNode }) {
  const isFromDevice = useStore(isLastResponseFromDevice);
  if (!isFromDevice) return null;
  return (
    <Notice tone="amber" title="You’re offline." className="mb-5 max-w-2xl">
      {children}
    </Notice>
  );
}
