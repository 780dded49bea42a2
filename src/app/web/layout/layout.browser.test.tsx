import { describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildFeedback,
  buildRecording,
  toReceivedUser,
  buildStudent,
  buildTeacher,
} from '#testing/browser/community.ts';
import { navigationsAndDownloads } from '#testing/browser/navigations-and-downloads.ts';
import { mockEndpoint, breakConnection, holdResponses, rejectCalls } from '#testing/browser/fake-api.ts';
import {
  expectAccessibleWithoutOverflow,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
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
import { readLastUser, storeLastUser } from '#web/offline/last-user.ts';
import {
  clearPendingSignOut,
  setPendingSignOut,
  getPendingSignOutUserId,
} from '#web/offline/pending-sign-out.ts';

const menu = page.getByRole('navigation', { name: 'Main' });
const account = page.getByRole('button', { name: /account/ });
const signInButton = page.getByRole('button', { name: 'Sign In', exact: true });
const tashi = buildStudent();

test('a long email address wraps within the side menu', async () => {
  await renderPage('/', { user: { ...tashi, email: 'kelsang-wangmo.rinchen@monastery.example.org' } });
  const profile = page.getByRole('link', { name: /^Profile/ });
  await expect.element(profile).toBeVisible();
  const { right } = profile.element().parentElement!.getBoundingClientRect();
  expect(profile.element().getBoundingClientRect().right).toBeLessThanOrEqual(right);
});

test('menus differ by role, and a page for another role shows a message', async () => {
  await renderPage('/');
  await expectTexts(menu.getByRole('link'), [
    'Melodies Library',
    'Submit Recording',
    'View Feedback',
    'Past Recordings',
  ]);
  for (const path of ['/admin', '/admin/registrations']) {
    await renderPage(path);
    await expect.element(page.getByText('Access Denied')).toBeVisible();
  }
  await renderPage('/admin/invite');
  await expect.element(page.getByText('This section is for administrators only.')).toBeVisible();

  const user = buildTeacher();
  await renderPage('/submit', { user });
  await expect.element(page.getByText('This section is for students only.')).toBeVisible();
  await expectTexts(menu.getByRole('link'), [
    /^Melodies Library/,
    /^Add Melody/,
    /^Admin Inbox/,
    /^Registration Requests/,
    /^Past Feedback/,
    /^User Management/,
    /^Invite Users/,
  ]);
  await renderPage('/nowhere', { user });
  await expect.element(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await expect.element(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
});

test('signed-in users can open the password reset pages, but not the sign-in page', async () => {
  await renderPage('/auth');
  await expect.element(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await expectUrl(/^\/$/);
  await renderPage('/reset-password');
  await expect.element(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
  await renderPage('/forgot-password');
  await expect.element(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
});

test('the account menu works by keyboard alone and restores focus', async () => {
  const item = (name: string) => page.getByRole('menuitem', { name });
  const keys = (text: string) => userEvent.keyboard(text);
  await renderPage('/');
  // Waits for the heading, which appears when the home page has loaded.
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await pressKeyOn(account, 'Enter');
  await expect.element(item('Profile')).toHaveFocus();
  await expect.element(account).toHaveAttribute('aria-expanded', 'true');
  await expectTexts(page.getByRole('menuitem'), [
    'Profile',
    'Settings',
    'Practice log',
    'Passkeys',
    'Sign in on another device',
    'Download your data',
    'Logout',
  ]);
  await keys('{ArrowDown}');
  await expect.element(item('Settings')).toHaveFocus();
  await keys('{End}{ArrowDown}');
  await expect.element(item('Logout')).toHaveFocus();
  await keys('{Home}{ArrowUp}');
  await expect.element(item('Profile')).toHaveFocus();
  await keys('l');
  await expect.element(item('Logout')).toHaveFocus();
  expect(getComputedStyle(item('Logout').element()).outlineStyle).toBe('solid');
  await expectAccessibleWithoutOverflow('the account menu');
  await keys('{Escape}');
  await expectCount(page.getByRole('menu'), 0);
  await expect.element(account).toHaveFocus();
  await expect.element(account).toHaveAttribute('aria-expanded', 'false');

  await keys('{ArrowUp}');
  await expect.element(item('Logout')).toHaveFocus();
  await keys('{Tab}');
  await expectCount(page.getByRole('menu'), 0);
  await expect.element(account).not.toHaveFocus();

  await pressKeyOn(account, 'ArrowDown');
  await keys('s{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await keys('{Escape}');
  await expect.element(account).toHaveFocus();

  await keys('{Enter} ');
  await expect.element(page.getByRole('heading', { name: 'Change Password' })).toHaveFocus();
  await expectUrl(/^\/change-password$/);
});

test('the account menu links to the passkeys and the download on the profile page', async () => {
  mockEndpoint(api.passkeys.list, []);
  await renderPage('/change-password');
  for (const [item, heading] of [
    ['Download your data', 'Your data'],
    ['Passkeys', 'Passkeys'],
  ] as const) {
    await pressKeyOn(account, 'Enter');
    await pressKeyOn(page.getByRole('menuitem', { name: item }), 'Enter');
    await expect.element(page.getByRole('heading', { name: heading, exact: true })).toHaveFocus();
  }
});

test.each([
  [375, 'normal'],
  [320, 'larger'],
] as const)('the header is one row of 64 px on a screen of %d px with %s text', async (width, textSize) => {
  await page.viewport(width, 640);
  document.documentElement.dataset['textSize'] = textSize;
  for (const path of ['/', '/admin/registrations']) {
    await renderPage(path, { user: buildTeacher() });
    const header = page.getByRole('banner');
    await expect.element(header.getByText('Khandro-la')).toBeVisible();
    await expect.poll(() => header.element().getBoundingClientRect().height).toBeLessThanOrEqual(65);
    expectNoHorizontalScroll(path);
  }
  const title = page.getByRole('banner').getByText('Registration Requests');
  await expect.element(title).toBeVisible();
  const { scrollWidth, clientWidth } = title.element();
  expect(scrollWidth, 'the title is not cut').toBeLessThanOrEqual(clientWidth);
});

test('on a wide screen, the account button has a visible label', async () => {
  await page.viewport(1280, 800);
  await renderPage('/');
  await expect.poll(() => account.getByText('account').element().clientWidth).toBeGreaterThan(40);
});

test('the side menu links to the profile and opens the practice log', async () => {
  await page.viewport(390, 844);
  await renderPage('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expect.element(drawer.getByRole('link', { name: /^Profile/ })).toBeVisible();
  mockEndpoint(api.practiceLog.list, []);
  await drawer.getByRole('button', { name: 'Practice log' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Practice log' })).toBeVisible();
  await expectCount(drawer, 0);
});

test('a press outside the account menu or on its button closes the menu', async () => {
  await renderPage('/');
  await account.click();
  await expect.element(page.getByRole('menu')).toHaveFocus();
  await page.getByRole('main').click({ position: { x: 5, y: 5 } });
  await expectCount(page.getByRole('menu'), 0);
  await account.click();
  await expect.element(page.getByRole('menu', { name: /account/ })).toBeVisible();
  await account.click();
  await expectCount(page.getByRole('menu'), 0);
  await expect.element(account).toHaveFocus();
});

test('signing out by button or from the menu shows the sign-in page', async () => {
  await renderPage('/past-recordings');
  mockEndpoint(api.signIn.signOut, { message: 'Signed out' });
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expectUrl(/^\/auth$/);
  await expect.element(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();

  await renderPage('/');
  await account.click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expectUrl(/^\/auth$/);
  await expect.element(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
});

test('a page without a session clears the user who is stored for offline use', async () => {
  await renderPage('/', { user: tashi });
  await expect.poll(readLastUser).toMatchObject({ username: tashi.username });
  await renderPage('/', { user: null });
  await expect.element(signInButton).toBeVisible();
  await expect.poll(readLastUser).toBeNull();
});

test.each([
  ['there is no connection', () => breakConnection(api.signIn.signOut, { times: 1 })],
  ['a proxy responds for the server', () => rejectCalls(api.signIn.signOut, 502, { times: 1 })],
])('signing out while %s removes the user from the device immediately', async (_, given) => {
  localStorage.setItem(`continue ${tashi.id}`, '{"melodyId":7,"title":"Refuge"}');
  await renderPage('/past-recordings', { user: tashi });
  await expect.poll(readLastUser).toMatchObject({ username: tashi.username });
  given();
  breakConnection(api.health.alive);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expectUrl(/^\/auth$/);
  await expect.element(signInButton).toBeVisible();
  await expect.poll(readLastUser).toBeNull();
  expect(localStorage.getItem(`continue ${tashi.id}`)).toBeNull();
  expect(document.cookie).toContain(`signed-out=${tashi.id}`);
  await expectCount(toastItem, 0);
});

test('a pending sign-out shows the sign-in page, and ends the session when online', async () => {
  setPendingSignOut(tashi.id);
  // An earlier version of the app may have left the last user stored on the device.
  await storeLastUser(toReceivedUser(tashi));
  breakConnection(api.signIn.whoAmI);
  breakConnection(api.health.alive, { times: 1 });
  await reloadPage();
  await expect.element(signInButton).toBeVisible();
  mockEndpoint(api.health.alive, () => {
    // Clears the cookie of the pending sign-out, as the server does.
    clearPendingSignOut();
    return { status: 'ok' as const };
  });
  const backOnline = () => window.dispatchEvent(new Event('online'));
  await expect.poll(() => backOnline() && getPendingSignOutUserId()).toBeNull();
});

test('the user stays signed in if the server fails to sign them out', async () => {
  await renderPage('/', { user: tashi });
  await expect.poll(readLastUser).toMatchObject({ username: tashi.username });
  rejectCalls(api.signIn.signOut, 503, { message: 'Not now.', times: 1 });
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expectText(toastItem, 'Logout failedNot now.');
  expect([getPendingSignOutUserId(), (await readLastUser())?.id]).toEqual([null, tashi.id]);
});

test('signing out in one tab shows the sign-in page in the other', async () => {
  await renderPage('/past-recordings');
  await expect.element(page.getByRole('heading', { name: 'Past Recordings' })).toBeVisible();
  const otherTab = new BroadcastChannel('session ended');
  otherTab.postMessage(null);
  await expect.element(signInButton).toBeVisible();
  otherTab.close();
});

test('a lost session is reported once and leads to the sign-in page', async () => {
  await renderPage('/');
  await expect.element(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  rejectCalls(api.recordings.mine, 401, { message: 'Unauthorized' });
  await menu.getByRole('link', { name: 'Past Recordings' }).click();
  await expectText(toastItem, 'UnauthorizedYou are logged out. Logging in again...');
  await expect.poll(() => navigationsAndDownloads).toEqual(['/api/login']);
});

test('headings and text use the app’s own fonts', async () => {
  await renderPage('/');
  await expect.element(page.getByRole('heading', { name: 'Your Sacred Journey' })).toBeVisible();
  const loaded = () =>
    [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family, style }) => `${family} ${style}`);
  await expect
    .poll(loaded)
    .toEqual(expect.arrayContaining([expect.stringMatching(/Source Serif 4"? normal/)]));
  await expect
    .poll(loaded)
    .toEqual(expect.arrayContaining([expect.stringMatching(/Source Sans 3"? normal/)]));
  const sizes = [document.documentElement, document.body].map(
    (element) => getComputedStyle(element).fontSize,
  );
  expect(sizes).toEqual(['16px', '18px']);
  const sideMenu = page.getByRole('complementary', { name: 'Side menu' }).element();
  // The menu is 64 units of a quarter rem wide.
  expect(sideMenu.getBoundingClientRect().width).toBe(256);
});

test('in the settings, a user changes the theme by keyboard and turns off news emails', async () => {
  let wantsNewsMail = true;
  const user = buildStudent();
  mockEndpoint(api.notifications.choose, ({ body }) => {
    wantsNewsMail = body['wantsNewsMail'] as boolean;
    mockEndpoint(api.signIn.whoAmI, { ...user, wantsNewsMail });
    return { wantsNewsMail };
  });
  await renderPage('/', { user });
  await expect.element(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await pressKeyOn(account, 'Enter');
  await pressKeyOn(page.getByRole('menuitem', { name: 'Settings' }), 'Enter');
  await pressKeyOn(page.getByRole('radio', { name: 'Dark' }), ' ');
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark');
  // index.html reads this value and applies the theme before the first paint.
  expect(localStorage.getItem('theme')).toBe('dark');
  const mail = page.getByRole('checkbox', { name: /Email me when I have feedback/ });
  await expect.element(mail).toBeChecked();
  await mail.click();
  await expect.element(mail).not.toBeChecked();
  await expect.element(mail).toBeEnabled();
  await userEvent.keyboard('{Escape}');

  await reloadPage();
  await account.click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect.element(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await expect.element(mail).not.toBeChecked();
  expect(wantsNewsMail).toBe(false);
});

describe('on a phone', () => {
  const button = page.getByRole('button', { name: 'Menu', exact: true });

  test('on a phone, the menu is a drawer that a link or Escape closes', async () => {
    await page.viewport(390, 844);
    await renderPage('/');
    await button.click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('link', { name: 'Past Recordings' }).click();
    await expect.element(page.getByRole('heading', { name: 'Past Recordings' })).toBeVisible();
    await expectCount(drawer, 0);
    await button.click();
    await expect.element(drawer).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expectCount(drawer, 0);
    await expect.element(button).toHaveFocus();
  });

  test('on a phone, the menu’s button shows the number of waiting items', async () => {
    await page.viewport(390, 844);
    mockEndpoint(api.recordings.countPending, { count: 1 });
    mockEndpoint(api.registrations.countPending, { count: 1 });
    await renderPage('/melodies', { user: buildTeacher() });
    await expect
      .element(page.getByRole('button', { name: 'Menu, 2 waiting: 1 new recording, 1 new request' }))
      .toBeVisible();

    await renderPage('/melodies');
    const title = page.getByRole('banner').getByText('Sacred Melodies');
    await expectText(button, /^Menu$/);
    const before = title.element().getBoundingClientRect().toJSON() as unknown;

    const given = buildFeedback(buildRecording('For the inbox'), { writtenFeedback: 'Heard.' });
    mockEndpoint(api.feedback.unreadCount, { count: 1 });
    mockEndpoint(api.feedback.mine, [given]);
    await renderPage('/melodies');
    const withCount = page.getByRole('button', { name: 'Menu, 1 unread', exact: true });
    await expectText(withCount, '1');
    expect(title.element().getBoundingClientRect().toJSON()).toEqual(before);
    mockEndpoint(api.feedback.setStatus, () => {
      mockEndpoint(api.feedback.unreadCount, { count: 0 });
      mockEndpoint(api.feedback.mine, [{ ...given, status: 'read' }]);
      return { ...given, status: 'read' as const };
    });
    await withCount.click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /View Feedback/ })
      .click();
    await expect.element(page.getByText('Heard.')).toBeVisible();
    await expectText(button, /^Menu$/);
  });
});

describe('a visitor', () => {
  test('the sign-in page shows the mantra as an image', async () => {
    await renderPage('/', { user: null });
    const mani = page.getByRole('img', { name: 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།' });
    await expect.element(mani).toBeVisible();
    await expect.poll(() => (mani.element() as HTMLImageElement).naturalWidth).toBeGreaterThan(0);
  });

  const password = page.getByRole('textbox', { name: 'Password', exact: true });

  test('a visitor can sign in at any URL and then sees the requested page', async () => {
    const student = buildStudent();
    await renderPage('/past-recordings', { user: null });
    await expect
      .poll(
        () =>
          page
            .getByText(/up to 2 minutes of audio/)
            .elements()
            .filter((each) => each.checkVisibility()).length,
      )
      .toBe(1);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect.element(page.getByText('Username is required')).toBeVisible();
    await expect.element(page.getByText('Password is required')).toBeVisible();
    await page.getByLabelText('Username').fill(student.username);
    await password.fill('not it');
    rejectCalls(api.signIn.signIn, 401, { message: 'Invalid username or password' });
    const release = holdResponses(api.signIn.signIn);
    await pressKeyOn(password, 'Enter');
    await expect
      .element(page.getByRole('button', { name: 'Sign In', exact: true }))
      .toHaveAttribute('aria-busy', 'true');
    release();
    await expectText(toastItem, 'Login failedInvalid username or password');
    await expectText(page.getByRole('alert'), /^Invalid username or password$/);
    await expect.element(page.getByLabelText('Username')).toHaveValue(student.username);
    const { suggestOwnPassword: _, wantsNewsMail: __, ...signedIn } = student;
    mockEndpoint(api.signIn.signIn, signedIn);
    await password.fill('it');
    await pressKeyOn(password, 'Enter');
    // Expects a full reload, which discards the visitor's page.
    await expect.poll(() => navigationsAndDownloads).toEqual(['/past-recordings']);
  });

  test('submitting a request for access clears the form, but a failure keeps the text', async () => {
    await renderPage('/auth', { user: null });
    await page.getByRole('tab', { name: 'Request Access' }).click();
    const name = page.getByLabelText('Full name');
    const submit = page.getByRole('button', { name: 'Submit Request' });
    await submit.click();
    await expect.element(page.getByText('Please enter your full name.')).toBeVisible();
    await expect.element(page.getByText('Please enter your email address.')).toBeVisible();
    const ask = async () => {
      await name.fill('Ani Lhamo');
      await page.getByLabelText('Email').fill('ani@example.org');
      await submit.click();
    };
    mockEndpoint(api.registrations.request, { message: 'Thank you' }, { times: 1 });
    await ask();
    await expectText(
      toastItem,
      'Registration request submittedThe teacher will review your request and send your login credentials by email.',
    );
    await expect.element(name).toHaveValue('');
    rejectCalls(api.registrations.request, 429, {
      message: 'Too many requests. Please try again in an hour.',
    });
    await ask();
    await expectText(toastItem, 'Registration request failedToo many requests. Please try again in an hour.');
    await expect.element(name).toHaveValue('Ani Lhamo');
    // The message about the previous request disappears when a new error is shown.
    mockEndpoint(api.registrations.request, { message: 'Thank you' }, { times: 1 });
    await ask();
    await expectText(toastItem, 'Registration request submitted');
    await submit.click();
    await expect.element(page.getByText('Please enter your full name.')).toBeVisible();
    await expectCount(page.getByText('Registration request submitted'), 0);
    // A name that is too long shows an error and is not truncated.
    await name.fill('A'.repeat(101));
    await submit.click();
    await expect.element(name).toHaveValue('A'.repeat(101));
    await expect.element(page.getByText('This text is too long. The limit is 100 characters.')).toBeVisible();
  });
});

test('the installed app’s icon shows the number of waiting items until sign-out', async () => {
  const shown: number[] = [];
  const setAppBadge = (count: number) => Promise.resolve(void shown.push(count));
  Object.defineProperty(navigator, 'setAppBadge', { value: setAppBadge, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'setAppBadge'));
  mockEndpoint(api.feedback.unreadCount, { count: 3 });
  await renderPage('/');
  await expect.poll(() => shown.at(-1)).toBe(3);
  await renderPage('/auth', { user: null });
  await expect.poll(() => shown.at(-1)).toBe(0);
});
