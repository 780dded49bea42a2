import { readFile } from 'node:fs/promises';
import { expect, TEACHER, test } from './fixtures.ts';

test.use({ sharesWorld: true });

test('a list with awkward rows is dropped; a line that drops in the middle invites nobody twice, and the file of results says what became of each', async ({
  signedIn,
  world,
}) => {
  const known = await world.student({ firstName: 'Known', lastName: 'Student' }, ['Refuge']);
  const rows = [
    'Herbstretreat;;',
    'E-Mail;Name;Zimmer',
    'TASHI@example.net ;"Dolma, Tashi";1',
    '"Jampa <jampa@example.net>";;2',
    ';;',
    'E-Mail;Name;Zimmer',
    'tashi@example.net;Tashi Dolma;3',
    `${known.email};Somebody Known;4`,
    'müller@example;"Jörg Müller";5',
    'anna@example.net;"=Anna Müller";6',
    ...Array.from({ length: 30 }, (_, index) => `p${index}@example.net;Person Number${index};7`),
  ];
  const page = await signedIn(TEACHER);
  await page.goto('/admin/invite');
  await page.getByRole('tab', { name: 'From a list' }).click();
  const field = page.getByLabel('A list of people');
  await field.waitFor();
  // As a spreadsheet in Germany saves it.
  const bytes = [...Buffer.from(rows.join('\r\n'), 'latin1')];
  await field.evaluate((input, given) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(given)], 'herbst.csv', { type: 'text/csv' }));
    input.parentElement!.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, bytes);

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('Jampa')).toContainText('New, invited by mail');
  await expect(row('same as row 3')).toBeVisible();
  await expect(row(known.email)).toContainText('Already here: gets “Open to All”');
  await page.getByLabel('Email in row 9').fill('joerg.mueller@example.net');
  await page.getByLabel('Email in row 9').press('Enter');
  const anna = page.getByLabel('First name in row 10');
  await expect(anna).toHaveAttribute('aria-invalid', 'true');

  // The second request arrives, and its answer is lost.
  let requests = 0;
  await page.route('**/api/admin/invite-users', async (route) => {
    requests += 1;
    if (requests !== 2) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Invite 34 people' }).click();
  await expect(page.getByText('33 invited, 1 given levels').first()).toBeVisible();
  expect(requests).toBe(3);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the results' }).click();
  const file = await readFile(await (await saving).path(), 'utf8');
  const results = file.split('\r\n').slice(0, -1);
  expect(results).toHaveLength(1 + 36);
  expect(results.slice(0, 8)).toEqual([
    '\ufeff"Row","First name","Last name","Email","Levels","Result"',
    '"3","Tashi","Dolma","tashi@example.net","Open to All","Invited"',
    '"4","Jampa",,"jampa@example.net","Open to All","Invited"',
    '"7","Tashi","Dolma","tashi@example.net","Open to All","Twice: same as row 3, left out"',
    `"8","Somebody","Known","${known.email}","Open to All","Already here: got the levels"`,
    '"9","Jörg","Müller","joerg.mueller@example.net","Open to All","Invited"',
    // It opens in a spreadsheet, where it would be a formula.
    `"10","'=Anna","Müller","anna@example.net","Open to All","This looks like a formula"`,
    '"11","Person","Number0","p0@example.net","Open to All","Invited"',
  ]);
  const counted = await world.sql(
    `select count(*)::int as mails, count(distinct user_id)::int as people from mails where recipient like '%@example.net'`,
  );
  expect(counted).toEqual([{ mails: 33, people: 33 }]);
});
