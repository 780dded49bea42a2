import { type CallError, sentenceOf } from '../../../platform/web/call.ts';
import { refresh } from '../../../platform/web/query-client.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { SEND_FAILED } from './use-send-reply.ts';

/** Why a reply did not go out, and what can be done; what was typed and sung is still in the form. */
export function ReplyFailure({ error }: { error: CallError }) {
  const isAnswered = error.status === 409;
  const isGone = error.status === 404;
  if (!isAnswered && !isGone) {
    return (
      <Notice tone="danger" title={SEND_FAILED}>
        {sentenceOf(error, 'The server did not say why.')} Your reply is still here.
      </Notice>
    );
  }
  return (
    <Notice
      tone="danger"
      title={isAnswered ? 'This recording has been answered already.' : 'This recording is no longer here.'}
    >
      <p>Your reply was not sent. Copy what you still need from it, then refresh the inbox.</p>
      <Button
        className="mt-3 mb-1"
        onClick={() => refresh(['/api/recordings/pending', '/api/admin/pending-recordings'])}
      >
        Refresh the inbox
      </Button>
    </Notice>
  );
}
