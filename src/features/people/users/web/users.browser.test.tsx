import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { getFoldedName, getSearchWords } from '#shared/search-words.ts';
import {
  buildLevel,
  buildStudent,
  buildTeacher,
  TEST_LEVELS,
  type LevelFixture,
  toListedUser,
  type ListedUserFixture,
  OPEN_LEVEL,
  REFUGE_LEVEL,
} from '#testing/browser/community.ts';
import {
  mockEndpoint,
  getCalls,
  holdResponses,
  loseNextResponse,
  ConnectionError,
  RejectedCallError,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import {
  expectAccessible,
  expectAccessibleWithoutOverflow,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import {
  expectUrl,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
  toastItem,
  userEvent,
} from '#testing/browser/screen.ts';
import { removeCachedUser } from './listed-users.ts';

const teacher = buildTeacher();
const search = page.getByLabelText('Search users');
const users = page.getByRole('region', { name: 'Users' });

/** Users per page: more than a screen shows. */
const PAGE = 40;

/** Mocks a server whose users can be searched, disabled and deleted; the given users come first. */
function community(...people: ListedUserFixture[]) {
  let all = [...people, toListedUser(teacher)];
  const withWords = (query = '') =>
    all.filter((user) =>
      getSearchWords(query).every((word) => getFoldedName(user).includes(word) || user.email.includes(word)),
    );
  mockEndpoint(api.users.list, ({ query }) => withWords(query['q']), { pageSize: PAGE });
  mockEndpoint(api.users.one, ({ path }) => {
    const found = all.find(({ id }) => path.endsWith(id));
    if (!found) throw new RejectedCallError(404, 'This user no longer exists');
    return found;
  });
  mockEndpoint(api.users.setStatus, ({ path, body }) => {
    const isActive = body['isActive'] as boolean;
    all = all.map((each) => (path.includes(each.id) ? { ...each, isActive } : each));
    return all.find(({ id }) => path.includes(id))!;
  });
  mockEndpoint(api.users.remove, ({ path }) => {
    all = all.filter(({ id }) => !path.endsWith(id));
    return { message: 'Deleted' };
  });
}

beforeEach(() => {
  mockEndpoint(api.users.accessList, []);
});

test('deleting a user asks for confirmation first and clears the selection', async () => {
  const student = toListedUser(
    buildStudent({ firstName: 'Gone', lastName: 'Tomorrow', username: 'gone.tomorrow' }),
  );
  community(student);
  await renderPage('/admin/users', { user: teacher });
  await expect.element(page.getByRole('listitem').filter({ hasText: 'khandro' }).first()).toBeVisible();
  await search.fill('gone.tomorrow');
  await page.getByRole('link', { name: /gone\.tomorrow/ }).click();
  await expectUrl(/user=/);
  const remove = page.getByRole('button', { name: 'Delete Gone Tomorrow' });
  await pressKeyOn(remove, 'Enter');
  const dialog = page.getByRole('alertdialog', {
    name: 'Are you sure you want to delete Gone Tomorrow? This action cannot be undone.',
  });
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(remove).toHaveFocus();
  await pressKeyOn(remove, 'Enter');
  rejectCalls(api.users.remove, 502, { times: 1 });
  await pressKeyOn(dialog.getByRole('button', { name: 'Delete' }), 'Enter');
  await expectText(toastItem, 'Failed to delete user.');
  await expect.element(page.getByRole('link', { name: /gone\.tomorrow/ })).toBeVisible();
  await pressKeyOn(remove, 'Enter');
  await pressKeyOn(dialog.getByRole('button', { name: 'Delete' }), 'Enter');
  await expect.element(users.getByText('User Deleted')).toBeVisible();
  await expectUrl(/\/admin\/users$/);
  await expect.element(page.getByText('Select a user to see their transmission levels.')).toBeVisible();
  await expect.element(search).toHaveFocus();

  await search.fill('khandro');
  const own = page.getByRole('listitem').filter({ hasText: 'This is your own account.' });
  await expectCount(own.getByRole('button'), 0);
  await own.getByRole('link').click();
  await expect.element(page.getByText('Admins have access to all levels by default.')).toBeVisible();
});

test('deleting a user again after a lost response counts as a success', async () => {
  const student = toListedUser(buildStudent({ firstName: 'Gone', lastName: 'Already' }));
  community(student);
  await renderPage('/admin/users', { user: teacher });
  const remove = page.getByRole('button', { name: 'Delete Gone Already' });
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' });
  loseNextResponse(api.users.remove);
  await pressKeyOn(remove, 'Enter');
  await pressKeyOn(confirm, 'Enter');
  await expectText(toastItem, 'Failed to delete user.');
  rejectCalls(api.users.remove, 404, { message: 'This user no longer exists', times: 1 });
  await pressKeyOn(remove, 'Enter');
  await pressKeyOn(confirm, 'Enter');
  await expectText(toastItem, 'User Deleted');
  await expectCount(page.getByText('Failed to delete user.'), 0);
});

test('focus returns to the search if a user disappears while the delete dialog is open', async () => {
  const student = toListedUser(
    buildStudent({ firstName: 'Gone', lastName: 'Sooner', username: 'gone.sooner' }),
  );
  community(student);
  await renderPage('/admin/users', { user: teacher });
  await search.fill('gone.sooner');
  await expect.element(users.getByText('1 user', { exact: true }).first()).toBeVisible();
  const remove = page.getByRole('button', { name: 'Delete Gone Sooner' });
  await pressKeyOn(remove, 'Enter');
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  removeCachedUser(student.id);
  await expectCount(page.css('[aria-label=Users] [data-item]'), 0);
  for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  await userEvent.keyboard('{Escape}');
  await expect.element(search).toHaveFocus();
});

test('a user’s row shows name, role, status and the actions allowed for the role', async () => {
  community(
    toListedUser(buildStudent({ username: 'listed.student', firstName: 'Listed', lastName: 'Student' })),
    toListedUser(buildTeacher({ username: 'ani.listed' })),
  );
  await renderPage('/admin/users', { user: teacher });
  const row = users.getByRole('listitem');
  await search.fill('listed.student');
  await expectTexts(row.getByRole('link'), [
    'Listed Studentlisted.student · listed.student@example.orgStudentActive',
  ]);
  await expectTexts(row.getByRole('button'), ['Disable', 'Delete']);
  await search.fill('ani.listed');
  await expectTexts(row.getByRole('link'), ['ani.listedani.listed@example.orgKhandro-laActive']);
  await expectTexts(row.getByRole('button'), ['Disable']);
});

test('disabling and enabling a student updates the list', async () => {
  community(toListedUser(buildStudent({ firstName: 'Disabled', lastName: 'Soon' })));
  await renderPage('/admin/users', { user: teacher });
  await page.getByRole('button', { name: 'Disable Disabled Soon' }).click();
  await expectText(page.getByRole('alertdialog'), 'Disable the account of Disabled Soon?');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
  await expect.element(page.getByText('User Status Updated').first()).toBeVisible();
  const row = users.getByRole('listitem').filter({ hasText: 'tashi.dolma@' });
  await expect.element(row.getByText('Disabled', { exact: true })).toBeVisible();
  await pressKeyOn(row.getByRole('button', { name: 'Enable Disabled Soon' }), 'Enter');
  await expect.element(row.getByText('Active', { exact: true })).toBeVisible();
  await expect.element(row.getByText('Saved: Disabled Soon can sign in again.')).toBeVisible();
});

test('on a phone, a user can be disabled and deleted on their page', async () => {
  const student = toListedUser(buildStudent({ username: 'on.phone', firstName: 'On', lastName: 'Phone' }));
  community(student);
  await page.viewport(390, 844);
  await renderPage('/admin/users', { user: teacher });
  await expect.element(page.getByRole('link', { name: /on\.phone/ })).toBeVisible();
  await expectCount(users.getByRole('button', { name: 'Delete On Phone' }), 0);
  await page.getByRole('link', { name: /on\.phone/ }).click();
  const panel = page.getByRole('region', { name: 'Selected user' });
  await pressKeyOn(panel.getByRole('button', { name: 'Disable On Phone' }), 'Enter');
  await pressKeyOn(page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }), 'Enter');
  await expect.element(panel.getByRole('button', { name: 'Enable On Phone' })).toBeVisible();
  await pressKeyOn(panel.getByRole('button', { name: 'Delete On Phone' }), 'Enter');
  await pressKeyOn(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }), 'Enter');
  await expect.element(users.getByText('User Deleted')).toBeVisible();
  await expectUrl(/\/admin\/users$/);
});

test.for([1180, 1280, 1350, 1440])('user rows stay 52 px high at %i px width', async (width) => {
  await page.viewport(width, 800);
  community(
    toListedUser(
      buildStudent({ firstName: 'Lhundrup', lastName: 'Wangchuk', username: 'lhundrup.wangchuk' }),
    ),
    toListedUser(buildStudent({ firstName: 'Kelsang', lastName: 'Tsering', isActive: false })),
  );
  await renderPage('/admin/users', { user: teacher });
  await expectCount(users.getByRole('listitem'), 3);
  for (const row of users.getByRole('listitem').elements())
    expect(row.getBoundingClientRect().height).toBeLessThanOrEqual(54);
  expectNoHorizontalScroll(`users, ${width} px`);
});

test.for([1024, 1280, 1440])('a user’s email is shown in full at %i px width', async (width) => {
  await page.viewport(width, 800);
  const [firstName, lastName, username] = ['Pema', 'Tsering', 'pema.tsering'];
  const person = buildStudent({ firstName, lastName, username, email: `${username}@example.org` });
  community(toListedUser(person));
  await renderPage('/admin/users', { user: teacher });
  const found = users.getByText(person.email, { exact: false });
  await expect.element(found).toBeVisible();
  const text = found.element();
  await document.fonts.ready;
  expect(text.scrollWidth).toBeLessThanOrEqual(text.clientWidth);
});

test('on a phone, a user’s email has its own line', async () => {
  await page.viewport(375, 800);
  const person = buildStudent({
    firstName: 'Ani',
    lastName: 'Lhamo',
    username: 'ani.lhamo',
    email: 'ani.lhamo@example.org',
  });
  community(toListedUser(person));
  await renderPage('/admin/users', { user: teacher });
  const text = users.getByText('ani.lhamo@example.org', { exact: false });
  await expect.element(text).toBeVisible();
  expect(text.element().getBoundingClientRect().height).toBeLessThan(30);
});

test('on a wide screen, at least seven rows of 52 px are visible', async () => {
  await page.viewport(1440, 900);
  const people = Array.from({ length: 20 }, (_, n) =>
    toListedUser(
      buildStudent({ firstName: 'Lhundrup', lastName: `Wangchuk ${n}`, username: `lhundrup.wangchuk${n}` }),
    ),
  );
  community(...people);
  await renderPage(`/admin/users?user=${people[0]!.id}`, { user: teacher });
  await expectCount(users.getByRole('listitem'), 21);
  await expect.element(page.getByRole('heading', { name: 'Lhundrup Wangchuk 0' })).toBeVisible();
  await document.fonts.ready;
  const rows = users
    .getByRole('listitem')
    .elements()
    .map((row) => row.getBoundingClientRect());
  expect(Math.max(...rows.slice(0, 20).map(({ height }) => height))).toBeLessThanOrEqual(54);
  expect(rows.filter(({ bottom }) => bottom <= 900).length).toBeGreaterThanOrEqual(7);
});

test('on a phone, going back from a user to the list returns focus to their row', async () => {
  community(toListedUser(buildStudent({ username: 'on.phone', firstName: 'On', lastName: 'Phone' })));
  await page.viewport(390, 844);
  await renderPage('/admin/users', { user: teacher });
  await search.fill('on.phone');
  const link = page.getByRole('link', { name: /on\.phone/ });
  await link.click();
  await expect.element(page.getByRole('heading', { name: 'On Phone' })).toHaveFocus();
  await expectCount(link, 0);
  await page.getByRole('button', { name: 'Back to all users' }).click();
  await expect.element(link).toHaveFocus();
});

test('a failed change to a user is rolled back, with an error next to the control', async () => {
  const student = toListedUser(buildStudent({ firstName: 'Not', lastName: 'Saved' }));
  community(student);
  mockEndpoint(api.users.accessList, [{ id: 1, transmissionLevelId: OPEN_LEVEL.id, grantedAt: new Date() }]);
  for (const endpoint of [api.users.revoke, api.users.setStatus]) rejectCalls(endpoint, 502);
  await renderPage(`/admin/users?user=${student.id}`, { user: teacher });
  const open = page.getByRole('checkbox', { name: 'Open to All' });
  await expect.element(open).toBeChecked();
  await pressKeyOn(open, ' ');
  await expect.element(page.getByText('Failed to revoke transmission access.').first()).toBeVisible();
  await expect.element(open).toBeChecked();
  await pressKeyOn(page.getByRole('button', { name: 'Disable Not Saved' }), 'Enter');
  await pressKeyOn(page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }), 'Enter');
  const row = page.getByRole('listitem').filter({ hasText: 'tashi.dolma@' });
  await expectText(row.getByRole('alert'), 'Failed to update user status.');
  await expect.element(row.getByText('Active', { exact: true })).toBeVisible();
});

test('after several quick ticks, a level’s checkbox shows the server’s state', async () => {
  const student = toListedUser(buildStudent({ firstName: 'Quick', lastName: 'Ticks' }));
  community(student);
  let isGranted = false;
  const access = { id: 1, transmissionLevelId: REFUGE_LEVEL.id, grantedAt: new Date() };
  mockEndpoint(api.users.accessList, () => (isGranted ? [access] : []));
  const grant = () => ((isGranted = true), access);
  const revoke = () => ((isGranted = false), { message: 'Revoked' });
  await renderPage(`/admin/users?user=${student.id}`, { user: teacher });
  const refuge = page.getByRole('checkbox', { name: 'Refuge' });
  await expect.element(refuge).not.toBeChecked();
  /**
   * Presses the checkbox once per entry. After the last press, the requests run one by one and fail or
   * succeed as listed.
   */
  const tick = async (saves: ('fails' | 'works')[]) => {
    let release = () => {};
    const pressed = new Promise<void>((resolve) => (release = resolve));
    const left = [...saves];
    const save =
      <T,>(work: () => T) =>
      async () => {
        await pressed;
        if (left.shift() === 'fails') throw new ConnectionError();
        return work();
      };
    mockEndpoint(api.users.grant, save(grant));
    mockEndpoint(api.users.revoke, save(revoke));
    for (const _ of saves) await pressKeyOn(refuge, ' ');
    release();
    await expect.poll(() => left.length).toBe(0);
    await expectCount(page.getByText('Saving…'), 0);
    return isGranted;
  };
  expect(await tick(['fails', 'works', 'works'])).toBe(true);
  await expect.element(refuge).toBeChecked();
  expect(await tick(['works', 'fails'])).toBe(false);
  await expect.element(refuge).not.toBeChecked();
  expect(await tick(['fails', 'fails'])).toBe(false);
  await expect.element(refuge).not.toBeChecked();

  mockEndpoint(api.users.grant, grant);
  mockEndpoint(api.users.revoke, revoke);
  await pressKeyOn(refuge, ' ');
  await expectText(toastItem, 'Access Granted');
  await pressKeyOn(refuge, ' ');
  await expectText(toastItem, 'Access Revoked');

  // The change is saved, but the response is lost.
  mockEndpoint(api.users.grant, () => {
    grant();
    throw new ConnectionError();
  });
  await pressKeyOn(refuge, ' ');
  await expectText(toastItem, 'Failed to grant transmission access.');
  await expect.element(refuge).toBeChecked();
});

test('search finds one of many users with long names, which don’t widen the page', async () => {
  // A name of 61 characters without a space.
  const firstName = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sangmo';
  community(
    ...Array.from({ length: PAGE * 2 }, (_, n) =>
      toListedUser(buildStudent({ username: `many.${n}`, firstName, lastName: `Number${n}` })),
    ),
  );
  await renderPage('/admin/users', { user: teacher });
  await expect.element(page.getByText('81 users').first()).toBeVisible();
  for (const width of [1440, 390]) {
    await page.viewport(width, 844);
    expectNoHorizontalScroll(`many users at ${width} px`);
  }
  await pressKeyOn(search, '2');
  await userEvent.keyboard('1');
  await expectCount(users.getByRole('listitem'), 1);
  await expect.element(page.getByText('1 user', { exact: true }).first()).toBeVisible();
  await search.fill('LHUNDRUP number7');
  await expect.element(page.getByRole('link', { name: /many\.7\b/ })).toBeVisible();
  await search.clear();
  await expect.element(page.getByText('81 users').first()).toBeVisible();
});

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => toListedUser(buildStudent({ username: `number.${n}` })));

test('loading more users by keyboard moves focus to the first new user', async () => {
  community(...many(PAGE + 5));
  await page.viewport(390, 844);
  await renderPage('/admin/users', { user: teacher });
  await expectCount(users.getByRole('listitem'), PAGE);
  await pressKeyOn(page.getByRole('button', { name: 'Load more (6 left)' }), 'Enter');
  await expectCount(users.getByRole('listitem'), PAGE + 6);
  await expect.element(page.getByRole('link', { name: /number\.40\b/ })).toHaveFocus();
});

test('on a wide screen, scrolling to the end of the list loads more users', async () => {
  await page.viewport(1440, 900);
  community(...many(PAGE * 2));
  await renderPage('/admin/users', { user: teacher });
  await expectCount(users.getByRole('listitem'), PAGE);
  expect(getCalls(api.users.list)).toHaveLength(1);
  // Scrolls repeatedly, because the rows above may not have their final height at first.
  await expect
    .poll(() => {
      users.getByRole('listitem').elements().at(-1)!.scrollIntoView();
      return users.getByRole('listitem').elements().length;
    })
    .toBe(PAGE * 2);
});

test('a URL opens a user far down the list, or shows that the user no longer exists', async () => {
  const people = many(PAGE * 2);
  community(...people);
  await renderPage(`/admin/users?user=${people.at(-1)!.id}`, { user: teacher });
  await expect
    .element(page.getByRole('region', { name: 'Selected user' }).getByText(/number\.79\b/))
    .toBeVisible();
  await renderPage(`/admin/users?user=${crypto.randomUUID()}`, { user: teacher });
  await expect.element(page.getByText('This user doesn’t exist anymore.')).toBeVisible();
});

test('the delete dialog shows cached counts until the current counts arrive', async () => {
  const student = toListedUser(buildStudent({ firstName: 'Grown', lastName: 'Since' }), {
    recordingCount: 1,
  });
  community(student);
  await renderPage(`/admin/users?user=${student.id}`, { user: teacher });
  await expect.element(page.getByRole('heading', { name: 'Grown Since' })).toBeVisible();
  await expect.poll(() => getCalls(api.users.one)).toHaveLength(1);
  mockEndpoint(api.users.one, { ...student, recordingCount: 3 });
  const release = holdResponses(api.users.one);
  await pressKeyOn(page.getByRole('button', { name: 'Delete Grown Since' }), 'Enter');
  await expectText(page.getByRole('alertdialog'), '1 recording will be deleted too.');
  release();
  await expectText(page.getByRole('alertdialog'), '3 recordings will be deleted too.');
});

test('a bulk grant says for whom it failed, and a retry sends the same request', async () => {
  const [tashi, pema] = [
    toListedUser(buildStudent({ firstName: 'Tashi', lastName: 'Dolma', username: 'tashi' })),
    toListedUser(buildStudent({ firstName: 'Pema', lastName: 'Wangmo', username: 'pema' })),
  ] as const;
  community(tashi, pema);
  await renderPage('/admin/users', { user: teacher });
  await pressKeyOn(page.getByRole('checkbox', { name: 'Select Tashi Dolma' }), ' ');
  await expectText(users.getByText('1 selected'), '1 selected');
  await pressKeyOn(page.getByRole('button', { name: 'Clear selection' }), 'Enter');
  await pressKeyOn(page.getByRole('button', { name: 'Select all' }), 'Enter');
  await expectAccessibleWithoutOverflow('several who are chosen');
  // Teachers can't select their own account.
  await expectCount(users.getByRole('checkbox'), 2);
  const grant = page.getByRole('button', { name: 'Add levels', exact: true });
  await pressKeyOn(grant.first(), 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Add levels for 2 people' });
  await dialog.getByRole('checkbox', { name: 'Refuge' }).click();
  mockEndpoint(api.users.changeMany, {
    ...{ successCount: 1, failureCount: 1 },
    results: [
      { id: tashi.id, ok: true },
      { id: pema.id, ok: false, message: 'This user no longer exists' },
    ],
  });
  loseNextResponse(api.users.changeMany);
  await pressKeyOn(dialog.getByRole('button', { name: 'Add levels' }), 'Enter');
  await expectText(dialog.getByRole('alert'), 'No account is changed twice');
  await pressKeyOn(dialog.getByRole('button', { name: 'Add levels' }), 'Enter');
  await expectText(
    users.getByRole('alert'),
    'Levels added for 1 person, 1 failedPema Wangmo: This user no longer exists',
  );
  const [lost, again] = getCalls(api.users.changeMany);
  expect(again!.body).toEqual(lost!.body);
  expect(again!.body).toMatchObject({
    ...{ userIds: [tashi.id, pema.id], change: 'grant', transmissionLevels: [REFUGE_LEVEL.id] },
  });
});

test('the user list can be filtered by level and by who never signed in', async () => {
  community(toListedUser(buildStudent()));
  await renderPage('/admin/users', { user: teacher });
  await page.getByLabelText('Show').selectOptions('Never signed in');
  await page.getByLabelText('Level', { exact: true }).selectOptions('Refuge');
  await expect
    .poll(() => getCalls(api.users.list).at(-1)?.query)
    .toEqual({ only: 'never-signed-in', level: String(REFUGE_LEVEL.id) });
});

test('a student’s page shows counts and offers to email or show a new password', async () => {
  const student = toListedUser(buildStudent({ firstName: 'Pema', lastName: 'Wangmo', username: 'pema' }), {
    ...{ recordingCount: 14, feedbackCount: 9, waitingMails: 1 },
  });
  community(student);
  const { suggestOwnPassword: _, wantsNewsMail: __, ...user } = buildStudent({ username: 'pema' });
  mockEndpoint(api.users.issuePassword, { user, password: 'lotus-and-lion' });
  await renderPage(`/admin/users?user=${student.id}`, { user: teacher });
  const panel = page.getByRole('region', { name: 'Selected user' });
  await expectTexts(panel.css('dl > div'), [
    'Recordings14',
    'Feedback9 recordings',
    'Last signed inNever',
    'Email1 email not delivered',
  ]);
  await expect
    .element(panel.getByRole('link', { name: '9 recordings' }))
    .toHaveAttribute('href', '/past-feedback?q=Pema%20Wangmo');
  mockEndpoint(api.users.changeMany, {
    ...{ successCount: 1, failureCount: 0, results: [{ id: student.id, ok: true }] },
  });
  await page.getByText('Sign-in help and downloads').click();
  await pressKeyOn(panel.getByRole('button', { name: 'Email a new password' }), 'Enter');
  const asked = page.getByRole('dialog', { name: 'Email Pema Wangmo a new password?' });
  await pressKeyOn(asked.getByRole('button', { name: 'Send' }), 'Enter');
  await expectText(panel, 'New password sent to 1 person');
  expect(getCalls(api.users.changeMany)[0]!.body).toMatchObject({ userIds: [student.id], change: 'mail' });
  await pressKeyOn(panel.getByRole('button', { name: 'Create new password' }), 'Enter');
  await pressKeyOn(page.getByRole('alertdialog').getByRole('button', { name: 'Create password' }), 'Enter');
  await expect
    .element(
      panel
        .getByRole('region', { name: 'New password for Pema Wangmo' })
        .getByLabelText('Password', { exact: true }),
    )
    .toHaveValue('lotus-and-lion');
  await pressKeyOn(panel.getByRole('button', { name: 'Clear' }), 'Enter');
  await expectCount(panel.getByText('lotus-and-lion'), 0);
});

test('the activity log shows a bulk action as one entry that expands to its people', async () => {
  community();
  const entry = {
    ...{ id: 200, at: new Date(), actorName: 'khandro', action: 'user-invited' as const },
    ...{ subjectName: 'Tashi Dolma', detail: 'Refuge' },
  };
  mockEndpoint(api.audit.list, ({ query }) =>
    query['within'] === '200'
      ? [1, 2].map((id) => ({ ...entry, id, subjectName: `Invited ${id}`, count: 1 }))
      : [
          { ...entry, count: 113 },
          {
            ...entry,
            id: 2,
            action: 'user-deleted' as const,
            subjectName: 'Gone Tomorrow',
            detail: null,
            count: 1,
          },
          {
            ...entry,
            id: 1,
            action: 'level-deleted' as const,
            subjectName: 'Mahamudra',
            detail: null,
            count: 1,
          },
        ],
  );
  await renderPage('/admin/users#who-did-what', { user: teacher });
  const record = page.getByRole('region', { name: 'Activity' });
  await expectText(record, 'khandro invited 113 people, with Refuge');
  await expectText(record, 'khandro deleted Gone Tomorrow');
  await expectText(record, 'khandro deleted the level Mahamudra');
  await pressKeyOn(record.getByRole('button', { name: 'Show names' }), 'Enter');
  await expectText(record, 'Invited 2');
  await expectAccessible('the record of an import');
});

describe('levels', () => {
  const levels = page.getByRole('region', { name: 'Levels' });
  const dialog = page.getByRole('dialog');
  const asked = page.getByRole('alertdialog');

  test('levels can be added and renamed, and deleted unless a melody uses them', async () => {
    let all: LevelFixture[] = [{ ...OPEN_LEVEL, melodyCount: 1 }, ...TEST_LEVELS.slice(1)];
    mockEndpoint(api.levels.all, () => all);
    community();
    await page.viewport(390, 844);
    await renderPage('/admin/users', { user: teacher });
    await page.getByRole('tab', { name: 'Levels' }).click();
    await expectText(levels.getByRole('listitem').filter({ hasText: 'Open to All' }), /1 melody/);
    await expectCount(levels.getByRole('button', { name: 'Delete Open to All' }), 0);

    await pressKeyOn(levels.getByRole('button', { name: 'Add Level' }), 'Enter');
    await pressKeyOn(dialog.getByRole('button', { name: 'Add Level' }), 'Enter');
    await expect.element(dialog.getByText('Please give the level a name.')).toBeVisible();
    rejectCalls(api.levels.add, 409, { message: 'Another level has this name.', times: 1 });
    await dialog.getByLabelText('Name').fill('Refuge');
    await pressKeyOn(dialog.getByRole('button', { name: 'Add Level' }), 'Enter');
    await expect.element(dialog.getByText('Another level has this name.')).toBeVisible();
    await expectText(toastItem, 'Failed to add levelAnother level has this name.');
    mockEndpoint(api.levels.add, ({ body }) => {
      all = [...all, buildLevel(body['name'] as string)];
      return all.at(-1)!;
    });
    await dialog.getByLabelText('Name').fill('Mahamudra');
    await pressKeyOn(dialog.getByLabelText('Name'), 'Enter');
    await expect.element(levels.getByText('Level added')).toBeVisible();
    await expect.element(levels.getByRole('button', { name: 'Add Level' })).toHaveFocus();

    await pressKeyOn(levels.getByRole('button', { name: 'Edit Mahamudra' }), 'Enter');
    mockEndpoint(api.levels.change, ({ body }) => {
      const changed = { ...all.at(-1)!, ...(body as Partial<LevelFixture>) };
      all = [...all.slice(0, -1), changed];
      return changed;
    });
    rejectCalls(api.levels.change, 502, { times: 1 });
    await pressKeyOn(dialog.getByRole('button', { name: 'Save' }), 'Enter');
    await expectText(toastItem, 'Failed to update level');
    await dialog.getByLabelText('Name').fill('Mahamudra II');
    const description = dialog.getByLabelText('Description');
    await description.fill('x'.repeat(5_001));
    await pressKeyOn(dialog.getByRole('button', { name: 'Save' }), 'Enter');
    await expect.element(dialog.getByText('1 character too long. The limit is 5,000.')).toBeVisible();
    await expect.element(description).toHaveFocus();
    await expect.element(description).toHaveValue('x'.repeat(5_001));
    await description.fill('For the few.');
    await pressKeyOn(dialog.getByRole('button', { name: 'Save' }), 'Enter');
    await expectText(toastItem, 'Level updatedMahamudra II');
    const item = levels.getByRole('listitem').filter({ hasText: 'Mahamudra II' });
    await expectText(item, 'For the few.');

    mockEndpoint(api.levels.remove, () => {
      all = all.slice(0, -1);
      return { message: 'Deleted' };
    });
    rejectCalls(api.levels.remove, 502, { times: 1 });
    await pressKeyOn(item.getByRole('button', { name: 'Delete Mahamudra II' }), 'Enter');
    await pressKeyOn(asked.getByRole('button', { name: 'Delete' }), 'Enter');
    await expect.element(levels.getByText('Failed to delete level')).toBeVisible();
    await pressKeyOn(item.getByRole('button', { name: 'Delete Mahamudra II' }), 'Enter');
    await pressKeyOn(asked.getByRole('button', { name: 'Delete' }), 'Enter');
    await expect.element(levels.getByText('Level deleted')).toBeVisible();
    await expectCount(item, 0);
  });

  test('level dialogs restore unsaved changes after the session is lost', async () => {
    community();
    rejectCalls(api.levels.add, 401, { message: 'Unauthorized' });
    const back = dialog.getByText('Your unsaved changes are back.');
    const add = levels.getByRole('button', { name: 'Add Level' });
    await renderPage('/admin/users#levels', { user: teacher });
    await pressKeyOn(add, 'Enter');
    await expectCount(back, 0);
    await dialog.getByLabelText('Name').fill('Dzogchen');
    await dialog.getByLabelText('Description').fill('For the few.');
    await pressKeyOn(dialog.getByRole('button', { name: 'Add Level' }), 'Enter');
    await expectText(toastItem, 'UnauthorizedYou are logged out. Logging in again...');
    await renderPage('/admin/users#levels', { user: teacher });
    await pressKeyOn(add, 'Enter');
    await expect.element(back).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await pressKeyOn(add, 'Enter');
    await expect.element(dialog.getByLabelText('Name')).toHaveValue('Dzogchen');
    await expect.element(dialog.getByLabelText('Description')).toHaveValue('For the few.');
    await pressKeyOn(dialog.getByRole('button', { name: 'Cancel' }), 'Enter');

    const edit = page.getByRole('button', { name: 'Edit Refuge' });
    await pressKeyOn(edit, 'Enter');
    await dialog.getByLabelText('Description').fill('Changed, and never saved.');
    await renderPage('/admin/users#levels', { user: teacher });
    await pressKeyOn(add, 'Enter');
    await expect.element(dialog.getByLabelText('Name')).toHaveValue('');
    await userEvent.keyboard('{Escape}');
    await pressKeyOn(edit, 'Enter');
    await expect.element(dialog.getByLabelText('Description')).toHaveValue('Changed, and never saved.');
    await pressKeyOn(dialog.getByRole('button', { name: 'Cancel' }), 'Enter');
  });
});
