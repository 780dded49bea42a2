import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { noticeMessage } from './notice-messages.ts';

/**
 * Notices about the installation itself, above every page until resolved. They appear and disappear by themselves,
 * without moving focus.
 */
export function Notices() {
  const { data: notices = [] } = useQuery(apiQuery('GET /api/admin/notices'));
  return (
    // Rendered from the start, so that a screen reader announces later notices.
    <div role="status">
      {notices.length > 0 && (
        <section aria-label="About this server" className="mb-6 grid max-w-3xl gap-3">
          {notices.map((notice) => {
            const { title, text } = noticeMessage(notice);
            return (
              <Notice key={notice.kind} tone="amber" title={title} isQuiet>
                <p>{text}</p>
              </Notice>
            );
          })}
        </section>
      )}
    </div>
  );
}
