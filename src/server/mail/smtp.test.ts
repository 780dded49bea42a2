import { expect, test } from 'vitest';
import { parseMailServer } from './mail-settings.ts';
import { getSmtpTransportOptions } from './smtp.ts';

const to = (url: string) => getSmtpTransportOptions(parseMailServer(url));

test('sends a password to another machine only over TLS', () => {
  expect(to('smtp://songs:word@mail.example.org').requireTLS).toBe(true);
  expect(to('smtps://songs:word@mail.example.org')).toMatchObject({ secure: true, requireTLS: false });
  expect(to('smtp://mail.example.org').requireTLS).toBe(false);
  expect(to('smtp://songs:word@127.0.0.1').requireTLS).toBe(false);
});

test('accepts an untrusted certificate only from a server on this machine', () => {
  expect(to('smtp://mail.example.org')).not.toHaveProperty('tls');
  expect(to('smtp://127.0.0.1.example.org')).not.toHaveProperty('tls');
  for (const host of ['localhost', '127.0.0.1', '127.0.1.1', '[::1]']) {
    expect(to(`smtp://${host}`)).toHaveProperty('tls', { rejectUnauthorized: false });
  }
});
