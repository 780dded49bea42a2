import { useMutation } from '@tanstack/react-query';
import { byteSizeInWords } from '#shared/byte-size.ts';
import { sentenceOf } from '../api/call.ts';
import { toast } from '../ui/toasts.ts';

export type Measured = {
  /** '34 recordings and 12 replies'; null if there is nothing. */
  contents: string | null;
  bytes: number;
};

const BEGUN = 'Download started.';
const FAILED = 'The download couldn’t start.';
const NOTHING = 'There is nothing to download yet.';

export type ExportState = ReturnType<typeof useExport>;

/**
 * Downloads an archive. The browser would show a refusal as a failed download without a reason, so the page measures
 * the archive first: that call fails for the same reasons.
 */
export function useExport(href: string, measure: () => Promise<Measured>) {
  const begin = useMutation({
    mutationFn: measure,
    onSuccess: ({ contents }) => {
      toast({ title: contents === null ? NOTHING : BEGUN });
      if (contents !== null) download(href);
    },
    onError: (error) => toast({ title: FAILED, description: failureOf(error), variant: 'destructive' }),
  });
  return {
    begin: () => begin.mutate(),
    isBeginning: begin.isPending,
    outcome: begin.isError
      ? ({ tone: 'danger', title: FAILED, text: failureOf(begin.error) } as const)
      : begin.isSuccess
        ? outcomeOf(begin.data)
        : null,
  };
}

const outcomeOf = ({ contents, bytes }: Measured) =>
  contents === null
    ? ({ tone: 'info', title: NOTHING, text: null } as const)
    : ({
        tone: 'success',
        title: BEGUN,
        text: `${contents}, ${byteSizeInWords(bytes)}. Your browser shows its progress.`,
      } as const);

const failureOf = (error: unknown) => sentenceOf(error, 'Please try again.');

/**
 * Downloads by a link, so that the browser streams the response to the disk; that does not count as leaving the page.
 */
function download(href: string) {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}

/** Returns '1 recording' or '12 replies'. */
export const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
