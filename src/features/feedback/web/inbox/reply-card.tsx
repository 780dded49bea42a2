import { memo, useEffect, useRef, useState } from 'react';
import { AudioPlayer } from '../../../../platform/web/audio-ui/playback/audio-player.tsx';
import { togglePlayback } from '../../../../platform/web/audio-ui/playback/use-playback.ts';
import { displayName, useUser } from '../../../../platform/web/session.ts';
import { Card } from '../../../../platform/web/ui/card.tsx';
import type { Recording } from '../../../recordings/contract.ts';
import { StudentMessage } from '../../../recordings/web/student-message.tsx';
import type { Draft } from '../../contract.ts';
import { forgetBegun, keepBegun } from './begun-recordings.ts';
import { DraftBesides } from '../draft/draft-besides.tsx';
import { isNothing } from '../draft/draft.ts';
import { OrphanedReply } from './orphaned-reply.tsx';
import { MarksEditor } from '../marks/marks-editor.tsx';
import { ReplyForm, type ReplyKeys } from './reply-form.tsx';
import { ReplyHeading } from './reply-heading.tsx';
import { headingIdOf } from './card-anchors.ts';
import type { Command } from './shortcuts.ts';
import { SungMelody } from './sung-melody.tsx';
import { useMarking } from '../marks/use-marking.ts';
import { useReplyDraft } from '../draft/use-reply-draft.ts';
import { useSendReply } from './use-send-reply.ts';
import { SpokenSource } from '../spoken-source.tsx';
import { useAudioReply } from '../use-audio-reply.ts';
import { useTimedLines } from '../marks/use-timed-lines.ts';
import { AttemptEntry } from '../attempt-entry.tsx';
import { Disclosure } from '../disclosure.tsx';
import { Thread } from '../thread.tsx';

/** A card's callbacks to the inbox; a stable object. */
export type CardRegistry = {
  /** Reports whether the card holds anything that must not be lost. */
  use(id: number, isUsed: boolean): void;
  /** The reply has been sent or dismissed. */
  release(id: number): void;
  /** Handles keyboard commands for the card. @returns unregisters */
  register(id: number, onCommand: (command: Command) => void): () => void;
};

type ReplyCardProps = {
  recording: Recording;
  draft: Draft | undefined;
  /** No longer pending: answered elsewhere, or withdrawn. */
  isGone: boolean;
  /** The next card's student; null when this is the last one. */
  next: string | null;
  registry: CardRegistry;
};

/** One pending recording: its student, title and sound, and the form to answer it. */
export const ReplyCard = memo(function ReplyCard({ recording, registry, next, ...props }: ReplyCardProps) {
  const { id, title, student, message, melodyId } = recording;
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const draft = useReplyDraft(id, props.draft, props.isGone);
  const spoken = useAudioReply(`reply ${id}`);
  const sending = useSendReply(id);
  const marking = useMarking({
    marks: draft.written.marks,
    onChange: (marks) => draft.change({ marks }),
    audio,
    duration: recording.duration,
  });
  const lines = useTimedLines(melodyId, draft.written.marks.length > 0);
  const form = useRef<ReplyKeys>(null);
  const isUsed =
    !isNothing(draft.written) || draft.besides.length > 0 || spoken.audio !== null || spoken.isRecording;
  // While a reply is being sent from here, the recording is expected to become answered.
  const isGone = props.isGone && !sending.isPending && !sending.isSent;

  useEffect(() => registry.use(id, isUsed || sending.isPending), [registry, id, isUsed, sending.isPending]);
  useEffect(() =>
    registry.register(id, (command) => {
      if (command === 'play' && audio) togglePlayback(audio);
      if (command === 'mark' && !isGone) marking.mark();
      if (command === 'write') form.current?.write();
      if (command === 'record') form.current?.record();
      if (command === 'send') form.current?.send();
    }),
  );
  const userId = useUser().id;
  useBegun(recording, isUsed);
  const finish = () => {
    forgetBegun(userId, id);
    void draft.forget();
    spoken.choose(null);
    registry.release(id);
  };

  const name = displayName(student);
  return (
    <Card
      as="article"
      aria-labelledby={headingIdOf(id)}
      data-recording={id}
      tabIndex={-1}
      className="min-w-0 scroll-mt-20 lg:scroll-mt-4"
    >
      <ReplyHeading recording={recording} isNew={!isGone} />
      {melodyId !== null && (
        <div className="mt-1 empty:hidden">
          <SungMelody melodyId={melodyId} />
        </div>
      )}
      {message && (
        <div className="mt-4">
          <StudentMessage message={message} />
        </div>
      )}
      {draft.besides.length > 0 && (
        <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-3">
          <DraftBesides besides={draft.besides} onUse={draft.use} onPutAway={draft.putAway} />
        </div>
      )}
      {isGone ? (
        <>
          <OrphanedReply
            recording={recording}
            written={draft.written}
            hasSound={spoken.audio !== null || spoken.isRecording}
            onPutAway={finish}
          />
          {(spoken.audio || spoken.isRecording) && (
            <div className="mt-4">
              <SpokenSource spoken={spoken} soundName="Audio response" />
            </div>
          )}
        </>
      ) : (
        <>
          <div className="mt-3 empty:hidden">
            <EarlierAttempts recording={recording} />
          </div>
          <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4 rounded-md border border-line p-4">
            <AudioPlayer
              {...{ id }}
              sound={{ name: recording.audioUrl, copies: recording.audioCopies }}
              title={`${title}, ${name}`}
              duration={recording.duration}
              peaks={recording.peaks}
              pins={draft.written.marks}
              onPin={(index) => marking.playFrom(draft.written.marks[index]!)}
              hasSpeed
              onAudio={setAudio}
            />
            <MarksEditor
              {...{ marking, lines }}
              duration={recording.duration}
              isDisabled={sending.isPending}
              shortcut="M"
            />
          </div>
          <ReplyForm ref={form} {...{ draft, lines, spoken, sending, next }} onSent={finish} />
        </>
      )}
    </Card>
  );
});

/** Keeps a copy of the recording on the device while a reply is begun, for the case that it is withdrawn. */
function useBegun(recording: Recording, isUsed: boolean) {
  const userId = useUser().id;
  const wasUsed = useRef(false);
  useEffect(() => {
    if (isUsed) keepBegun(userId, recording);
    // A reply begun in another tab is left alone.
    else if (wasUsed.current) forgetBegun(userId, recording.id);
    wasUsed.current = isUsed;
  }, [userId, recording, isUsed]);
}

/** The student's earlier attempts at this melody, with their feedback. */
function EarlierAttempts({ recording: { id, attempt } }: { recording: Recording }) {
  if (attempt === null || attempt < 2) return null;
  return (
    <Disclosure label={attempt === 2 ? 'The attempt before' : `The ${attempt - 1} attempts before`}>
      {() => (
        <Thread recordingId={id}>
          {(entries, list) => (
            <ol ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-6">
              {entries
                .filter(({ recording }) => recording.id < id)
                .map((entry) => <AttemptEntry key={entry.recording.id} {...{ entry }} hasSpeed />)
                .reverse()}
            </ol>
          )}
        </Thread>
      )}
    </Disclosure>
  );
}
