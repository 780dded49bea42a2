import { expect, test } from './fixtures.ts';

// With an unreachable mail server, sign-in links are offered, but their emails stay in the queue, where the
// test reads them.
test.use({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });

test('a student signs in with an emailed link, then on another device with a code', async ({
  visitor,
  world,
}) => {
  const student = await world.student();
  const asked = await visitor();
  await asked.goto('/melodies');
  await asked.getByRole('button', { name: 'Other ways to sign in' }).press('Enter');
  await asked.getByRole('button', { name: 'Email me a link' }).press('Enter');
  await asked.getByRole('textbox', { name: 'Username or email' }).fill(student.email);
  await asked.keyboard.press('Enter');
  await expect(asked.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();
  const mailed = async () => {
    const [mail] = await world.sql(`select text from mails where recipient = $1 and kind = 'sign-in-link'`, [
      student.email,
    ]);
    return /\/auth#link=[\w-]+/.exec((mail?.['text'] as string | null) ?? '')?.[0];
  };
  await expect.poll(mailed).toBeTruthy();

  // Opens the link on a different device than the one that requested it, and collects the URLs and referrers
  // that the page sends.
  const phone = await visitor({ viewport: { width: 390, height: 844 } });
  const link = (await mailed())!;
  const addresses: string[] = [];
  phone.on('request', async (request) => {
    addresses.push(request.url(), (await request.headerValue('referer').catch(() => null)) ?? '');
  });
  await phone.goto(link);
  await expect(phone.getByRole('heading', { name: 'Sign in as Tashi Dolma?' })).toBeFocused();
  await expect(phone).toHaveURL(`${world.url}/auth`);
  await phone.getByRole('button', { name: 'Sign in as Tashi Dolma' }).press('Enter');
  await expect(phone.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  const token = link.split('=')[1]!;
  // The token is only in the fragment of the opened URL, which browsers don't send.
  expect(addresses.filter((address) => address.includes(token) && !address.includes('#'))).toEqual([]);

  const account = phone.getByRole('button', { name: /account/ });
  await account.press('Enter');
  await phone.getByRole('menuitem', { name: 'Sign in on another device' }).press('Enter');
  const dialog = phone.getByRole('dialog');
  const code = await dialog.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent();
  const tablet = await visitor();
  await tablet.goto('/melodies');
  await tablet.getByRole('button', { name: 'Other ways to sign in' }).press('Enter');
  await tablet.getByRole('button', { name: 'Enter a sign-in code' }).press('Enter');
  await tablet.getByRole('textbox', { name: 'Code' }).fill(code!.toLowerCase());
  await tablet.keyboard.press('Enter');
  await tablet.getByRole('button', { name: 'Sign in as Tashi Dolma' }).press('Enter');
  // After signing in, the tablet shows the page that it had requested before.
  await expect(tablet).toHaveURL(`${world.url}/melodies`);
  await expect(tablet.getByRole('button', { name: /account/ })).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('Signed in on the other device.');

  // The link can be used only once.
  await asked.goto(link);
  await expect(asked.getByRole('alert')).toContainText('This link has already been used');
});
