import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { usePageSettings } from '#web/api/page-data.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import type { Feedback } from '#features/feedback/contract.ts';
import { GivenFeedback } from '#features/feedback/web/given-feedback.tsx';
import { MarkedRecording } from '#features/feedback/web/marks/marked-recording.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { parseIdParameter } from '#features/recordings/web/practice-paths.ts';

/**
 * Returns the feedback on the recording in the URL. If it has none, returns the feedback on the student's
 * newest answered recording of the same melody, or null. While `isAwaited`, callers must not show anything
 * below the feedback, because it would move when the feedback appears.
 */
export function usePreviousFeedback(): { feedback: Feedback | null; isAwaited: boolean } {
  const [search] = useSearchParams();
  const recordingId = parseIdParameter(search.get('after-recording'));
  const { data, isLoading } = useQuery({
    ...createApiQuery('GET /api/recordings/{id}/latest-feedback', { params: { id: recordingId ?? 0 } }),
    enabled: recordingId !== null,
  });
  return { feedback: data?.feedback ?? null, isAwaited: isLoading };
}

/**
 * The teacher's feedback on an earlier attempt, to keep in mind while singing the next one. It can be
 * collapsed.
 */
export function PreviousFeedback({ feedback }: { feedback: Feedback }) {
  const { teacherTitle } = usePageSettings();
  const { recording, createdAt } = feedback;
  return (
    <details open className="group mb-5 rounded-lg border border-saffron bg-surface">
      <summary className="flex min-h-12 list-none items-center gap-2 rounded-lg px-4 py-2 [&::-webkit-details-marker]:hidden">
        <h2 className="min-w-0 grow text-lg">{teacherTitle}’s feedback</h2>
        <ChevronDown className="size-5 shrink-0 group-open:rotate-180" />
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-4">
        <p className="-mt-1 text-sm text-soft">
          On <span {...getLangProps(recording.title)}>{recording.title}</span>, <TimeAgo time={createdAt} />
        </p>
        <FeedbackText feedback={feedback} />
      </div>
    </details>
  );
}

function FeedbackText({ feedback }: { feedback: Feedback }) {
  const { recording, marks, voices } = feedback;
  const { teacherTitle } = usePageSettings();
  return (
    <>
      <GivenFeedback feedback={feedback} title={recording.title} />
      {marks.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h3 className="font-sans text-sm font-semibold">That recording, with {teacherTitle}’s comments</h3>
          <MarkedRecording
            {...{ recording, marks, voices }}
            title={`Your recording of ${recording.title}`}
            leadsToMelody
          />
        </div>
      )}
    </>
  );
}
