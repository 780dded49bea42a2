import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { useForm } from '#web/forms/use-form.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ExactDate } from '#web/ui/time-ago.tsx';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { OwnAgreement } from '../contract.ts';
import { MAX_SIGNATURE_LENGTH } from '../limits.ts';
import { SharedPassagePlayer } from './shared-passage.tsx';

const REFRESHES = ['/api/agreements'] as const;

/**
 * Asks the student whether a passage may be shared. Shows what would be heard and by whom, and takes the
 * written agreement.
 */
export function AgreementQuestion({ agreement }: { agreement: OwnAgreement }) {
  const { id, recording, noteText, wantsName, nameToShow, answeredAt } = agreement;
  const { teacherTitle } = usePageSettings();
  const headingId = useId();
  const [signature, setSignature] = useState('');
  const [withName, setWithName] = useState(false);
  const params = { id };
  const agree = useMutation({
    mutationFn: (typed: { signature: string }) =>
      callApi('POST /api/agreements/{id}/agree', { params, body: { ...typed, withName, noteText } }),
    meta: { refreshes: REFRESHES },
    onSuccess: () => toast({ title: 'Passage shared' }),
    onError: (error) => {
      form.showServerErrors(error);
      // Refetches the question, so that the student can read what has changed.
      refreshQueries(REFRESHES);
    },
  });
  const decline = useMutation({
    mutationFn: () => callApi('POST /api/agreements/{id}/decline', { params }),
    meta: { refreshes: REFRESHES },
    onSuccess: () => toast({ title: 'Not shared' }),
  });
  // Stays busy after the answer, because the question is shown until the list has been refetched.
  const isBusy = [agree, decline].some(({ isPending, isSuccess }) => isPending || isSuccess);
  const failed = agree.error ?? decline.error;
  const form = useForm({
    values: { signature: signature.trim() },
    schema: async () => (await import('../contract.ts')).agreementsApi.agree.body.pick({ signature: true }),
    onValid: (typed) => {
      if (!isBusy) agree.mutate(typed);
    },
  });
  return (
    <Card as="article" aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="grid gap-2">
        <h3 id={headingId} className="font-serif text-lg">
          May others hear a passage of your recording?
        </h3>
        {answeredAt && (
          <Notice isQuiet title="Please answer again">
            You agreed to this on <ExactDate time={answeredAt} />. Since then the server was restored from a
            backup, so if you changed your mind later, we may not know. Until you agree again, nobody can hear
            the passage.
          </Notice>
        )}
        <p className="measure">
          {teacherTitle} would like everyone who practises “
          <span {...getLangProps(recording.title)}>{recording.title}</span>” to hear how you sing one passage
          of it, next to {noteText ? 'this note:' : 'a note.'}
        </p>
        {noteText && (
          <blockquote
            {...getLangProps(noteText)}
            className="measure border-s-4 border-saffron ps-4 font-serif break-words whitespace-pre-line"
          >
            {noteText}
          </blockquote>
        )}
      </div>
      <SharedPassagePlayer agreement={agreement} />
      <ul className="measure list-disc ps-5">
        <li>
          Only this passage will be heard,{' '}
          <span className="whitespace-nowrap">{formatMarkTime(agreement)}</span>, nothing else from your
          recording.
        </li>
        <li>Everyone who has this melody can hear it, now and later. So can the teachers.</li>
        <li>
          {wantsName ? `Your name, ${nameToShow}, appears only if you choose.` : 'Your name isn’t shown.'}
        </li>
        <li>You can stop sharing here at any time. After that, nobody can hear it.</li>
      </ul>
      <form {...form.props} className="grid gap-4">
        {wantsName && (
          <Checkbox
            label={`Show my name, ${nameToShow}`}
            checked={withName}
            onChange={({ target }) => setWithName(target.checked)}
          />
        )}
        <TextField
          name="signature"
          label="To agree, type your name"
          hint="It is saved with today’s date. Only you and the teachers can see it."
          autoComplete="name"
          limit={MAX_SIGNATURE_LENGTH}
          value={signature}
          error={form.problems.signature}
          onChange={({ target }) => setSignature(target.value)}
          className="max-w-md"
        />
        {failed && !form.isShownAtField && (
          <ErrorText>{getErrorMessage(failed, 'That didn’t work. Please try again.')}</ErrorText>
        )}
        <div className="flex flex-col gap-3 sm:flex-row">
          <Button busy={decline.isPending} onClick={() => !isBusy && decline.mutate()}>
            No, don’t share it
          </Button>
          <Button type="submit" variant="primary" busy={agree.isPending}>
            I agree
          </Button>
        </div>
      </form>
    </Card>
  );
}
