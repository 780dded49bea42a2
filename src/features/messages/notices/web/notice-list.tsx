import { useMutation } from '@tanstack/react-query';
import { type ApiResponse, callApi, getErrorMessage } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { DISMISSIBLE_NOTICE_KINDS } from '../limits.ts';
import { getNoticeMessage } from './notice-messages.ts';

type NoticeItem = ApiResponse<'GET /api/admin/notices'>[number];

export default function NoticeList({ notices }: { notices: NoticeItem[] }) {
  return (
    <section aria-label="About this server" className="mb-6 grid max-w-3xl gap-3">
      {notices.map((notice) => {
        const { title, text } = getNoticeMessage(notice);
        const dismissible = DISMISSIBLE_NOTICE_KINDS.find((kind) => kind === notice.kind);
        return (
          <Notice key={notice.kind} tone="amber" title={title} isQuiet>
            <p>{text}</p>
            {dismissible && <HideButton kind={dismissible} />}
          </Notice>
        );
      })}
    </section>
  );
}

/** Button that hides a notice. The server shows the notice again after three months. */
function HideButton({ kind }: { kind: (typeof DISMISSIBLE_NOTICE_KINDS)[number] }) {
  const hide = useMutation({
    mutationFn: () => callApi('DELETE /api/admin/notices/{kind}', { params: { kind } }),
    meta: { refreshes: ['/api/admin/notices'] },
    // Moves focus to the content, because the focused button disappears.
    onSuccess: () => document.getElementById('content')?.focus({ preventScroll: true }),
  });
  return (
    <>
      <Button variant="quiet" busy={hide.isPending} onClick={() => hide.mutate()} className="-ms-4 mt-1">
        Hide for three months
      </Button>
      {hide.isError && (
        <p role="alert" className="text-danger">
          {getErrorMessage(hide.error, 'This couldn’t be hidden. Please try again.')}
        </p>
      )}
    </>
  );
}
