import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildTeacher, TEST_LEVELS, REFUGE_LEVEL } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, loseNextResponse, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectAccessible, expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import {
  chooseFile,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
  userEvent,
} from '#testing/browser/screen.ts';

const user = buildTeacher();
const tab = page.getByRole('tab', { name: 'From a list' });
const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name });
const openList = async () => {
  await renderPage('/admin/invite', { user });
  await tab.click();
};
const choose = async (name: string, ...bytes: BlobPart[]) => {
  const input = page.getByLabelText('A list of people');
  await expect.element(input).toBeInTheDocument();
  chooseFile(input, new File(bytes, name));
};

type Row = { email: string; clientId?: string };
const HERE = {
  ...{ id: crypto.randomUUID(), username: 'ani', firstName: 'Ani', lastName: 'Lhamo' },
  ...{ role: 'student' as const, isActive: true, transmissionLevels: [TEST_LEVELS[0]!.id] },
};
/** Mocks a server on which Ani has an account and everybody else is new. */
function mockInvitations() {
  mockEndpoint(api.invitations.check, ({ body }) => ({
    results: (body as { invites: Row[] }).invites.map(({ email }) => ({
      issues: [],
      account: email === 'ani@example.org' ? HERE : null,
    })),
  }));
  mockEndpoint(api.invitations.invite, ({ body }) => {
    const results = (body as { invites: Row[] }).invites.map(({ email }) =>
      email === 'unlucky@example.org' ? { email, ok: false, message: 'Not this one.' } : { email, ok: true },
    );
    return { successCount: 0, failureCount: 0, results };
  });
  mockEndpoint(api.users.changeMany, ({ body }) => {
    const { userIds } = body as { userIds: string[] };
    return { successCount: 1, failureCount: 0, results: userIds.map((id) => ({ id, ok: true })) };
  });
}

test('an imported list can be checked, corrected and sent, and shows each row’s result', async () => {
  mockInvitations();
  await openList();
  await choose(
    'retreat.csv',
    'E-Mail;Name;Stufe\ntashi@example.org;Tashi Dolma\nkarma@example;Karma\nTASHI@example.org;Tashi\nani@example.org;Ani\nunlucky@example.org;Un Lucky\npema@example.org;Pema;Refuge, Wong\n',
  );
  await expectTexts(page.getByRole('row'), [
    /^Invite/,
    /2Tashi Dolmatashi@example.orgOpen to AllNew: gets an email$/,
    /Invalid email$/,
    /Duplicate of row 2, skipped$/,
    /Has an account: no change$/,
    /New: gets an email$/,
    /RefugeNo level called “Wong”$/,
  ]);
  await expectAccessibleWithoutOverflow('a list that is looked over');
  const send = page.getByRole('button', { name: /^Invite \d/ });
  await expectText(send, 'Invite 2 people');

  const email = page.getByLabelText('Email in row 3');
  await expect.element(email).toHaveAttribute('aria-invalid', 'true');
  await email.fill('karma@example.org');
  await pressKeyOn(email, 'Enter');
  await expectText(send, 'Invite 3 people');
  // Focus stays in the field after a correction.
  await expect.element(email).toHaveFocus();

  await pressKeyOn(page.getByRole('button', { name: 'Levels for everyone: Open to All' }), 'Enter');
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Refuge' }).click();
  await userEvent.keyboard('{Escape}');
  await expectText(row('ani@example.org'), 'Has an account: gets “Refuge”');
  await pressKeyOn(
    page.getByRole('button', { name: 'Levels for Tashi Dolma: Open to All, Refuge' }),
    'Enter',
  );
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Refuge' }).click();
  await userEvent.keyboard('{Escape}');
  // A person whose row names levels gets only those, not the levels for everyone. Choosing levels by hand
  // clears the error about an unknown level.
  await pressKeyOn(page.getByRole('button', { name: 'Levels for Pema: Refuge' }), 'Enter');
  await page.getByRole('dialog').getByRole('checkbox', { name: TEST_LEVELS[2]!.name }).click();
  await userEvent.keyboard('{Escape}');
  await expectText(row('pema@example.org'), 'New: gets an email');
  await page.getByRole('checkbox', { name: 'Invite Karma' }).click();
  await expectText(send, 'Invite 4 people');

  await page.getByRole('button', { name: '2 existing or duplicate' }).click();
  await expectCount(page.getByRole('row'), 3);
  await page.getByRole('button', { name: /^All/ }).click();
  await pressKeyOn(send, 'Enter');
  await expect.element(page.getByRole('heading', { name: 'retreat.csv' })).toHaveFocus();
  await expectText(page.getByRole('table'), 'Not invited: Not this one.');
  await expectText(row('tashi@example.org').first(), 'Invited');
  await expectText(row('ani@example.org'), 'Has an account: levels added');
  await expectText(page.getByText('2 invited, 1 got new levels, 1 failed').first(), '2 invited');
  const [{ body } = { body: null }] = getCalls(api.invitations.invite);
  expect(body).toMatchObject({
    invites: [
      { email: 'tashi@example.org', transmissionLevels: [TEST_LEVELS[0]!.id] },
      { email: 'unlucky@example.org', transmissionLevels: [TEST_LEVELS[0]!.id, REFUGE_LEVEL.id] },
      { email: 'pema@example.org', transmissionLevels: [REFUGE_LEVEL.id, TEST_LEVELS[2]!.id] },
    ],
  });
  const [change] = getCalls(api.users.changeMany);
  expect(change?.body).toMatchObject({
    userIds: [HERE.id],
    change: 'grant',
    transmissionLevels: [REFUGE_LEVEL.id],
  });

  // Failed rows can be corrected in the same table.
  await page.getByRole('button', { name: 'Fix 1 and try again' }).click();
  await expectText(send, 'Invite 1 person');
  await reloadPage();
  await expectText(row('tashi@example.org').first(), 'Invited');
  await pressKeyOn(page.getByRole('button', { name: 'Cancel' }), 'Enter');
  await expectText(page.getByRole('alertdialog'), 'Discard this list?Invited people stay invited.');
  await pressKeyOn(page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }), 'Enter');
  const choice = page.getByRole('region', { name: 'Choose a list' });
  await expect.element(choice).toHaveFocus();
  await expectText(choice, 'List discardedInvited people stay invited.');
});

test('a reload does not reopen the tab of a finished import', async () => {
  mockInvitations();
  await openList();
  await choose('one.csv', 'E-Mail;Name\npema@example.org;Pema\n');
  await page.getByRole('button', { name: 'Invite 1 person' }).click();
  await expect.element(page.getByRole('button', { name: 'Import another list' })).toBeVisible();
  await reloadPage();
  await expect.element(tab).toHaveAttribute('aria-selected', 'false');
  await tab.click();
  await expectText(row('pema@example.org'), 'Invited');
});

test('asks once what an unknown level name means and applies the answer to all rows', async () => {
  mockInvitations();
  await openList();
  await choose(
    'retreat.csv',
    'E-Mail;Name;Stufe\ntashi@example.org;Tashi;Zuflucht\nkarma@example.org;Karma;ZUFLUCHT\npema@example.org;Pema;?\n',
  );
  const send = page.getByRole('button', { name: /^Invite \d/ });
  await expectText(send, 'Invite 0 people');
  await page.getByLabelText('“Zuflucht” · 2 people').selectOptions('Refuge');
  await expectText(send, 'Invite 2 people');
  await page.getByLabelText('“?” · 1 person').selectOptions('Use the levels chosen for everyone');
  await reloadPage();
  await expectText(row('pema@example.org'), 'New: gets an email');
  await pressKeyOn(send, 'Enter');
  await expectText(row('pema@example.org'), 'Invited');
  const [{ body } = { body: null }] = getCalls(api.invitations.invite);
  expect(body).toMatchObject({
    invites: [
      { email: 'tashi@example.org', transmissionLevels: [REFUGE_LEVEL.id] },
      { email: 'karma@example.org', transmissionLevels: [REFUGE_LEVEL.id] },
      { email: 'pema@example.org', transmissionLevels: [TEST_LEVELS[0]!.id] },
    ],
  });
});

test('checks a person again in a second list after inviting them from the first', async () => {
  mockInvitations();
  await openList();
  await choose('first.csv', 'E-Mail;Name\npema@example.org;Pema\n');
  await page.getByRole('button', { name: 'Invite 1 person' }).click();
  await expectText(row('pema@example.org'), 'Invited');
  const account = { ...HERE, firstName: 'Pema', lastName: null };
  mockEndpoint(api.invitations.check, { results: [{ issues: [], account }] });
  await page.getByRole('button', { name: 'Import another list' }).click();
  await choose('second.csv', 'E-Mail;Name\npema@example.org;Pema\n');
  await expectText(row('pema@example.org'), 'Has an account: no change');
});

test('an import request whose response was lost is retried with the same ids', async () => {
  mockInvitations();
  await openList();
  const rows = Array.from({ length: 60 }, (_, index) => `p${index}@example.org,Person Number${index}`);
  await choose('sixty.csv', `Email,Name\n${rows.join('\n')}`);
  const send = page.getByRole('button', { name: 'Invite 60 people' });
  await expect.element(send).toBeVisible();
  await expect.element(send).not.toHaveAttribute('aria-disabled');
  loseNextResponse(api.invitations.invite);
  await send.click();
  await expectText(page.getByText(/^60 invited/).first(), '60 invited');
  const [lost, again, ...others] = getCalls(api.invitations.invite).map(
    ({ body }) => (body as { invites: Row[] }).invites,
  );
  expect(lost).toHaveLength(25);
  expect(again).toEqual(lost);
  expect(others.map((invites) => invites.length)).toEqual([25, 10]);
  const ids = [...again!, ...others.flat()].map(({ clientId }) => clientId);
  expect(new Set(ids).size).toBe(60);
});

test('an import stopped by a server error can be continued after a reload', async () => {
  mockInvitations();
  await openList();
  const rows = Array.from({ length: 30 }, (_, index) => `p${index}@example.org,Person Number${index}`);
  await choose('thirty.csv', `Email,Name\n${rows.join('\n')}`);
  rejectCalls(api.invitations.invite, 500, { message: 'Something broke.', times: 1 });
  await page.getByRole('button', { name: 'Invite 30 people' }).click();
  await expectText(
    page.getByRole('alert').filter({ hasText: 'Something broke.' }),
    'nobody is invited twice',
  );
  await reloadPage();
  await expectText(page.getByText('0 of 30 done').first(), '0 of 30');
  await page.getByRole('button', { name: 'Invite the remaining 30' }).click();
  await expectText(page.getByText(/^30 invited/).first(), '30 invited');
  const [first, again] = getCalls(api.invitations.invite).map(({ body }) => body);
  expect(again).toEqual(first);
});

describe('tables', () => {
  test('pasting a table into a field for one person opens the import', async () => {
    mockInvitations();
    await renderPage('/admin/invite', { user });
    const emails = page.getByLabelText('Email', { exact: true });
    const field = emails.first();
    await expect.element(field).toBeVisible();
    const paste = (text: string, into = field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return into.element().dispatchEvent(event);
    };
    expect(paste('tashi@example.org\n')).toBe(true);
    expect(paste('tashi@example.org\tTashi\tDolma\njampa@example.org\tJampa\tYeshe')).toBe(false);
    await expect.element(tab).toHaveAttribute('aria-selected', 'true');
    await expectCount(page.getByRole('row'), 3);
    // A second table doesn't replace the list without asking, even if pasted into the other form.
    await page.getByRole('tab', { name: 'One by one' }).click();
    expect(paste('a@example.org\tA\tB\nc@example.org\tC\tD\ne@example.org\tE\tF', emails.last())).toBe(false);
    await expectText(page.getByText('You have an unfinished list'), 'unfinished');
    await page.getByRole('button', { name: 'Keep the unfinished list' }).click();
    await expectCount(page.getByRole('row'), 3);
  });

  test('reads an Excel file with shared and inline strings, gaps and a hidden sheet', async () => {
    mockInvitations();
    await openList();
    await choose('people.xlsx', xlsx());
    await expectTexts(page.getByRole('row'), [
      /^Invite/,
      /2Tashi Dolmatashi@example.org/,
      /5PemaLhamo|5Pema Lhamopema@example.org/,
    ]);
  });

  test('shows an error for a damaged, empty or too large table', async () => {
    await openList();
    const files: [BlobPart, string][] = [
      [new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0]), 'This is an old Excel file'],
      [new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3]), 'This file is damaged'],
      ['\n \n', 'This list is empty.'],
      ['x,y\n'.repeat(1_021), 'at most 1,000 people at once'],
      [bomb(), 'This file is too large'],
      [
        Array.from({ length: 1_001 }, (_, at) => `p${at}@x.org,Per Son\n`).join(''),
        'at most 1,000 people at once',
      ],
      [new Uint8Array(5 * 1024 * 1024 + 1), 'This file is too large. The limit for a table is 5.0 MB.'],
    ];
    for (const [bytes, sentence] of files) {
      await choose('people.xlsx', bytes);
      await expectText(page.getByRole('alert'), sentence);
    }
  });
});

test('the teacher can correct wrongly guessed columns', async () => {
  mockInvitations();
  await openList();
  await choose('odd.csv', 'A,B,C\nDolma,Tashi,tashi@example.org\nYeshe,Jampa,jampa@example.org\n');
  await expectText(row('tashi@example.org'), 'Dolma Tashi');
  await page.getByRole('button', { name: 'Change columns' }).click();
  await expectAccessible('the columns');
  await page.getByLabelText('Column 1').selectOptions('Last name');
  await page.getByLabelText('Column 2').selectOptions('First name');
  await expectText(row('tashi@example.org'), 'Tashi Dolma');
});

test('twelve imported rows fit on the screen without buttons covering other columns', async () => {
  mockInvitations();
  await page.viewport(1440, 900);
  await openList();
  const rows = Array.from(
    { length: 20 },
    (_, n) => `lhundrup.wangchuk${n}@example.org,Lhundrup Wangchuk ${n}`,
  );
  await choose('retreat.csv', `Email,Name\n${rows.join('\n')}`);
  await pressKeyOn(page.getByRole('button', { name: 'Levels for everyone: Open to All' }), 'Enter');
  for (const { name } of TEST_LEVELS.slice(1))
    await page.getByRole('dialog').getByRole('checkbox', { name }).click();
  await userEvent.keyboard('{Escape}');
  const send = page.getByRole('button', { name: 'Invite 20 people' });
  await expect.element(send).toBeVisible();
  await document.fonts.ready;
  const bar = send.element().closest('.sticky')!.getBoundingClientRect();
  const people = page.css('tbody tr').elements();
  expect(people[11]!.getBoundingClientRect().bottom).toBeLessThanOrEqual(bar.top);
  expect(bar.bottom).toBeLessThanOrEqual(900);
  for (const person of people) {
    const outcome = person.lastElementChild!.getBoundingClientRect();
    const levels = person.querySelector('[aria-haspopup]')!.getBoundingClientRect();
    expect(levels.right).toBeLessThanOrEqual(outcome.left);
  }
});

test('at 1024 px, an imported person’s email and levels are shown in full, side by side', async () => {
  mockInvitations();
  await page.viewport(1024, 750);
  await openList();
  await choose('retreat.csv', 'Email,Name\nlhundrup.wangchuk@example.org,Lhundrup Wangchuk');
  await expect.element(page.getByRole('button', { name: 'Invite 1 person' })).toBeVisible();
  await document.fonts.ready;
  const person = row('Lhundrup Wangchuk');
  const email = person.getByText('lhundrup.wangchuk@example.org').element();
  expect(email.getClientRects().length).toBe(1);
  const levels = person.element().querySelector('[aria-haspopup] .truncate, [aria-haspopup]')!;
  expect(levels.scrollWidth).toBeLessThanOrEqual(levels.clientWidth);
  const [beside, box] = [levels.getBoundingClientRect(), email.getBoundingClientRect()];
  expect(beside.top).toBeLessThan(box.top);
  expect(beside.left).toBeGreaterThan(box.left);
});

test('a long imported list shows fifty rows at a time', async () => {
  mockInvitations();
  await openList();
  const rows = Array.from({ length: 120 }, (_, index) => `p${index}@example.org,Person Number${index}`);
  await choose('long.csv', `Email,Name\n${rows.join('\n')}`);
  await expectText(page.getByText('1 to 50 of 120'), '1 to 50');
  await expectCount(page.getByRole('row'), 51);
  await pressKeyOn(page.getByRole('button', { name: 'Next' }), 'Enter');
  await expectText(page.getByText('51 to 100 of 120'), '51 to 100');
  await expect.element(page.getByRole('button', { name: 'Invite 120 people' })).toBeVisible();
  await expect.poll(() => getCalls(api.invitations.check).length).toBe(2);
});

/** A zip bomb: 51 MB of zeros in 50 KB. */
const bomb = () => zipSync({ 'xl/sharedStrings.xml': new Uint8Array(51 * 1024 * 1024) });

function xlsx() {
  const sheet = (rows: string) =>
    strToU8(`<worksheet xmlns="urn:x"><sheetData>${rows}</sheetData></worksheet>`);
  const inline = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const shared = (at: string, index: number) => `<c r="${at}" t="s"><v>${index}</v></c>`;
  const zip = zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook xmlns="urn:x" xmlns:r="urn:r"><sheets><sheet name="Old" state="hidden" r:id="rId1"/><sheet name="New" r:id="rId2"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships xmlns="urn:rel"><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    ),
    'xl/sharedStrings.xml': strToU8(
      '<sst xmlns="urn:x"><si><t>Name</t></si><si><r><t>Ta</t></r><r><t>shi</t></r><r><t xml:space="preserve"> Dolma</t></r><rPh><t>no</t></rPh></si></sst>',
    ),
    'xl/worksheets/sheet1.xml': sheet(`<row r="1">${inline('A1', 'hidden@example.org')}</row>`),
    'xl/worksheets/sheet2.xml': sheet(
      `<row r="1">${shared('A1', 0)}${inline('C1', 'Email')}</row><row r="2">${shared('A2', 1)}${inline('C2', 'tashi@example.org')}</row><row r="5">${inline('A5', 'Pema Lhamo')}<c r="B5"><v>7</v></c><c r="C5" t="str"><f>A1</f><v>pema@example.org</v></c></row>`,
    ),
  });
  return zip;
}
