import { expect, test } from 'vitest';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp({ environment: { PUBLIC_URL: 'https://songs.example' } });

test('on https, cookies are bound to the host and HSTS is on', async () => {
  const student = await app.make.student();
  const reply = await app
    .visitor()
    .post('/api/login', { username: student.username, password: TEST_PASSWORD });
  const [session, device] = ['__Host-session=', '__Host-device='].map((name) =>
    reply.headers.getSetCookie().find((line) => line.startsWith(name)),
  );
  for (const cookie of [session, device]) {
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).not.toMatch(/Domain/);
  }
  expect(reply.headers.get('strict-transport-security')).toBe('max-age=31536000');
});

test('HSTS_SUBDOMAINS includes all subdomains in HSTS', async () => {
  const environment = { PUBLIC_URL: 'https://songs.example', HSTS_SUBDOMAINS: 'true' };
  const strict = await startTestApp({ environment, beside: app });
  const { headers } = await strict.visitor().get('/auth');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
});

test('on https, the OpenAPI document names the session cookie __Host-session', async () => {
  const { body } = await app.visitor().get('/api/openapi.json');
  expect(body.components.securitySchemes.session).toMatchObject({ in: 'cookie', name: '__Host-session' });
});
