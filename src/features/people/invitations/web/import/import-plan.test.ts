import { expect, test } from 'vitest';
import { emailAddress as emailShape } from '#shared/schemas.ts';
import { type PersonCheck, planPeopleImportRows, validatePerson } from './import-plan.ts';

const person = (row: number, email: string, given: object = {}) => ({
  ...{ row, email, firstName: 'Tashi', lastName: 'Dolma', unknown: [] as string[] },
  ...given,
});
const account = (given: object = {}): PersonCheck => ({
  issues: [],
  account: {
    ...{ id: crypto.randomUUID(), firstName: 'Tashi', lastName: 'Dolma', username: 'tashi' },
    ...{ role: 'student', isActive: true, transmissionLevels: [1] },
    ...given,
  },
});
const listPlans = (
  people: ReturnType<typeof person>[],
  levels: number[],
  checked: Record<string, PersonCheck> = {},
) => [
  ...planPeopleImportRows(
    people,
    ({ unknown }) => ({ ids: levels, unknown }),
    ({ email }) => checked[email],
  ).values(),
];

test('if rows have the same email, invites the first valid row and skips later ones', () => {
  expect(
    listPlans([person(2, 'a@x.org', { firstName: '' }), person(3, 'a@x.org'), person(4, 'a@x.org')], [1]),
  ).toEqual([
    { kind: 'wrong', problems: { firstName: 'Name is missing' } },
    { kind: 'new' },
    { kind: 'twice', earlierRow: 3 },
  ]);
});

test('reports an unknown level name for new people and for existing accounts', () => {
  const wrong = { kind: 'wrong', problems: { levels: 'No level called “Wong”' } };
  const people = [
    person(2, 'new@x.org', { unknown: ['Wong'] }),
    person(3, 'here@x.org', { unknown: ['Wong'] }),
  ];
  expect(listPlans(people, [1, 2], { 'here@x.org': account() })).toEqual([wrong, wrong]);
});

test('an existing account gets only the levels it lacks, even if its row has no name', () => {
  const here = account();
  const teacher = account({ role: 'admin', transmissionLevels: [] });
  const people = [person(2, 'a@x.org', { firstName: '' }), person(3, 'b@x.org')];
  expect(listPlans(people, [1, 2], { 'a@x.org': here, 'b@x.org': teacher })).toEqual([
    { kind: 'here', account: here.account, addedLevels: [2] },
    { kind: 'here', account: teacher.account, addedLevels: [] },
  ]);
});

test('an import plan shows the server’s errors and the rows without levels', () => {
  const checked = { issues: [{ path: 'lastName', message: 'Two scripts.' }], account: null };
  expect(listPlans([person(2, 'a@x.org')], [1], { 'a@x.org': checked })).toEqual([
    { kind: 'wrong', problems: { lastName: 'Two scripts.' } },
  ]);
  expect(listPlans([person(2, 'a@x.org')], [])).toEqual([{ kind: 'without levels' }]);
});

test.each([
  ['tashi@x.org', null],
  ["o'neil+songs@mail.x-y.museum", null],
  ['', 'Email is missing'],
  ['none', 'Invalid email'],
  ['tashi@x', 'Invalid email'],
  ['tashi..d@x.org', 'Invalid email'],
  ['.tashi@x.org', 'Invalid email'],
  ['tashi@xä.org', 'Invalid email'],
  [`${'x'.repeat(250)}@x.org`, 'Invalid email'],
  ['a@x.org; b@x.org', 'More than one email address'],
  ['a@x.org,b@x.org', 'More than one email address'],
])('the page and the server agree on whether the email %j is valid (error: %s)', (email, problem) => {
  const one = { email, firstName: 'Tashi', lastName: null };
  expect(validatePerson(one).email ?? null).toBe(problem);
  expect(emailShape.safeParse(email).success).toBe(problem === null);
});

test.each(['=1+1', '+1', '@SUM(A1)', '|cmd'])('reports the name %s as a formula', (name) => {
  expect(validatePerson({ email: 'a@x.org', firstName: 'A', lastName: name })).toEqual({
    lastName: 'This looks like a formula',
  });
});
