import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ExactDate } from '#web/ui/time-ago.tsx';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { OwnAgreement } from '../contract.ts';
import { MarkedRecording } from '#features/feedback/web/marks/marked-recording.tsx';

/** A passage that the student shares, with a button to stop sharing it after a confirmation. */
export function SharedPassageCard({ agreement }: { agreement: OwnAgreement }) {
  const { id, recording, noteText, name, answeredAt } = agreement;
  const headingId = useId();
  const [isConfirming, setIsConfirming] = useState(false);
  const revoke = useMutation({
    mutationFn: () => callApi('POST /api/agreements/{id}/revoke', { params: { id } }),
    meta: { refreshes: ['/api/agreements', '/api/melodies'] },
    onSuccess: () => {
      setIsConfirming(false);
      toast({ title: 'No longer shared' });
    },
  });
  return (
    <Card as="article" aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h3 id={headingId} {...getLangProps(recording.title)} className="font-serif text-lg break-words">
          {recording.title}, {formatMarkTime(agreement)}
        </h3>
        <p className="text-sm text-soft">
          {answeredAt && (
            <>
              Shared since <ExactDate time={answeredAt} />,{' '}
            </>
          )}
          {name === null ? 'without your name' : `with your name, ${name}`}
        </p>
      </div>
      {noteText && (
        <p {...getLangProps(noteText)} className="measure font-serif break-words whitespace-pre-line">
          {noteText}
        </p>
      )}
      <SharedPassagePlayer agreement={agreement} />
      <Button onClick={() => setIsConfirming(true)} className="justify-self-start">
        Stop sharing
      </Button>
      <ConfirmDialog
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        sentence="Stop sharing this passage?"
        note="After that, nobody can hear it, and the shared copy is deleted. Your recording stays."
        failure={revoke.error && getErrorMessage(revoke.error, 'That didn’t work. Please try again.')}
        confirmLabel="Stop sharing"
        isDangerous
        busy={revoke.isPending}
        onConfirm={revoke.mutate}
      />
    </Card>
  );
}

/** The passage within the student's own recording. Pressing it plays only the passage. */
export const SharedPassagePlayer = ({ agreement }: { agreement: OwnAgreement }) => {
  const { id, start, end, recording } = agreement;
  return (
    <MarkedRecording
      recording={{ ...recording, id, melodyId: null }}
      marks={[{ start, end, text: 'This passage' }]}
      title={`Your recording of ${recording.title}`}
    />
  );
};
