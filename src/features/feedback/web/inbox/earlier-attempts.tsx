import type { Recording } from '../../../recordings/contract.ts';
import { AttemptEntry } from '../attempt-entry.tsx';
import { Disclosure } from '../disclosure.tsx';
import { Thread } from '../thread.tsx';

/** What the student sang of this melody before, and what was answered then. */
export function EarlierAttempts({ recording: { id, attempt } }: { recording: Recording }) {
  if (attempt === null || attempt < 2) return null;
  return (
    <Disclosure label={attempt === 2 ? 'The attempt before' : `The ${attempt - 1} attempts before`}>
      {() => (
        <Thread recordingId={id}>
          {(entries) => (
            <ol className="grid grid-cols-[minmax(0,1fr)] gap-6">
              {entries
                .filter(({ recording }) => recording.id < id)
                .map((entry, index) => (
                  <AttemptEntry key={entry.recording.id} {...{ entry }} number={index + 1} hasSpeed />
                ))
                .reverse()}
            </ol>
          )}
        </Thread>
      )}
    </Disclosure>
  );
}
