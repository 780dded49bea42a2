import { useEffect, useRef, useState } from 'react';
import { call, noteFault, sentenceOf } from '#web/api/call.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import { refresh } from '#web/api/query-client.ts';
import { isLostConnection } from '#web/uploads/failed-try.ts';
import { createRetrySchedule } from '#web/uploads/retry-schedule.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { givenLevels } from '#features/people/levels/web/chosen-levels.ts';
import {
  type GivenLevels,
  type LevelMeanings,
  resolveLevels,
} from '#features/people/levels/web/level-names.ts';
import { type Columns, columnsOf } from './columns.ts';
import { type Import, importDraft, type ImportRow, newImport, type Outcome } from './import-draft.ts';
import { type Outlook, outlooksOf, type Checked } from './import-plan.ts';
import { peopleIn, type Person } from './people.ts';
import { type Ready, sendImport } from './send-import.ts';
import type { Table } from '#web/tables/table.ts';
import { INVITES_MAX } from '#features/people/invitations/limits.ts';

/** Attempts before the teacher has to decide whether to continue. */
const MOST_TRIES = 4;

export const DISCARDED = 'List discarded';

const NOBODY: readonly ImportRow[] = [];

/** A row as the table shows it. */
export type ShownRow = Ready & {
  /** Whether the row will be sent, now or when its turn comes. */
  isSent: boolean;
  isWaiting: boolean;
};

/** Manages the list that is being imported: what will happen to each row, and what happened to those already sent. */
export function useImport(levels: readonly Level[]) {
  const draft = useDraft(importDraft);
  /** The raw table is lost when the page is left. */
  const [source, setSource] = useState<{ table: Table; name: string | null } | null>(null);
  const current = draft.value;
  const rows = current?.rows ?? NOBODY;
  const checks = useChecks(rows.filter(({ outcome }) => outcome === null));
  const everybody = givenLevels(current?.levels ?? null, levels);
  const levelsOf = ({ levels: chosen, levelNames }: ImportRow): GivenLevels =>
    chosen === null && levelNames
      ? resolveLevels(levelNames, levels, current?.levelMeanings ?? {}, everybody)
      : { ids: chosen === null ? everybody : givenLevels(chosen, levels), unknown: [] };
  const outlooks = outlooksOf(rows, levelsOf, checks.checkedOf);
  const shown = rows.map((row): ShownRow => {
    const outlook = outlooks.get(row)!;
    const isSent = isSendable(row, outlook) && !row.isLeftOut;
    return { row, outlook, levels: levelsOf(row).ids, isSent, isWaiting: isSent && current!.isSending };
  });
  const sending = useSending(draft);
  const [discarded, setDiscarded] = useState<string | null>(null);

  const change = (next: (before: Import) => Import) => {
    const before = draft.latest();
    if (before) draft.change(next(before));
  };
  const changeRow = (clientId: string, part: Partial<ImportRow>) =>
    change((before) => ({
      ...before,
      rows: before.rows.map((row) => (row.clientId === clientId ? { ...row, ...part } : row)),
    }));
  const close = () => {
    sending.stop();
    setSource(null);
    draft.change(null);
  };
  const read = (table: Table, name: string | null, columns: Columns) => {
    checks.reset();
    draft.change(newImport(name, peopleIn(table, columns), draft.latest()?.levels ?? null));
  };

  return {
    current,
    shown,
    checks,
    sending,
    source,
    /** What became of a list that was discarded. */
    discarded,
    /** @returns the recognised columns */
    open(table: Table, name: string | null) {
      const columns = columnsOf(table);
      setDiscarded(null);
      setSource({ table, name });
      read(table, name, columns);
      return columns;
    },
    chooseColumns: (columns: Columns) => source && read(source.table, source.name, columns),
    changeRow,
    chooseLevels: (chosen: readonly number[]) => change((before) => ({ ...before, levels: chosen })),
    chooseMeanings: (levelMeanings: LevelMeanings) => change((before) => ({ ...before, levelMeanings })),
    send: () => void sending.send(shown.filter(({ isSent }) => isSent)),
    /** Checks the failed rows again, so that they can be corrected and sent. */
    tryFailedAgain() {
      checks.reset();
      change((before) => ({
        ...before,
        isSending: false,
        rows: before.rows.map((row) => (row.outcome?.kind === 'failed' ? { ...row, outcome: null } : row)),
      }));
    },
    discard() {
      const hasInvited = shown.some(({ row }) => row.outcome !== null && row.outcome.kind !== 'failed');
      const text = hasInvited ? 'Invited people stay invited.' : 'Nothing was sent.';
      setDiscarded(text);
      toast({ title: DISCARDED, description: text });
      close();
    },
    close,
  };
}

/** Returns whether there is anything to send for a row. */
export const isSendable = (row: ImportRow, outlook: Outlook) =>
  row.outcome === null && (outlook.kind === 'new' || (outlook.kind === 'here' && outlook.adds.length > 0));

type Draft = ReturnType<typeof useDraft<Import | null>>;

function useSending(draft: Draft) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<AbortController>(null);
  // A running request completes; the rest waits on the device until the teacher continues.
  useEffect(() => () => running.current?.abort(), []);

  const note = (outcomes: ReadonlyMap<string, Outcome>) => {
    const before = draft.latest();
    if (!before) return;
    const rows = before.rows.map((row) => ({ ...row, outcome: outcomes.get(row.clientId) ?? row.outcome }));
    draft.change({ ...before, rows });
  };

  return {
    failure,
    isRunning,
    stop: () => running.current?.abort(),
    async send(ready: readonly Ready[]) {
      const before = draft.latest();
      if (!before || isRunning) return;
      const { batch } = before;
      const controller = (running.current = new AbortController());
      draft.change({ ...before, isSending: true });
      setFailure(null);
      setIsRunning(true);
      try {
        await sendImport(ready, wayOf(batch, controller.signal), note);
        const after = draft.latest();
        if (after?.rows.every(({ outcome }) => outcome?.kind !== 'failed'))
          draft.change({ ...after, isFinished: true });
      } catch (error) {
        if (controller.signal.aborted) return;
        noteFault(error);
        setFailure(sentenceOf(error, 'Something went wrong on our side.'));
      } finally {
        setIsRunning(false);
        refresh(['/api/admin/users', '/api/admin/mail', '/api/admin/audit-log']);
      }
    },
  };
}

function wayOf(batch: string, signal: AbortSignal) {
  return {
    async invite(rows: readonly Ready[]) {
      const invites = rows.map(({ row: { email, firstName, lastName, clientId }, levels }) => ({
        ...{ email, firstName, lastName, clientId },
        transmissionLevels: [...levels],
      }));
      return (await call('POST /api/admin/invite-users', { body: { invites, batch } })).results;
    },
    async grant(userIds: readonly string[], levels: readonly number[]) {
      const { results } = await call('POST /api/admin/users/changes', {
        body: {
          ...{ userIds: [...userIds], change: 'grant', transmissionLevels: [...levels] },
          clientId: batch,
        },
      });
      return results;
    },
    async persistently<T>(run: () => Promise<T>): Promise<T> {
      const schedule = createRetrySchedule();
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted();
        try {
          return await run();
        } catch (error) {
          if (!isLostConnection(error) || tries === MOST_TRIES) throw error;
          await new Promise((resolve) => setTimeout(resolve, schedule.after(error, false)));
        }
      }
    },
  };
}

const keyOf = ({ email, firstName, lastName }: Person) => JSON.stringify([email, firstName, lastName]);

/** Checks each person once, in batches: whether the fields are valid and who has an account. */
function useChecks(people: readonly Person[]) {
  const [known, setKnown] = useState<ReadonlyMap<string, Checked>>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  const missing = people.filter((person) => !known.has(keyOf(person)));
  const asked = missing.slice(0, INVITES_MAX);
  const keys = asked.map(keyOf).join('\n');

  useEffect(() => {
    if (keys === '' || failure !== null) return;
    const controller = new AbortController();
    const invites = keys.split('\n').map((key) => {
      const [email, firstName, lastName] = JSON.parse(key) as [string, string, string | null];
      return { email, firstName, lastName };
    });
    const check = async () => {
      try {
        const { results } = await call('POST /api/admin/invite-users/check', {
          body: { invites },
          signal: controller.signal,
        });
        const found = keys.split('\n').map((key, index) => [key, results[index]!] as const);
        if (!controller.signal.aborted) setKnown((before) => new Map([...before, ...found]));
      } catch (error) {
        if (controller.signal.aborted) return;
        noteFault(error);
        setFailure(sentenceOf(error, 'Couldn’t check who already has an account.'));
      }
    };
    void check();
    return () => controller.abort();
  }, [keys, failure]);

  return {
    checkedOf: (person: Person) => known.get(keyOf(person)),
    isChecking: missing.length > 0 && failure === null,
    failure,
    tryAgain: () => setFailure(null),
    /** Clears all results: somebody who was new may have been invited since. */
    reset() {
      setKnown(new Map());
      setFailure(null);
    },
  };
}
