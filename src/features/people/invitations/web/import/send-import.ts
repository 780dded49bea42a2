import type { PeopleImportRow, PeopleImportRowOutcome } from './import-draft.ts';
import type { PeopleImportRowPlan } from './import-plan.ts';

/** A row to send, with the levels it will get. */
export type PlannedPeopleImportRow = {
  row: PeopleImportRow;
  levels: readonly number[];
  plan: PeopleImportRowPlan;
};

/** Rows per request: few enough to show progress, and to resend little on a poor connection. */
const INVITE_BATCH_SIZE = 25;
const GRANT_BATCH_SIZE = 100;

type Result = { ok: boolean; message?: string | undefined };

export type PeopleImportClient = {
  invite: (rows: readonly PlannedPeopleImportRow[]) => Promise<readonly Result[]>;
  grant: (userIds: readonly string[], levels: readonly number[]) => Promise<readonly Result[]>;
  /** Runs a request. If the connection is lost, repeats the request a limited number of times. */
  withRetries: <T>(run: () => Promise<T>) => Promise<T>;
};

/**
 * Invites new people and grants existing accounts the levels they lack. A request that is retried after a
 * lost response has the same ids, so it takes effect only once.
 * @param onResults called with the results of each batch, before the next batch is sent
 * @throws the first error that retries did not resolve
 */
export async function sendPeopleImport(
  ready: readonly PlannedPeopleImportRow[],
  { invite, grant, withRetries }: PeopleImportClient,
  onResults: (outcomes: ReadonlyMap<string, PeopleImportRowOutcome>) => void,
) {
  const toOutcome = (result: Result | undefined, kind: 'invited' | 'granted'): PeopleImportRowOutcome =>
    result?.ok ? { kind, text: '' } : { kind: 'failed', text: result?.message ?? 'This wasn’t sent.' };
  const reportBatch = (
    rows: readonly PlannedPeopleImportRow[],
    results: readonly Result[],
    kind: 'invited' | 'granted',
  ) => onResults(new Map(rows.map(({ row }, index) => [row.clientId, toOutcome(results[index], kind)])));

  for (const rows of splitIntoChunks(
    ready.filter(({ plan }) => plan.kind === 'new'),
    INVITE_BATCH_SIZE,
  )) {
    reportBatch(rows, await withRetries(() => invite(rows)), 'invited');
  }
  const byLevels = new Map<
    string,
    { levels: readonly number[]; rows: PlannedPeopleImportRow[]; ids: string[] }
  >();
  for (const each of ready) {
    if (each.plan.kind !== 'here') continue;
    const { addedLevels, account } = each.plan;
    const key = addedLevels.join();
    const group = byLevels.get(key) ?? { levels: addedLevels, rows: [], ids: [] };
    byLevels.set(key, group);
    group.rows.push(each);
    group.ids.push(account.id);
  }
  for (const { levels, rows, ids } of byLevels.values()) {
    for (const part of splitIntoChunks(rows, GRANT_BATCH_SIZE)) {
      const first = rows.indexOf(part[0]!);
      const chosen = ids.slice(first, first + part.length);
      reportBatch(part, await withRetries(() => grant(chosen, levels)), 'granted');
    }
  }
}

const splitIntoChunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
