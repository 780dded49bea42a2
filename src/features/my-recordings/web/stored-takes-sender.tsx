import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '#web/api/session.ts';
import { startSendingPractice } from '#features/practice/log/web/send-practice.ts';
import { UnsentRecordingsNotice } from './unsent-recordings-notice.tsx';
import { scheduleStopSendingTakes, startSendingTakes } from '#features/recordings/web/take-sending.ts';

/**
 * Sends the recordings queued and the practice counted on this device. Also shows a notice about unsent
 * recordings, except on the submit page, which offers them itself. Mounted beside every page.
 */
export default function StoredTakesSender() {
  const { id, keepsPracticeLog } = useUser();
  useEffect(() => {
    startSendingTakes(id);
    return scheduleStopSendingTakes;
  }, [id]);
  useEffect(() => {
    if (!keepsPracticeLog) return;
    return startSendingPractice(id);
  }, [id, keepsPracticeLog]);
  return useLocation()[0] !== '/submit' && <UnsentRecordingsNotice />;
}
