import type { Answer } from '../../../platform/web/call.ts';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { noticeMessage } from './notice-messages.ts';

export default function NoticeList({ notices }: { notices: Answer<'GET /api/admin/notices'> }) {
  return (
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
  );
}
