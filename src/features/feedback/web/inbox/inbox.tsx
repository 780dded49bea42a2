import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Pages } from '../../../../platform/web/pages.ts';
import { displayName } from '../../../../platform/web/session.ts';
import { EmptyState } from '../../../../platform/web/ui/empty-state.tsx';
import { ButtonLink } from '../../../../platform/web/ui/button.tsx';
import { LoadMore } from '../../../../platform/web/ui/load-more.tsx';
import type { Recording } from '../../../recordings/contract.ts';
import type { Draft } from '../../contract.ts';
import { areSame, inboxEntries } from './inbox-entries.ts';
import { JumpList } from './jump-list.tsx';
import { type CardRegistry, ReplyCard } from './reply-card.tsx';
import { goTo, headingIdOf, MORE_FAILED } from './card-anchors.ts';
import type { Command } from './shortcuts.ts';
import { useCurrentCard } from './use-current-card.ts';
import { useShortcuts } from './use-shortcuts.ts';

type InboxProps = {
  pages: Pages<Recording>;
  /** As far as they are loaded. */
  pending: readonly Recording[];
  /** Recordings answered elsewhere or withdrawn after a reply was begun. */
  orphaned: readonly Recording[];
  drafts: readonly Draft[];
  hasLetters: boolean;
  onHelp: () => void;
};

/** Every pending recording with its own form; on wide screens, beside a list to jump between them. */
export function Inbox({ pages, pending, orphaned, drafts, hasLetters, onHelp }: InboxProps) {
  const inbox = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { entries, cards, commands } = useEntries(pending, orphaned);
  const isPending = useMemo(() => new Set(pending.map(({ id }) => id)), [pending]);
  const ids = entries.map(({ id }) => id);
  const currentId = useCurrentCard(ids);
  useFocusOnTheNext(ids, inbox);

  useShortcuts(hasLetters, (command) => {
    if (command === 'help') {
      onHelp();
      return true;
    }
    if (command === 'leave') return leaveBox();
    const at = ids.indexOf(focusedId() ?? currentId ?? -1);
    if (command === 'next' || command === 'previous') {
      // From anywhere else on the page, the first step is to the card in view.
      const step = focusedId() === null ? 0 : command === 'next' ? 1 : -1;
      const to = ids[Math.max(0, at + step)];
      if (to === undefined) return goToMore();
      goTo(to);
      return true;
    }
    const run = commands.get(ids[at] ?? -1);
    run?.(command);
    return run !== undefined;
  });

  return (
    <div ref={inbox} tabIndex={-1}>
      {entries.length === 0 && !pages.hasNextPage ? (
        <EmptyState
          title="All Caught Up"
          action={<ButtonLink href="/past-feedback">Past Feedback</ButtonLink>}
        >
          When a student submits a recording, it will wait here for your answer.
        </EmptyState>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[18rem_minmax(0,1fr)]">
          <JumpList recordings={entries} {...{ pages, currentId }} />
          <div>
            <div ref={list} className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
              {entries.map((recording, index) => (
                <ReplyCard
                  key={recording.id}
                  recording={recording}
                  draft={drafts.find(({ recordingId }) => recordingId === recording.id)}
                  isGone={!isPending.has(recording.id)}
                  next={nameOf(entries[index + 1] ?? entries[index - 1])}
                  registry={cards}
                />
              ))}
            </div>
            <LoadMore {...{ pages, list }} id={MORE} failure={MORE_FAILED} loadsByItself className="mt-6" />
          </div>
        </div>
      )}
    </div>
  );
}

const nameOf = (recording: Recording | undefined) => (recording ? displayName(recording.student) : null);

const MORE = 'more-recordings';

/** From there, focus moves on to the first recording that comes. @returns whether there are more */
function goToMore() {
  const more = document.getElementById(MORE);
  more?.focus();
  more?.click();
  return more !== null;
}

function focusedId() {
  const card = document.activeElement?.closest<HTMLElement>('[data-recording]');
  return card ? Number(card.dataset.recording) : null;
}

/** Moves focus from a field to its card, where single keys work again. @returns whether a field had focus */
function leaveBox() {
  const box = document.activeElement;
  // Not a select, whose list is closed by Esc.
  const card = box?.matches('textarea, input') && box.closest<HTMLElement>('[data-recording]');
  if (!card) return false;
  card.focus({ preventScroll: true });
  return true;
}

/** The cards of the inbox, in an order that does not change while the teacher works. */
function useEntries(pending: readonly Recording[], orphaned: readonly Recording[]) {
  const [inUse, setInUse] = useState<ReadonlySet<number>>(new Set());
  const [released, setReleased] = useState<ReadonlySet<number>>(new Set());
  const [entries, setEntries] = useState<readonly Recording[]>([]);
  const [commands] = useState(() => new Map<number, (command: Command) => void>());

  const left = orphaned.filter(({ id }) => !released.has(id) && !entries.some((entry) => entry.id === id));
  const isKept = (id: number) =>
    !released.has(id) && (inUse.has(id) || orphaned.some((entry) => entry.id === id));
  const wanted = pending.filter(({ id }) => !released.has(id));
  const next = inboxEntries([...left, ...entries], wanted, isKept);
  // Adjusted while rendering, so that no card is unmounted for a moment and loses its state.
  if (!areSame(next, entries)) setEntries(next);

  const use = useCallback(
    (id: number, isUsed: boolean) => setInUse((before) => withOrWithout(before, id, isUsed)),
    [],
  );
  const release = useCallback((id: number) => setReleased((before) => withOrWithout(before, id, true)), []);
  const cards = useMemo<CardRegistry>(
    () => ({
      use,
      release,
      register(id, onCommand) {
        commands.set(id, onCommand);
        return () => {
          if (commands.get(id) === onCommand) commands.delete(id);
        };
      },
    }),
    [use, release, commands],
  );
  return { entries: next, cards, commands };
}

function withOrWithout(set: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  if (set.has(id) === isIn) return set;
  const next = new Set(set);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

/**
 * When the card with focus is removed, focuses the one that takes its place. If the teacher has moved to another card
 * while a reply was being sent, focus stays there.
 */
function useFocusOnTheNext(ids: readonly number[], list: RefObject<HTMLElement | null>) {
  const before = useRef(ids);
  const workedIn = useRef<number | null>(null);

  useEffect(() => {
    const note = () => {
      // Focus falls back to the body when a control is removed; the last card with focus still counts then.
      if (document.activeElement !== document.body) workedIn.current = focusedId();
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  useEffect(() => {
    const left = before.current;
    before.current = ids;
    const at = left.findIndex((id) => id === workedIn.current);
    if (at === -1 || ids.includes(left[at]!)) return;
    const next = left.slice(at + 1).find((id) => ids.includes(id)) ?? ids.at(-1);
    const heading = next === undefined ? null : document.getElementById(headingIdOf(next));
    if (heading) goTo(next!);
    else list.current?.focus();
  });
}
