import { useEffect, useRef, useState } from 'react';
import { callApi, logUnexpectedError, getErrorMessage } from '#web/api/call.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { isLostConnectionError } from '#web/uploads/upload-failures.ts';
import { createRetrySchedule } from '#web/uploads/retry-schedule.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { resolveChosenLevels } from '#features/people/levels/web/chosen-levels.ts';
import {
  type ResolvedLevels,
  type LevelNameMappings,
  resolveLevelNames,
} from '#features/people/levels/web/level-names.ts';
import { type ColumnMapping, detectColumns } from './columns.ts';
import {
  type PeopleImport,
  peopleImportDraftOptions,
  type PeopleImportRow,
  createPeopleImport,
  type PeopleImportRowOutcome,
} from './import-draft.ts';
import { type PeopleImportRowPlan, planPeopleImportRows, type PersonCheck } from './import-plan.ts';
import { extractPeople, type ImportedPerson } from './extract-people.ts';
import { type PlannedPeopleImportRow, sendPeopleImport } from './send-import.ts';
import type { Table } from '#web/tables/table.ts';
import { MAX_INVITES } from '#features/people/invitations/limits.ts';

/** Maximum attempts per request. After that, the teacher decides whether to continue. */
const MAX_ATTEMPTS = 4;

export const LIST_DISCARDED_TITLE = 'List discarded';

const NO_ROWS: readonly PeopleImportRow[] = [];

/** A row as the table shows it. */
export type PeopleTableRow = PlannedPeopleImportRow & {
  /** Whether the send button sends this row: it has something to send and has not been left out. */
  isSent: boolean;
  isWaiting: boolean;
};

/** Manages the list that is being imported: the plan for each row, and the results of the rows already sent. */
export function usePeopleImport(levels: readonly Level[]) {
  const draft = useFormDraft(peopleImportDraftOptions);
  /** The raw table. It is only in memory, so it is lost when the user leaves the page. */
  const [source, setSource] = useState<{ table: Table; name: string | null } | null>(null);
  const current = draft.value;
  const rows = current?.rows ?? NO_ROWS;
  const checks = useChecks(rows.filter(({ outcome }) => outcome === null));
  const everybody = resolveChosenLevels(current?.levels ?? null, levels);
  const levelsOf = ({ levels: chosen, levelNames }: PeopleImportRow): ResolvedLevels =>
    chosen === null && levelNames
      ? resolveLevelNames(levelNames, levels, current?.levelMeanings ?? {}, everybody)
      : { ids: chosen === null ? everybody : resolveChosenLevels(chosen, levels), unknown: [] };
  const plans = planPeopleImportRows(rows, levelsOf, checks.getCheck);
  const shown = rows.map((row): PeopleTableRow => {
    const plan = plans.get(row)!;
    const isSent = isPeopleImportRowSendable(row, plan) && !row.isLeftOut;
    return { row, plan, levels: levelsOf(row).ids, isSent, isWaiting: isSent && current!.isSending };
  });
  const sending = useSending(draft);
  const [discarded, setDiscarded] = useState<string | null>(null);

  const change = (next: (before: PeopleImport) => PeopleImport) => {
    const before = draft.latest();
    if (before) draft.change(next(before));
  };
  const changeRow = (clientId: string, part: Partial<PeopleImportRow>) =>
    change((before) => ({
      ...before,
      rows: before.rows.map((row) => (row.clientId === clientId ? { ...row, ...part } : row)),
    }));
  const close = () => {
    sending.stop();
    setSource(null);
    draft.change(null);
  };
  const read = (table: Table, name: string | null, columns: ColumnMapping) => {
    checks.reset();
    draft.change(createPeopleImport(name, extractPeople(table, columns), draft.latest()?.levels ?? null));
  };

  return {
    current,
    shown,
    checks,
    sending,
    source,
    /** Message about a discarded list, or null. */
    discarded,
    /** Replaces the list with the people in a new table. @returns the recognised columns */
    open(table: Table, name: string | null) {
      const columns = detectColumns(table);
      setDiscarded(null);
      setSource({ table, name });
      read(table, name, columns);
      return columns;
    },
    chooseColumns: (columns: ColumnMapping) => source && read(source.table, source.name, columns),
    changeRow,
    chooseLevels: (chosen: readonly number[]) => change((before) => ({ ...before, levels: chosen })),
    chooseMeanings: (levelMeanings: LevelNameMappings) => change((before) => ({ ...before, levelMeanings })),
    send: () => void sending.send(shown.filter(({ isSent }) => isSent)),
    /**
     * Discards the failures and the server's earlier checks. The failed rows are then checked again, and can be
     * corrected and sent.
     */
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
      toast({ title: LIST_DISCARDED_TITLE, description: text });
      close();
    },
    close,
  };
}

/** Returns whether there is anything to send for a row. */
export const isPeopleImportRowSendable = (row: PeopleImportRow, plan: PeopleImportRowPlan) =>
  row.outcome === null && (plan.kind === 'new' || (plan.kind === 'here' && plan.addedLevels.length > 0));

type Draft = ReturnType<typeof useFormDraft<PeopleImport | null>>;

function useSending(draft: Draft) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<AbortController>(null);
  // Stops sending when the page is left: a running request completes, and the remaining rows stay on the device
  // until the teacher continues.
  useEffect(() => () => running.current?.abort(), []);

  const note = (outcomes: ReadonlyMap<string, PeopleImportRowOutcome>) => {
    const before = draft.latest();
    if (!before) return;
    const rows = before.rows.map((row) => ({ ...row, outcome: outcomes.get(row.clientId) ?? row.outcome }));
    draft.change({ ...before, rows });
  };

  return {
    failure,
    isRunning,
    stop: () => running.current?.abort(),
    async send(ready: readonly PlannedPeopleImportRow[]) {
      const before = draft.latest();
      if (!before || isRunning) return;
      const { batch } = before;
      const controller = (running.current = new AbortController());
      draft.change({ ...before, isSending: true });
      setFailure(null);
      setIsRunning(true);
      try {
        await sendPeopleImport(ready, createImportClient(batch, controller.signal), note);
        const after = draft.latest();
        if (after?.rows.every(({ outcome }) => outcome?.kind !== 'failed'))
          draft.change({ ...after, isFinished: true });
      } catch (error) {
        if (controller.signal.aborted) return;
        logUnexpectedError(error);
        setFailure(getErrorMessage(error, 'Something went wrong on our side.'));
      } finally {
        setIsRunning(false);
        refreshQueries(['/api/admin/users', '/api/admin/mail', '/api/admin/audit-log']);
      }
    },
  };
}

function createImportClient(batch: string, signal: AbortSignal) {
  return {
    async invite(rows: readonly PlannedPeopleImportRow[]) {
      const invites = rows.map(({ row: { email, firstName, lastName, clientId }, levels }) => ({
        ...{ email, firstName, lastName, clientId },
        transmissionLevels: [...levels],
      }));
      return (await callApi('POST /api/admin/invite-users', { body: { invites, batch } })).results;
    },
    async grant(userIds: readonly string[], levels: readonly number[]) {
      const { results } = await callApi('POST /api/admin/users/changes', {
        body: {
          ...{ userIds: [...userIds], change: 'grant', transmissionLevels: [...levels] },
          clientId: batch,
        },
      });
      return results;
    },
    async withRetries<T>(run: () => Promise<T>): Promise<T> {
      const schedule = createRetrySchedule();
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted();
        try {
          return await run();
        } catch (error) {
          if (!isLostConnectionError(error) || tries === MAX_ATTEMPTS) throw error;
          await new Promise((resolve) => setTimeout(resolve, schedule.after(error, false)));
        }
      }
    },
  };
}

const toKey = ({ email, firstName, lastName }: ImportedPerson) =>
  JSON.stringify([email, firstName, lastName]);

/**
 * Has the server check each person once, in batches. `getCheck` returns a person's invalid fields and
 * existing account, or undefined until the person has been checked.
 */
function useChecks(people: readonly ImportedPerson[]) {
  const [known, setKnown] = useState<ReadonlyMap<string, PersonCheck>>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  const missing = people.filter((person) => !known.has(toKey(person)));
  const requested = missing.slice(0, MAX_INVITES);
  const keys = requested.map(toKey).join('\n');

  useEffect(() => {
    if (keys === '' || failure !== null) return;
    const controller = new AbortController();
    const invites = keys.split('\n').map((key) => {
      const [email, firstName, lastName] = JSON.parse(key) as [string, string, string | null];
      return { email, firstName, lastName };
    });
    const check = async () => {
      try {
        const { results } = await callApi('POST /api/admin/invite-users/check', {
          body: { invites },
          signal: controller.signal,
        });
        const found = keys.split('\n').map((key, index) => [key, results[index]!] as const);
        if (!controller.signal.aborted) setKnown((before) => new Map([...before, ...found]));
      } catch (error) {
        if (controller.signal.aborted) return;
        logUnexpectedError(error);
        setFailure(getErrorMessage(error, 'Couldn’t check who already has an account.'));
      }
    };
    void check();
    return () => controller.abort();
  }, [keys, failure]);

  return {
    getCheck: (person: ImportedPerson) => known.get(toKey(person)),
    isChecking: missing.length > 0 && failure === null,
    failure,
    tryAgain: () => setFailure(null),
    /** Clears the results of all checks, because somebody who was new may have been invited in the meantime. */
    reset() {
      setKnown(new Map());
      setFailure(null);
    },
  };
}
