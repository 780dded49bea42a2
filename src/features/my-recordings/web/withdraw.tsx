import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, sentenceOf } from '#web/api/call.ts';
import { useSettings } from '#web/api/page-data.ts';
import { refresh } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import type { Recording } from '#features/recordings/contract.ts';

/** Withdraws a recording that has not been answered, after confirmation. */
export function Withdraw({ recording: { id, title } }: { recording: Pick<Recording, 'id' | 'title'> }) {
  const { teacherTitle } = useSettings();
  const [isAsking, setIsAsking] = useState(false);
  const withdrawal = useMutation({
    mutationFn: () => call('DELETE /api/recordings/{id}', { params: { id } }),
    meta: { refreshes: ['/api/student/recordings', '/api/recordings'] },
    onSuccess: () => toast({ title: 'Recording withdrawn' }),
    onError(error) {
      const isAnswered = error.status === 409;
      toast({
        title: isAnswered ? 'It has been answered meanwhile' : 'Failed to withdraw recording.',
        description: isAnswered
          ? `${teacherTitle} has answered this recording, so it stays. You find the answer under View Feedback.`
          : sentenceOf(error, 'Please try again.'),
        variant: 'destructive',
      });
      if (isAnswered || error.status === 404)
        refresh(['/api/student/recordings', '/api/recordings', '/api/feedback']);
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <>
      <Button variant="quiet" aria-label={`Withdraw ${title}`} onClick={() => setIsAsking(true)}>
        Withdraw
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Withdraw this recording?"
        note={`${teacherTitle} will not hear it, and it is deleted for good.`}
        confirmLabel="Withdraw"
        cancelLabel="Keep it"
        isDangerous
        busy={withdrawal.isPending}
        onConfirm={() => withdrawal.mutate()}
      />
    </>
  );
}
