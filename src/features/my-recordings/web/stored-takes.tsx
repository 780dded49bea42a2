import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '#web/api/session.ts';
import { keepSendingPractice } from '#features/practice/log/web/send-practice.ts';
import { LeftOnDevice } from './left-on-device.tsx';
import { leaveSending, sendWaiting } from '#features/recordings/web/sending.ts';

/**
 * Mounted beside every page: sends what is queued on this device, and shows what is left there, except on the page
 * that offers it.
 */
export default function StoredTakes() {
  const { id, keepsPracticeLog } = useUser();
  useEffect(() => {
    sendWaiting(id);
    return leaveSending;
  }, [id]);
  useEffect(() => {
    if (!keepsPracticeLog) return;
    return keepSendingPractice(id);
  }, [id, keepsPracticeLog]);
  return useLocation()[0] !== '/submit' && <LeftOnDevice />;
}
