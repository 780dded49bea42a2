import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { issuesOf } from '#web/api/call.ts';

/** Error messages by field. */
export type FieldErrors<Values> = { [Field in keyof Values]?: string | undefined };

/** The part of a zod schema that a form uses. */
type Schema = { safeParse: (value: unknown) => { error?: { issues: readonly Issue[] } | undefined } };
type Issue = { path: readonly PropertyKey[]; message: string };

export type FormOptions<Values> = {
  /** The values to send; by default, those of the form's named text fields. */
  values?: Values;
  /**
   * Imports the endpoint's schema from its contract. The schema brings zod, about 25 KB, so it is loaded when
   * the form is first focused. If it can't be loaded in time, only `check` and the server validate.
   */
  schema?: (() => Promise<Schema>) | undefined;
  /** Rules that are not in the contract, such as entering a password twice. Their messages override the schema's. */
  check?: (values: Values) => FieldErrors<Values>;
  onValid: (values: Values) => void;
  onInvalid?: (problems: FieldErrors<Values>) => void;
};

/**
 * Returns the props and errors of a form that is validated before it is sent. Each field shows its own message:
 * the contract's, or the server's if the server rejects the value. Focuses the first invalid field. A message
 * disappears when its field is edited.
 */
export function useForm<Values extends object>(options: FormOptions<Values>) {
  const { schema, check, onValid, onInvalid } = options;
  const ref = useRef<HTMLFormElement>(null);
  const [found, setFound] = useState<FieldErrors<Values>>({});
  const [edited, setEdited] = useState<readonly string[]>([]);
  const loading = useRef<Promise<Schema | null>>(null);
  const isChecking = useRef(false);
  const fields = useRef<readonly string[]>([]);

  const load = () =>
    (loading.current ??= (schema?.() ?? Promise.resolve(null)).catch(() => {
      loading.current = null;
      return null;
    }));

  const show = (problems: FieldErrors<Values>) => {
    // Renders synchronously, because the field must be marked, and its section opened, before it gets focus.
    flushSync(() => {
      setFound(problems);
      setEdited([]);
    });
    if (Object.keys(problems).length > 0) focusFirstInvalid(ref.current);
  };

  /** Removes a field's message because its value has changed. */
  const edit = (field: string) =>
    setEdited((before) => (before.includes(field) ? before : [...before, field]));

  const submit = async (form: HTMLFormElement) => {
    if (isChecking.current) return;
    isChecking.current = true;
    const values = options.values ?? (Object.fromEntries(new FormData(form)) as Values);
    const loaded = await Promise.race([load(), waitForTimeout()]);
    isChecking.current = false;
    fields.current = Object.keys(values);
    const issues = loaded?.safeParse(values).error?.issues ?? [];
    const problems = { ...getFirstErrors<Values>(issues), ...check?.(values) };
    show(problems);
    if (Object.keys(problems).length > 0) onInvalid?.(problems);
    else onValid(values);
  };

  return {
    /** Props for the `<form>`. */
    props: {
      ref,
      noValidate: true,
      onFocus: () => void load(),
      onChange: ({ target }: ChangeEvent<HTMLFormElement>) => edit(target.name),
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        // Stops the event. If this form is in a dialog, React would also bubble it to a form around the dialog.
        event.stopPropagation();
        void submit(event.currentTarget);
      },
    },
    problems: Object.fromEntries(
      Object.entries(found).filter(([field]) => !edited.includes(field)),
    ) as FieldErrors<Values>,
    /** Whether the latest error was shown at a field, and so needs no message for the whole form. */
    isShownAtField: Object.keys(found).length > 0,
    show,
    edit,
    /** Shows the issues in the server's response that concern a field of this form. Returns whether there are any. */
    showServerErrors: (error: unknown) => {
      const issues = Object.entries(getServerFieldErrors(error));
      const known = issues.filter(([field]) => fields.current.includes(field));
      show(Object.fromEntries(known) as FieldErrors<Values>);
      return known.length > 0;
    },
    reset: () => {
      ref.current?.reset();
      setFound({});
    },
  };
}

const SCHEMA_TIMEOUT_MS = 3_000;
const waitForTimeout = () => new Promise<null>((resolve) => setTimeout(resolve, SCHEMA_TIMEOUT_MS, null));

export const focusFirstInvalid = (form: HTMLElement | null) =>
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();

/** Returns the server's first message for each field; an empty object if the error concerns no field. */
export const getServerFieldErrors = <Values>(error: unknown) =>
  getFirstErrors<Values>(issuesOf(error).map(({ path, message }) => ({ path: path.split('.'), message })));

/** Returns the first message for each field. */
const getFirstErrors = <Values>(issues: readonly Issue[]) =>
  Object.fromEntries(
    issues.map(({ path: [field], message }) => [field, message]).reverse(),
  ) as FieldErrors<Values>;
