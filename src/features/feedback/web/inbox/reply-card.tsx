import { clsx } from 'clsx';
import {
  type ComponentType,
  memo,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useId,
} from 'react';
import { PlayButton } from '#web/audio-ui/playback/play-button.tsx';
import { formatDisplayName, useUser } from '#web/api/session.ts';
import { Card } from '#web/ui/card.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import { StudentMessage } from '#features/recordings/web/student-message.tsx';
import type { Draft, Mark } from '#features/feedback/contract.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { removeRecordingOfReply, storeRecordingOfReply } from './orphaned/use-orphaned-replies.ts';
import { OtherDrafts } from '../draft/other-drafts.tsx';
import { isEmptyReply, type WrittenReply } from '../draft/written-reply.ts';
import { OrphanedReply } from './orphaned/orphaned-reply.tsx';
import { ReplyForm, type ReplyFormActions } from './reply/reply-form.tsx';
import { RecordingHeading } from './recording-heading.tsx';
import { focusCard, getCardHeadingId } from './inbox-focus.ts';
import type { InboxCommand } from './keys/shortcuts.ts';
import { RecordingPlayer } from './listening/recording-editor.tsx';
import { useRecordingPlayback } from './listening/use-recording-playback.ts';
import { MarksEditor } from '../marks/marks-editor.tsx';
import { useMarking } from '../marks/use-marking.ts';
import { useReplyDraft } from '../draft/use-reply-draft.ts';
import { useSendReply } from './reply/use-send-reply.ts';
import { SpokenFeedbackInput } from '../spoken-feedback-input.tsx';
import { getReplyTakePurpose, useAudioReply } from '../use-audio-reply.ts';
import { useSungLines } from './lines/use-sung-lines.ts';
import { AttemptEntry } from '../attempt-entry.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { MarkVoicePlayer } from '../voices/mark-voice-player.tsx';
import { useMarkVoices, type MarkVoices } from '../voices/use-mark-voices.ts';
import { AttemptThread } from '../attempt-thread.tsx';
import { AudioLines } from 'lucide-react';

/** A request to open a card and run commands there. Each request is a new object. */
export type OpenCardRequest = { id: number; commands: readonly InboxCommand[] };

/** Callbacks from the cards to the inbox. The object stays the same on every render. */
export type InboxCardCallbacks = {
  open(id: number, ...commands: InboxCommand[]): void;
  /** Reports whether the card contains anything that must not be lost. */
  reportInUse(id: number, isUsed: boolean): void;
  /** Reports a summary of the unsent reply in a closed card; empty if there is none. */
  reportBegunText(id: number, words: string): void;
  /** Reports that the reply was sent or discarded. */
  reportDone(id: number, isSent: boolean): void;
  openSnoozeDialog(id: number): void;
  /**
   * Registers the handler of keyboard commands for the card.
   * @returns a function that unregisters the handler
   */
  register(id: number, onCommand: (command: InboxCommand) => void): () => void;
};

/** Component that shows a recording's melody on its card. */
export type SungMelodyComponent = ComponentType<{ melodyId: number }>;

type ReplyCardProps = {
  recording: Recording;
  draft: Draft | undefined;
  /** Whether the recording is no longer pending, because it was answered elsewhere or withdrawn. */
  isGone: boolean;
  /** Whether the card is expanded, with its player and its form. */
  isOpen: boolean;
  opening: OpenCardRequest | null;
  /**
   * The recording of the next card, or of the previous card if this is the last; null if this is the only card.
   */
  next: Recording | null;
  /** Button that opens the list of recordings, on narrow screens. */
  list: ReactNode;
  registry: InboxCardCallbacks;
  SungMelody: SungMelodyComponent;
};

/**
 * Card for a pending recording: its student, title and audio, and the form to answer it. A collapsed card takes
 * as little height as possible and keeps its unsent reply.
 */
export const ReplyCard = memo(function ReplyCard({
  recording,
  registry,
  next,
  SungMelody,
  ...props
}: ReplyCardProps) {
  const { id, title, student, message, melodyId } = recording;
  const draft = useReplyDraft(id, props.draft, props.isGone);
  const spoken = useAudioReply(getReplyTakePurpose(id));
  const sending = useSendReply(id);
  const sung = useSungLines(recording, props.isOpen, draft.written.marks.length > 0);
  const { lines, passages } = sung;
  const listening = useRecordingPlayback(recording, draft.written.marks, passages);
  const { audio } = listening;
  const voices = useMarkVoices({
    of: getReplyTakePurpose(id),
    marks: draft.written.marks,
    besides: draft.conflictingVersions.flatMap(({ marks }) => marks),
    onMarks: (marks) => draft.change({ marks }),
    audio,
    duration: recording.duration,
  });
  const canRecordVoice = !sending.isPending && !spoken.isRecording;
  const marking = useMarking({
    marks: draft.written.marks,
    onChange: voices.change,
    audio,
    duration: recording.duration,
  });
  const form = useRef<ReplyFormActions>(null);
  const voiceButton = useRef<HTMLButtonElement>(null);
  const isUsed =
    !isEmptyReply(draft.written) ||
    draft.conflictingVersions.length > 0 ||
    spoken.audio !== null ||
    spoken.isRecording ||
    voices.isOn;
  // If the recording is no longer pending because this card's reply was sent, it does not count as gone.
  const isGone = props.isGone && !sending.isPending && !sending.isSent;
  const isExpanded = props.isOpen || isGone;
  const [wasPending] = useState(!isGone);
  const [wasExpanded, setWasExpanded] = useState(isExpanded);
  if (isExpanded && !wasExpanded) setWasExpanded(true);
  // Stays mounted while a reply is in progress, because storing its audio and sending it may end only after
  // the card has closed.
  const isMounted = isExpanded || (wasExpanded && (isUsed || sending.isPending));

  useEffect(
    () => registry.reportInUse(id, isUsed || sending.isPending),
    [registry, id, isUsed, sending.isPending],
  );
  const begun = summarizeReply(draft.written, spoken.audio !== null || spoken.isRecording);
  useEffect(() => {
    if (!isExpanded) registry.reportBegunText(id, begun);
  }, [registry, id, isExpanded, begun]);
  const run = (command: InboxCommand) => {
    listening.runCommand(command);
    if (command === 'mark' && !isGone) marking.toggleMark();
    if (command === 'voice' && props.isOpen && !isGone && canRecordVoice) voices.begin('key');
    if (command === 'write') form.current?.focusText();
    if (command === 'phrase') form.current?.showPhraseList();
    if (command === 'record' && !voices.isOn) form.current?.record();
    if (command === 'send') form.current?.send();
  };
  useEffect(() => registry.register(id, run));
  useOpenRequest(props.opening, audio, run);
  useStopOnClose(isExpanded, audio, () => {
    if (spoken.activity === 'recording') form.current?.record();
    voices.end({ isClosing: true });
  });
  const userId = useUser().id;
  useStoreBegunRecording(recording, isUsed);
  const finish = (isSent: boolean) => {
    removeRecordingOfReply(userId, id);
    void draft.deleteDraft();
    if (isSent) spoken.clearAfterSending();
    else {
      spoken.choose(null);
      voices.clear();
    }
    registry.reportDone(id, isSent);
  };

  const name = formatDisplayName(student);
  const folded = message && (
    <div className="max-desk:-order-1">
      <CollapsibleText>
        <StudentMessage message={message} />
      </CollapsibleText>
    </div>
  );
  const melody = melodyId !== null && (
    <div className="empty:hidden">
      <SungMelody melodyId={melodyId} />
    </div>
  );
  return (
    <Card
      as="article"
      aria-labelledby={getCardHeadingId(id)}
      data-recording={id}
      tabIndex={-1}
      data-open={isExpanded || undefined}
      className={clsx(
        'relative min-w-0 scroll-mt-20 max-sm:p-4 lg:scroll-mt-4',
        // Hides closed cards on wide screens, where the list beside the open card replaces them.
        !isExpanded && 'px-4 py-3 sm:px-4 sm:py-3 lg:hidden',
        isExpanded &&
          !isGone &&
          'desk:flex desk:h-full desk:scroll-pb-60 desk:flex-col desk:overflow-y-auto desk:py-4',
      )}
    >
      <div className={isExpanded ? undefined : closedRowClasses}>
        {!isExpanded && (
          <PlayButton
            state="still"
            title={`${title}, ${name}`}
            onPress={() => registry.open(id, 'play')}
            className="max-sm:row-span-1"
          />
        )}
        <div className="min-w-0">
          <RecordingHeading recording={recording} isNew={!isGone} isClosed={!isExpanded} />
          {!isExpanded && message && (
            <p dir="auto" className="truncate text-sm text-soft italic">
              {message}
            </p>
          )}
        </div>
        {!isExpanded && (
          <div className="min-w-0 max-sm:col-span-2">
            <ReplySummary
              written={draft.written}
              hasSound={spoken.audio !== null || spoken.isRecording}
              onOpen={() => registry.open(id, 'write')}
            />
          </div>
        )}
      </div>
      {isMounted && (
        <div
          hidden={!isExpanded}
          className="mt-3 flex flex-col gap-3 desk:min-h-104 desk:flex-1 [&_*]:scroll-mb-32 desk:[&_*]:scroll-mb-0"
        >
          {draft.conflictingVersions.length > 0 && (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
              <OtherDrafts
                drafts={draft.conflictingVersions}
                onUse={draft.swapVersion}
                onDiscard={(other) => {
                  voices.removeVoicesOf(other.marks);
                  draft.discardVersion(other);
                }}
              />
            </div>
          )}
          {isGone ? (
            <>
              {folded}
              {melody}
              <OrphanedReply
                recording={recording}
                written={draft.written}
                hasSound={spoken.audio !== null || spoken.isRecording}
                takesFocus={wasPending && props.isOpen}
                onDiscard={() => finish(false)}
              />
              <UnsentVoices marks={draft.written.marks} voices={voices} />
              {(spoken.audio || spoken.isRecording) && (
                <div>
                  <SpokenFeedbackInput spoken={spoken} soundName="Audio response" />
                </div>
              )}
            </>
          ) : (
            <>
              <RecordingPlayer
                {...{ recording, sung, listening, marking, voices, voiceButton, canRecordVoice }}
                hasKeys
                isDisabled={sending.isPending}
              />
              <ReplyForm
                ref={form}
                {...{ recording, draft, lines, spoken, voices, sending, next }}
                sung={passages}
                list={props.list}
                onSnooze={() => registry.openSnoozeDialog(id)}
                onSent={() => finish(true)}
              >
                {folded}
                <MarksEditor
                  {...{ recording, marking, voices, lines, voiceButton }}
                  sung={passages}
                  isDisabled={sending.isPending}
                />
                {melody}
                <EarlierAttempts recording={recording} />
              </ReplyForm>
            </>
          )}
        </div>
      )}
    </Card>
  );
});

const closedRowClasses =
  'grid items-center gap-x-4 gap-y-2 grid-cols-[auto_minmax(0,1fr)] sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,18rem)]';

/**
 * Focuses a card that was opened, scrolls to it, and runs the requested commands. Commands that need the
 * card's audio element wait until the element is mounted.
 */
function useOpenRequest(
  opening: OpenCardRequest | null,
  audio: HTMLAudioElement | null,
  run: (command: InboxCommand) => void,
) {
  const last = useRef<{ opening: OpenCardRequest; left: readonly InboxCommand[] } | null>(null);
  useEffect(() => {
    if (!opening) return;
    if (last.current?.opening !== opening) {
      last.current = { opening, left: opening.commands };
      focusCard(opening.id);
    }
    const { left } = last.current;
    const waits = (command: InboxCommand) => audio === null && (command === 'play' || command === 'mark');
    last.current.left = left.filter(waits);
    for (const command of left) if (!waits(command)) run(command);
  });
}

/** Stops playback and recording when a card closes. What has been recorded is kept. */
function useStopOnClose(isWhole: boolean, audio: HTMLAudioElement | null, endRecording: () => void) {
  const end = useEffectEvent(() => {
    audio?.pause();
    endRecording();
  });
  useEffect(() => {
    if (!isWhole) end();
  }, [isWhole]);
}

/**
 * Stores the recording's details (not its audio) on the device while its reply is unsent, in case the
 * recording is withdrawn.
 */
function useStoreBegunRecording(recording: Recording, isUsed: boolean) {
  const userId = useUser().id;
  const wasUsed = useRef(false);
  useEffect(() => {
    if (isUsed) storeRecordingOfReply(userId, recording);
    // If this card was never used, the details stay, because they may belong to a reply in another tab.
    else if (wasUsed.current) removeRecordingOfReply(userId, recording.id);
    wasUsed.current = isUsed;
  }, [userId, recording, isUsed]);
}

/** Lists the unsent voice comments on a recording that is gone, with players. */
function UnsentVoices({ marks, voices }: { marks: readonly Mark[]; voices: MarkVoices }) {
  const spoken = marks.flatMap((mark) => (mark.voice ? [{ ...mark, voice: mark.voice }] : []));
  if (spoken.length === 0) return null;
  return (
    <ul aria-label="Unsent voice comments" className="mt-4 flex flex-wrap gap-3">
      {spoken.map((mark) => (
        <li key={mark.voice} className="flex items-center gap-2 text-sm">
          <span className="tabular-nums">{formatMarkTime(mark)}</span>
          <MarkVoicePlayer voice={voices.getLocation(mark.voice)} place={formatMarkTime(mark)} />
        </li>
      ))}
    </ul>
  );
}

/** Lists the student's earlier attempts at this melody, with their feedback. */
function EarlierAttempts({ recording: { id, attempt } }: { recording: Recording }) {
  if (attempt === null || attempt < 2) return null;
  return (
    <Disclosure label={attempt === 2 ? 'Previous recording' : `${attempt - 1} previous recordings`}>
      {() => (
        <AttemptThread recordingId={id}>
          {(entries, list) => (
            <ol ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-6">
              {entries
                .filter(({ recording }) => recording.id < id)
                .map((entry) => <AttemptEntry key={entry.recording.id} {...{ entry }} hasSpeed />)
                .reverse()}
            </ol>
          )}
        </AttemptThread>
      )}
    </Disclosure>
  );
}

/** Collapses long content to four lines (two on wide screens), with a button to show all of it. */
function CollapsibleText({ children }: { children: ReactNode }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isLong, setIsLong] = useState(false);

  useEffect(() => {
    const element = box.current;
    if (!element || isOpen) return;
    const updateIsLong = () => setIsLong(element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(updateIsLong);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);

  return (
    <div>
      <div id={id} ref={box} className={isOpen ? undefined : 'line-clamp-4 desk:line-clamp-2'}>
        {children}
      </div>
      {(isLong || isOpen) && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="link inline-flex min-h-11 items-center text-sm font-semibold"
        >
          {isOpen ? 'Show less' : 'Show more'}
        </button>
      )}
    </div>
  );
}

type ReplySummaryProps = { written: WrittenReply; hasSound: boolean; onOpen: () => void };

/** One-line summary of the reply in a collapsed card. Pressing it opens the form. */
function ReplySummary({ written, hasSound, onOpen }: ReplySummaryProps) {
  const { text, marks } = written;
  const begun = text.trim() || (isEmptyReply(written) ? '' : formatCommentCount(marks.length));
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-12 w-full min-w-0 items-center gap-2 rounded-md border border-edge bg-surface px-3 py-2 text-start text-sm hover:bg-sunk"
    >
      <span className="font-semibold">Written feedback</span>
      {begun !== '' && (
        <span dir="auto" className="min-w-0 grow basis-0 truncate text-soft">
          {begun}
        </span>
      )}
      {hasSound && (
        <span className="ms-auto inline-flex shrink-0 items-center gap-1 text-soft">
          <AudioLines aria-hidden="true" className="size-4" />
          Audio response
        </span>
      )}
    </button>
  );
}

function summarizeReply(written: WrittenReply, hasSound: boolean) {
  const words =
    written.text.trim() || (isEmptyReply(written) ? '' : formatCommentCount(written.marks.length));
  return [words, hasSound && 'Audio response'].filter(Boolean).join(' · ');
}

const formatCommentCount = (count: number) => (count === 1 ? '1 comment' : `${count} comments`);
