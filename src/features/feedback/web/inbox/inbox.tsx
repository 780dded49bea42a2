import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Ellipsis, Keyboard, ListChecks, MessageSquareText } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { type PagedListResult, getTotalCount } from '#web/navigation/paged-list.ts';
import { formatDisplayName, useUser } from '#web/api/session.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { libraryQuery } from '#features/melodies/web/library-query.ts';
import { PhrasesDialog } from '#features/feedback/phrases/web/phrases-dialog.tsx';
import type { PendingRecording } from '#features/recordings/contract.ts';
import { replyDraftsQuery } from '../draft/use-reply-draft.ts';
import { removeSentSounds, useHeldReplies, useOnHeldReplyGone } from './held/held-replies.ts';
import {
  getFocusedRecordingId,
  moveFocusFromFieldToCard,
  LOAD_MORE_FAILED_MESSAGE,
  useFocusNextCard,
  useLastFocusedCard,
} from './inbox-focus.ts';
import { getFacets, needsAllPages, applyInboxView, DEFAULT_INBOX_VIEW } from './view/inbox-view.ts';
import {
  PendingRecordingListButton,
  PendingRecordingList,
  LOAD_MORE_IN_LIST_ID,
} from './pending-recording-list.tsx';
import { SnoozeDialog } from './snooze/snooze-dialog.tsx';
import { useSnoozedRecordings, useSnooze } from './snooze/snooze.ts';
import { type InboxCardCallbacks, ReplyCard, type SungMelodyComponent } from './reply-card.tsx';
import { MAX_HELD_REPLIES, UNDO_WINDOW_SECONDS } from '#features/feedback/limits.ts';
import { ShortcutsDialog } from './keys/shortcuts-dialog.tsx';
import { BulkReplyForm } from './bulk/bulk-reply-form.tsx';
import { useBulkReply } from './bulk/use-bulk-reply.ts';
import { UndoBar, type UndoBarActions } from './held/undo-bar.tsx';
import { useInboxEntries, useOpenCard } from './use-inbox-entries.ts';
import {
  useSingleKeySetting,
  useAutoplayNextSetting,
  useInboxShortcuts,
} from './keys/use-inbox-shortcuts.ts';
import { InboxViewDialog } from './view/inbox-view-dialog.tsx';

type InboxProps = {
  pages: PagedListResult<PendingRecording> & { data: object };
  /** The pending recordings loaded so far. */
  pending: readonly PendingRecording[];
  /** Recordings answered elsewhere or withdrawn after a reply was begun. */
  orphaned: readonly PendingRecording[];
  /** Error shown above the recordings if refetching them failed. */
  failure: ReactNode;
  SungMelody: SungMelodyComponent;
};

/**
 * Shows a card with a reply form for every pending recording. One card is open. Wide screens also show a list
 * for jumping between the cards.
 */
export function Inbox({ pages, pending, orphaned, failure, SungMelody }: InboxProps) {
  const inbox = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const userId = useUser().id;
  const undoBar = useRef<UndoBarActions>(null);
  const [hasSingleKeys, setHasSingleKeys] = useSingleKeySetting();
  const [autoplaysNext, setAutoplaysNext] = useAutoplayNextSetting();
  const [isHelpShown, setIsHelpShown] = useState(false);
  const [isPhrasesShown, setPhrasesShown] = useState(false);
  const [view, setView] = useState(DEFAULT_INBOX_VIEW);
  // Reads the drafts here, so that a card that is shown again gets its draft in the same render.
  const drafts = useQuery(replyDraftsQuery).data;
  const held = useHeldReplies();
  const snoozedUntil = useSnoozedRecordings();
  const snooze = useSnooze();
  const [snoozeDialogId, setSnoozeDialogId] = useState<number | null>(null);
  const [snoozed, setSnoozed] = useState<Snoozed | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSnoozed(null), UNDO_WINDOW_SECONDS * 1_000);
    return () => clearTimeout(timer);
  }, [snoozed]);
  const bulkReply = useBulkReply();
  const bulkReplyForm = useRef<{ send(): void }>(null);
  const { entries, inUse, use, release, restore, commands } = useInboxEntries(pending, orphaned, held);
  const melodies = useQuery(libraryQuery).data;
  const all = useMemo(() => {
    const byId = new Map(melodies?.map((melody) => [melody.id, melody]));
    return entries.map((recording) => ({
      recording,
      facets: getFacets(recording, byId),
      isSnoozed: snoozedUntil.has(recording.id),
    }));
  }, [entries, melodies, snoozedUntil]);
  const shown = applyInboxView(view, all);
  const ids = shown.map(({ recording }) => recording.id);
  const isPending = useMemo(() => new Set(pending.map(({ id }) => id)), [pending]);
  useOnHeldReplyGone(held, (reply) => {
    restore(reply.recordingId);
    if (isPending.has(reply.recordingId)) undoBar.current?.openIfUndone(reply.recordingId);
    removeSentSounds(userId, reply).catch(() => undefined);
  });
  const { openId, opening, open } = useOpenCard(ids);
  useLoadAllPages(pages, needsAllPages(view));
  const [begun, setBegun] = useState<ReadonlyMap<number, string>>(new Map());
  const sent = useRef(new Set<number>());
  const cards = useMemo<InboxCardCallbacks>(
    () => ({
      reportInUse: use,
      reportDone(id, isSent) {
        if (isSent) {
          sent.current.add(id);
          setSnoozed(null);
        }
        release(id);
      },
      reportBegunText: (id, words) =>
        setBegun((before) => ((before.get(id) ?? '') === words ? before : new Map(before).set(id, words))),
      open,
      openSnoozeDialog: setSnoozeDialogId,
      register(id, onCommand) {
        commands.set(id, onCommand);
        return () => {
          if (commands.get(id) === onCommand) commands.delete(id);
        };
      },
    }),
    [use, release, open, commands],
  );
  const lastFocusedCard = useLastFocusedCard();
  useFocusNextCard(ids, lastFocusedCard, inbox, (next, left) => {
    if (autoplaysNext && sent.current.has(left)) open(next, 'write', 'play');
    else open(next);
  });

  useInboxShortcuts(hasSingleKeys, (command) => {
    if (command === 'help') {
      setIsHelpShown(true);
      return true;
    }
    if (command === 'leave') return moveFocusFromFieldToCard();
    if (command === 'undo') {
      undoBar.current?.undo();
      return held.length > 0 || snoozed !== null;
    }
    if (bulkReply.isShown) {
      if (command === 'send') bulkReplyForm.current?.send();
      return command === 'send';
    }
    // When a focused control is removed, focus falls back to the body. The card that had focus last then
    // still counts as focused.
    const focused =
      document.activeElement === document.body ? lastFocusedCard.current : getFocusedRecordingId();
    const at = ids.indexOf(focused ?? openId ?? -1);
    if (command === 'next' || command === 'previous') {
      // If focus is outside the cards, the first step goes to the open card.
      const step = focused === null ? 0 : command === 'next' ? 1 : -1;
      const to = ids[Math.max(0, at + step)];
      if (to === undefined) return loadMore();
      open(to);
      return true;
    }
    const id = ids[at];
    if (id === undefined) return false;
    if (command === 'several') bulkReply.show([id]);
    else if (command === 'later') {
      if (isPending.has(id)) setSnoozeDialogId(id);
    } else if (id === openId) commands.get(id)?.(command);
    else open(id, command);
    return true;
  });

  const snoozedCount = all.filter(({ isSnoozed }) => isSnoozed).length;
  const groupOf = (at: number) => {
    const nameAt = (index: number) => view.groupedBy && shown[index]?.facets[view.groupedBy].name;
    return nameAt(at) === nameAt(at - 1) ? null : nameAt(at);
  };
  const jump = {
    ...{ pages, openId, groupOf, onOpen: open },
    recordings: shown.map(({ recording }) => recording),
    getBegunText: (id: number) => begun.get(id) ?? '',
  };
  const isFilling = shown.length > 0 && !bulkReply.isShown;

  return (
    <div
      ref={inbox}
      tabIndex={-1}
      className={clsx(BESIDE_ACCOUNT_MENU_CLASSES, isFilling && fillWindowClasses)}
    >
      <PageHeading
        title="Student Submissions"
        isLow
        aside={
          <div className="flex max-w-full flex-wrap gap-3 desk:shrink-0">
            <InboxViewDialog
              {...{ view, autoplaysNext }}
              onView={setView}
              entries={all}
              onAutoplayChange={setAutoplaysNext}
            />
            <DropdownMenu
              trigger={(props) => (
                <IconButton
                  label="More"
                  aria-haspopup="menu"
                  icon={<Ellipsis />}
                  variant="secondary"
                  className="size-12"
                  {...props}
                />
              )}
            >
              <MenuItem icon={<ListChecks />} onSelect={() => bulkReply.show()}>
                Reply to several
              </MenuItem>
              <MenuItem icon={<MessageSquareText />} onSelect={() => setPhrasesShown(true)}>
                Phrases
              </MenuItem>
              <MenuItem icon={<Keyboard />} onSelect={() => setIsHelpShown(true)}>
                Keyboard shortcuts
              </MenuItem>
            </DropdownMenu>
            <PhrasesDialog isOpen={isPhrasesShown} onOpenChange={setPhrasesShown} />
            <ShortcutsDialog
              isOpen={isHelpShown}
              onOpenChange={setIsHelpShown}
              {...{ hasSingleKeys }}
              onSingleKeysChange={setHasSingleKeys}
            />
          </div>
        }
      >
        {formatWaitingCount(getTotalCount(pages.data) - held.length, snoozedCount)}
      </PageHeading>
      {failure && <div className="mb-5">{failure}</div>}
      {bulkReply.isShown && (
        <BulkReplyForm
          ref={bulkReplyForm}
          {...{ bulkReply }}
          recordings={shown.flatMap(({ recording }) => (isPending.has(recording.id) ? [recording] : []))}
          isBegun={(id) => inUse.has(id)}
          isHeld={(id) => held.some(({ recordingId }) => recordingId === id)}
          max={MAX_HELD_REPLIES - held.length}
          onLeave={(isSent) => {
            bulkReply.hide();
            const next = isSent ? ids.find((id) => !bulkReply.chosen.has(id)) : (openId ?? undefined);
            if (next === undefined) inbox.current?.focus();
            else open(next);
          }}
        />
      )}
      {bulkReply.isShown && shown.length === 0 ? null : shown.length === 0 && !pages.hasNextPage ? (
        entries.length === 0 ? (
          <EmptyState
            title="All Caught Up"
            action={<ButtonLink href="/past-feedback">Past Feedback</ButtonLink>}
          >
            New recordings from your students will appear here.
          </EmptyState>
        ) : (
          <EmptyState
            title="No recordings in this view"
            action={
              <Button onClick={() => setView({ ...DEFAULT_INBOX_VIEW, includesSnoozed: true })}>
                Show all
              </Button>
            }
          >
            Snoozed and filtered recordings are hidden.
          </EmptyState>
        )
      ) : (
        <div
          hidden={bulkReply.isShown}
          className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[17rem_minmax(0,1fr)] desk:min-h-0 desk:flex-1 desk:grid-rows-[minmax(0,1fr)]"
        >
          <PendingRecordingList {...jump} />
          <div className="relative desk:min-h-0 desk:overflow-y-auto desk:rounded-lg">
            <div
              ref={list}
              className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 desk:flex desk:h-full desk:flex-col desk:*:shrink-0"
            >
              {shown.map(({ recording }, index) => (
                <Fragment key={recording.id}>
                  {groupOf(index) && (
                    <p
                      dir="auto"
                      className="mt-3 text-sm font-semibold break-words text-soft first:mt-0 lg:hidden"
                    >
                      {groupOf(index)}
                    </p>
                  )}
                  <ReplyCard
                    recording={recording}
                    draft={drafts?.find(({ recordingId }) => recordingId === recording.id)}
                    isGone={!isPending.has(recording.id)}
                    isOpen={recording.id === openId && !bulkReply.isShown}
                    opening={opening?.id === recording.id ? opening : null}
                    next={(shown[index + 1] ?? shown[index - 1])?.recording ?? null}
                    list={recording.id === openId ? <PendingRecordingListButton {...jump} /> : null}
                    registry={cards}
                    SungMelody={SungMelody}
                  />
                </Fragment>
              ))}
            </div>
            <LoadMoreButton
              {...{ pages, list }}
              id={LOAD_MORE_ID}
              failure={LOAD_MORE_FAILED_MESSAGE}
              loadsByItself
              className="mt-6 lg:hidden"
            />
          </div>
        </div>
      )}
      <SnoozeDialog
        recording={entries.find(({ id }) => id === snoozeDialogId) ?? null}
        isSnoozed={snoozeDialogId !== null && snoozedUntil.has(snoozeDialogId)}
        onClose={() => setSnoozeDialogId(null)}
        onChoose={(recordingId, until) => {
          const at = ids.indexOf(recordingId);
          const next = ids[at + 1] ?? ids[at - 1];
          const before = snoozedUntil.get(recordingId) ?? null;
          snooze.mutate({ recordingId, until }, { onError: () => setSnoozed(null) });
          setSnoozed(until && { recordingId, until, before });
          if (until === null || view.includesSnoozed) open(recordingId);
          else if (next === undefined) inbox.current?.focus();
          else open(next);
        }}
      />
      <UndoBar
        ref={undoBar}
        held={bulkReply.isSending ? [] : held}
        {...{ bulkReply, snoozed }}
        onBringBack={() => {
          if (!snoozed) return;
          snooze.mutate({ recordingId: snoozed.recordingId, until: snoozed.before });
          setSnoozed(null);
          open(snoozed.recordingId);
        }}
        nameOf={(recordingId) => {
          const recording = pending.find(({ id }) => id === recordingId);
          return recording ? formatDisplayName(recording.student) : 'a student';
        }}
        onBack={(recordingId) => {
          sent.current.delete(recordingId);
          restore(recordingId);
          open(recordingId, 'write');
        }}
      />
    </div>
  );
}

/**
 * A snooze that can be undone. `before` is when the recording's previous snooze would have ended; null if there
 * was none.
 */
type Snoozed = { recordingId: number; until: Date; before: Date | null };

const LOAD_MORE_ID = 'more-recordings';

/** Puts the heading beside the account menu on wide screens, unless notices are shown above it. */
export const BESIDE_ACCOUNT_MENU_CLASSES = 'desk:[:empty+&]:-mt-14';

/** Fills the window on wide screens, where only the list and the open card scroll. */
const fillWindowClasses = 'desk:-mb-12 desk:flex desk:h-[calc(100dvh-2rem-1px)] desk:flex-col';

/**
 * Focuses and presses the “Load more” button, which moves focus to the first new recording when it has loaded.
 * @returns whether there are more recordings to load
 */
function loadMore() {
  const more = [LOAD_MORE_ID, LOAD_MORE_IN_LIST_ID]
    .map((id) => document.getElementById(id))
    .find((button) => button !== null && button.getClientRects().length > 0);
  more?.focus();
  more?.click();
  return more !== undefined;
}

/** Loads the whole list while it is filtered or grouped, because matches may be on later pages. */
function useLoadAllPages(
  { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: PagedListResult<PendingRecording>,
  wanted: boolean,
) {
  useEffect(() => {
    if (wanted && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [wanted, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}

// Formats the heading's count. The heading is not a live region, because the layout announces the count on
// every page.
function formatWaitingCount(count: number, aside: number) {
  const waiting =
    count <= 0 ? 'No recordings waiting' : `${count.toLocaleString('en')} waiting, oldest first`;
  return aside === 0 ? waiting : `${waiting}; ${aside} snoozed`;
}
