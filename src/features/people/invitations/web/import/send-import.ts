import type { ImportRow, Outcome } from './import-draft.ts';
import type { Outlook } from './import-plan.ts';

/** A row to send, with the levels it will get. */
export type Ready = { row: ImportRow; levels: readonly number[]; outlook: Outlook };

/** Batch size: small enough to show progress, and to resend little on a poor connection. */
const INVITES_AT_ONCE = 25;
const GRANTS_AT_ONCE = 100;

type Result = { ok: boolean; message?: string | undefined };

export type Way = {
  invite: (rows: readonly Ready[]) => Promise<readonly Result[]>;
  grant: (userIds: readonly string[], levels: readonly number[]) => Promise<readonly Result[]>;
  /** Retries for as long as it makes sense. */
  persistently: <T>(run: () => Promise<T>) => Promise<T>;
};

/**
 * Invites new people and grants existing accounts the levels they lack. A request repeated after a lost
 * answer has the same ids, so it takes effect once.
 * @param note called with the results of each batch, before the next batch is sent
 * @throws the first error that is not worth a retry
 */
export async function sendImport(
  ready: readonly Ready[],
  { invite, grant, persistently }: Way,
  note: (outcomes: ReadonlyMap<string, Outcome>) => void,
) {
  const outcomeOf = (result: Result | undefined, kind: 'invited' | 'granted'): Outcome =>
    result?.ok ? { kind, text: '' } : { kind: 'failed', text: result?.message ?? 'This wasn’t sent.' };
  const noteAll = (rows: readonly Ready[], results: readonly Result[], kind: 'invited' | 'granted') =>
    note(new Map(rows.map(({ row }, index) => [row.clientId, outcomeOf(results[index], kind)])));

  for (const rows of inParts(
    ready.filter(({ outlook }) => outlook.kind === 'new'),
    INVITES_AT_ONCE,
  )) {
    noteAll(rows, await persistently(() => invite(rows)), 'invited');
  }
  const byLevels = new Map<string, { levels: readonly number[]; rows: Ready[]; ids: string[] }>();
  for (const each of ready) {
    if (each.outlook.kind !== 'here') continue;
    const { adds, account } = each.outlook;
    const key = adds.join();
    const group = byLevels.get(key) ?? { levels: adds, rows: [], ids: [] };
    byLevels.set(key, group);
    group.rows.push(each);
    group.ids.push(account.id);
  }
  for (const { levels, rows, ids } of byLevels.values()) {
    for (const part of inParts(rows, GRANTS_AT_ONCE)) {
      const first = rows.indexOf(part[0]!);
      const chosen = ids.slice(first, first + part.length);
      noteAll(part, await persistently(() => grant(chosen, levels)), 'granted');
    }
  }
}

const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
