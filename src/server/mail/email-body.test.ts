import { expect, test } from 'vitest';
import { renderEmailBody } from './email-body.ts';

const letter = {
  greeting: 'Tashi delek Pema,',
  parts: [
    { paragraph: 'Welcome.\nHere is how you sign in.' },
    {
      values: [
        ['Username', 'pema'],
        ['Password', 'lotus-in-the-lake'],
      ] as const,
    },
    { button: 'Sign in', href: 'https://songs.example.org/?a=1&b=2' },
    { link: 'No more of these', href: 'https://songs.example.org/stop?a=1&b=2' },
  ],
  closing: 'With love, Khandro-la',
};

/** Returns the visible text of an HTML email. */
const readable = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

const words = (text: string) =>
  text
    .split(/[\s:]+/)
    .filter(Boolean)
    .sort();

test('the text and HTML versions of an email have the same content', () => {
  const { text, html } = renderEmailBody(letter, 'Yangchen');
  expect(words(readable(html))).toEqual(words(text));
  expect(text).toContain(
    'Welcome.\nHere is how you sign in.\n\n  Username: pema\n  Password: lotus-in-the-lake\n',
  );
  expect(html).toContain('href="https://songs.example.org/?a=1&#38;b=2"');
  expect(html).toContain('href="https://songs.example.org/stop?a=1&#38;b=2"');
});

test('escapes user input in the HTML of an email', () => {
  const hostile = `"><img src=x onerror='alert(1)'></td><script>&amp;`;
  const { text, html } = renderEmailBody(
    {
      greeting: hostile,
      parts: [
        { paragraph: hostile },
        { values: [[hostile, hostile]] },
        { button: hostile, href: hostile },
        { link: hostile, href: hostile },
      ],
      closing: hostile,
    },
    hostile,
  );
  expect(html).not.toMatch(/<img|<script|onerror='|src=x onerror="/);
  expect(readable(html).split(hostile).length - 1).toBe(10);
  expect(text.split(hostile).length - 1).toBe(10);
});

test('buttons and links of an email never contain a javascript: or data: URL', () => {
  for (const href of ['javascript:alert(1)', 'data:text/html,x']) {
    const parts = [
      { button: 'Press', href },
      { link: 'Press', href },
    ];
    const { html } = renderEmailBody({ ...letter, parts }, 'Yangchen');
    expect(html.match(/ href="[^"]*"/g)).toEqual([' href="#"', ' href="#"']);
  }
});

test('opening an email loads nothing from the network', () => {
  const { html } = renderEmailBody(letter, 'Yangchen');
  expect(html).not.toMatch(/<img|<link|url\(|@import|@font-face|src=/);
});
