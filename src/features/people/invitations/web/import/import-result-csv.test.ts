import { expect, test } from 'vitest';
import { createPeopleImportResultCsv } from './import-result-csv.ts';

const open = { id: 1, name: 'Open to All', description: null, neverKept: false };

const person = (row: number, firstName: string, email: string) => ({
  ...{ row, firstName, lastName: 'Müller', email, unknown: [] },
  ...{ clientId: crypto.randomUUID(), levels: null, isLeftOut: false },
});
const shown = { levels: [open.id], isSent: false, isWaiting: false };

test('the result file lists each row’s levels and result, and escapes formulas', async () => {
  const rows = [
    {
      ...shown,
      row: { ...person(3, 'Tashi', 'tashi@example.net'), outcome: { kind: 'invited' as const, text: '' } },
      plan: { kind: 'new' as const },
    },
    {
      ...shown,
      row: { ...person(7, 'Tashi', 'tashi@example.net'), outcome: null },
      plan: { kind: 'twice' as const, earlierRow: 3 },
    },
    {
      ...shown,
      row: { ...person(10, '=Anna', 'anna@example.net'), outcome: null },
      plan: { kind: 'wrong' as const, problems: { firstName: 'This looks like a formula' } },
    },
  ];
  const bytes = Buffer.from(await createPeopleImportResultCsv(rows, [open], true).arrayBuffer());
  expect(bytes.toString('utf8').split('\r\n')).toEqual([
    '\ufeff"Row","First name","Last name","Email","Levels","Result"',
    '"3","Tashi","Müller","tashi@example.net","Open to All","Invited"',
    '"7","Tashi","Müller","tashi@example.net","Open to All","Duplicate of row 3, skipped"',
    `"10","'=Anna","Müller","anna@example.net","Open to All","This looks like a formula"`,
    '',
  ]);
});
