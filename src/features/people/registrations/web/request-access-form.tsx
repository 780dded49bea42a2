import { useMutation } from '@tanstack/react-query';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { dismissToastsOfPage, toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';

const SUBMITTED = 'Registration request submitted';
const NEXT_STEP = 'The teacher will review your request and send your login credentials by email.';

type Applicant = { fullName: string; email: string };

export default function RequestAccessForm() {
  const request = useMutation({
    mutationFn: (body: Applicant) => callApi('POST /api/register-request', { body }),
    onSuccess: () => {
      form.reset();
      toast({ title: SUBMITTED, description: NEXT_STEP });
    },
    onError: (error) => {
      form.showServerErrors(error);
      toast({
        title: 'Registration request failed',
        description: toFailureMessage(error),
        variant: 'destructive',
      });
    },
  });

  const form = useForm<Applicant>({
    schema: async () => (await import('../contract.ts')).registrationsApi.request.body,
    onValid: (typed) => request.mutate(typed),
    onInvalid: () => {
      request.reset();
      dismissToastsOfPage();
    },
  });

  return (
    <form {...form.props} className="grid gap-5 pt-7">
      <h2 className="text-2xl">Request Access</h2>
      <Notice tone="amber" isQuiet>
        Registration requires the teacher’s approval. Once approved, your login credentials arrive by email.
      </Notice>
      <TextField
        label="Full name"
        name="fullName"
        autoComplete="name"
        aria-required
        error={form.problems.fullName}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        maxLength={254}
        aria-required
        error={form.problems.email}
      />
      {request.isError && !form.isShownAtField && (
        <Notice tone="danger" title="Registration request failed">
          {toFailureMessage(request.error)}
        </Notice>
      )}
      {request.isSuccess && (
        <Notice tone="success" title={SUBMITTED}>
          {NEXT_STEP}
        </Notice>
      )}
      <Button type="submit" variant="primary" isWide busy={request.isPending} className="mt-1 text-base">
        Submit Request
      </Button>
    </form>
  );
}

const toFailureMessage = (error: unknown) =>
  getErrorMessage(error, 'Couldn’t send your request. Please try again.');
