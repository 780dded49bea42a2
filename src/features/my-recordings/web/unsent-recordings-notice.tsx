import { X } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { getTakeStore, useTakes } from '#features/recordings/web/takes/use-takes.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { useAbandonedTake } from './submit/use-abandoned-take.ts';
import { SUBMISSION_PURPOSE } from '#features/recordings/web/queue-recording.ts';
import { useTakeSenderSnapshot } from '#features/recordings/web/take-sending.ts';

/**
 * A notice on any page about recordings that are stuck on this device, with a link to where they can be sent.
 * It is fixed at the bottom of the screen, so that nothing moves under the user's finger.
 */
export function UnsentRecordingsNotice() {
  const left = useUnsentRecordings();
  const [putAway, setPutAway] = useState<string | null>(null);
  const shown = left.map(({ id }) => id).join();
  const oldest = left[0];
  if (!oldest || shown === putAway) return null;
  const age = <TimeAgo time={new Date(oldest.createdAt).toISOString()} />;
  const isOne = left.length === 1;
  return (
    <section
      role="status"
      aria-label="Unsent recording"
      className="shadow-lg fixed inset-x-3 bottom-3 z-20 flex items-center gap-2 rounded-lg border border-saffron bg-surface py-2 ps-4 pe-1 sm:mx-auto sm:max-w-xl lg:start-67"
    >
      <p className="min-w-0 grow text-sm">
        {isOne ? (
          <>
            You have an unsent recording, made {age}. {stateMessages[oldest.state]}
          </>
        ) : (
          <>You have unsent recordings on this device. The oldest was made {age}.</>
        )}
      </p>
      <ButtonLink href="/submit" className="shrink-0 px-3!">
        {!isOne ? 'Show them' : isUnsubmitted(oldest) ? 'Listen to it' : 'Show it'}
      </ButtonLink>
      <IconButton label="Not now" icon={<X />} onClick={() => setPutAway(shown)} />
    </section>
  );
}

const NOT_SUBMITTED = 'It’s saved on this device.';
const stateMessages: Record<StoredRecording['state'], string> = {
  recording: NOT_SUBMITTED,
  recorded: NOT_SUBMITTED,
  queued: 'It hasn’t reached your teacher yet.',
  refused: 'The server didn’t accept it.',
};

const isUnsubmitted = ({ state }: StoredRecording) => state === 'recording' || state === 'recorded';

/**
 * Returns this user's rejected and stuck recordings and the oldest abandoned one, oldest first. On Past
 * Recordings, which lists the others itself, returns only the abandoned one.
 */
function useUnsentRecordings(): readonly StoredRecording[] {
  const takes = useTakes(SUBMISSION_PURPOSE) ?? [];
  const [abandoned] = useAbandonedTake(true, nullUnlessSoundStored);
  const { blockedBy, fraction } = useTakeSenderSnapshot();
  const isStuck = blockedBy !== null && fraction === 0;
  const isListed = useLocation()[0] === '/past-recordings';
  return takes.filter(
    ({ id, state }) =>
      id === abandoned?.id || (!isListed && (state === 'refused' || (state === 'queued' && isStuck))),
  );
}

const nullUnlessSoundStored = async (take: StoredRecording) =>
  (await getTakeStore().hasSound(take)) ? take : null;
