import { QueryClientProvider, useMutation } from '@tanstack/react-query';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { expectCount, page, pressKeyOn, userEvent } from '#testing/browser/screen.ts';
import { CallError } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { TextField } from '#web/ui/field.tsx';
import { type FormOptions, useForm } from './use-form.ts';

type Person = { name: string; email: string };

const person = z.object({
  name: z.string().trim().min(1, 'Name is required'),
  email: z.string().min(1, 'Email is required'),
});
const save = vi.fn<(person: Person) => Promise<void>>();

function PersonForm(options: Partial<FormOptions<Person>>) {
  const saving = useMutation({ mutationFn: save, onError: (error) => form.showServerErrors(error) });
  const form = useForm<Person>({ onValid: (typed) => saving.mutate(typed), ...options });
  return (
    <form {...form.props}>
      <TextField label="Name" name="name" error={form.problems.name} />
      <TextField label="Email" name="email" error={form.problems.email} />
      <button type="submit">Save</button>
      {saving.isError && !form.isShownAtField && <p role="alert">It was not saved.</p>}
    </form>
  );
}

let shown: { root: Root; place: HTMLElement };

function show(options: Partial<FormOptions<Person>> = {}) {
  const place = document.body.appendChild(document.createElement('main'));
  shown = { root: createRoot(place), place };
  shown.root.render(
    <QueryClientProvider client={queryClient}>
      <PersonForm schema={() => Promise.resolve(person)} {...options} />
    </QueryClientProvider>,
  );
}

afterEach(() => {
  shown.root.unmount();
  shown.place.remove();
  save.mockReset();
});

const name = page.getByLabelText('Name');
const email = page.getByLabelText('Email');
const submit = () => page.getByRole('button', { name: 'Save' }).click();
const createRejection = (path: string) =>
  new CallError(400, JSON.stringify({ message: 'Refused', issues: [{ path, message: 'Refused' }] }));

test('an invalid form focuses its first invalid field and shows all messages', async () => {
  show();
  await submit();
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAttribute('aria-invalid', 'true');
  await expect.element(name).toHaveAccessibleDescription('Name is required');
  await expect.element(email).toHaveAccessibleDescription('Email is required');
  expect(save).not.toHaveBeenCalled();
});

test('editing a field clears only that field’s message', async () => {
  show();
  await submit();
  await userEvent.keyboard('T');
  await expect.element(name).not.toHaveAttribute('aria-invalid');
  await expect.element(email).toHaveAccessibleDescription('Email is required');
});

test('sends the values if the schema accepts them', async () => {
  show();
  await name.fill('Tashi');
  await email.fill('tashi@example.org');
  await submit();
  await expect
    .poll(() => save.mock.calls.map(([sent]) => sent))
    .toEqual([{ name: 'Tashi', email: 'tashi@example.org' }]);
});

test('a form submitted twice while the schema loads is sent once', async () => {
  let load = (_schema: typeof person) => {};
  show({ schema: () => new Promise((resolve) => (load = resolve)) });
  await name.fill('Tashi');
  await email.fill('tashi@example.org');
  await pressKeyOn(email, 'Enter');
  await pressKeyOn(email, 'Enter');
  load(person);
  await expect.poll(() => save.mock.calls.length).toBe(1);
});

test('leaves validation to the server when the schema can’t be loaded', async () => {
  save.mockRejectedValue(createRejection('email'));
  show({ schema: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')) });
  await submit();
  await expect.element(email).toHaveFocus();
  await expect.element(email).toHaveAccessibleDescription('Refused');
  await expectCount(page.getByRole('alert'), 0);
  await userEvent.keyboard('t');
  await expect.element(email).not.toHaveAttribute('aria-invalid');
  await expectCount(page.getByRole('alert'), 0);
});

test('shows an error for the whole form if the server’s issue is not about a field', async () => {
  save.mockRejectedValue(createRejection('passkey'));
  show({ schema: undefined });
  await submit();
  await expect.element(page.getByRole('alert')).toBeVisible();
});

test('reports the errors of both the schema and the form’s own checks', async () => {
  const onInvalid = vi.fn();
  show({ check: ({ name: typed }) => (typed === 'x' ? { name: 'Too short' } : {}), onInvalid });
  await name.fill('x');
  await submit();
  await expect.element(name).toHaveAccessibleDescription('Too short');
  expect(onInvalid).toHaveBeenCalledExactlyOnceWith({ name: 'Too short', email: 'Email is required' });
});
