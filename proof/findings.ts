/** What a proof has seen so far. */
export type Findings = {
  runs: number;
  /** How many kills struck in which phase of the plan, and in which state. */
  kills: Record<string, Record<string, number>>;
  /** Sentences on what was promised and is lost. */
  lost: string[];
  longestLossSeconds: number;
  duplicates: number;
  /** Files without a row, rows without their file, chunks without an upload. */
  orphans: number;
  /** Kills that left files without a row for the next start to sweep: they struck between file and row. */
  swept: number;
};

export const noFindings = (): Findings => ({
  runs: 0,
  kills: {},
  lost: [],
  longestLossSeconds: 0,
  duplicates: 0,
  orphans: 0,
  swept: 0,
});

export const isProven = ({ lost, duplicates, orphans }: Findings) =>
  lost.length === 0 && duplicates === 0 && orphans === 0;

export function countKill({ kills }: Findings, phase: string, state: string) {
  const states = (kills[phase] ??= {});
  states[state] = (states[state] ?? 0) + 1;
}
