import type { ReactNode } from 'react';
import { sentenceOf } from '../../../platform/web/call.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { UploadStatus } from '../../../platform/web/uploads/upload-status.tsx';
import type { Level } from '../../levels/contract.ts';
import type { MelodyDetail } from '../contract.ts';
import { MelodyFileFields } from './melody-file-fields.tsx';
import { MelodyTextFields } from './melody-text-fields.tsx';
import type { MelodyFormState } from './use-melody-form.ts';
import { failedTo } from './use-save-melody.ts';

type MelodyFormProps = {
  form: MelodyFormState;
  levels: readonly Level[];
  /** The melody to change; null for a new one. */
  melody: MelodyDetail | null;
  /** Placed before the save button. */
  children?: ReactNode;
};

/** The form for both adding and editing melodies. */
export function MelodyForm({ form, levels, melody, children }: MelodyFormProps) {
  const { formRef, typed, files, problems, save, change, choose, submit } = form;
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]"
    >
      <div className="measure grid grid-cols-[minmax(0,1fr)] content-start gap-6">
        <MelodyTextFields {...{ typed, levels, problems }} isNew={melody === null} onChange={change} />
      </div>
      <div className="measure grid grid-cols-[minmax(0,1fr)] content-start gap-6">
        <MelodyFileFields {...{ typed, files, problems, melody }} onChange={change} onFiles={choose} />
        {save.isPending && <UploadStatus state={save.upload.state} onStop={save.upload.stop} />}
        {save.upload.state.step === 'stopped' && (
          <Notice>Sending was stopped. Everything you gave is still here.</Notice>
        )}
        {save.error && (
          <Notice tone="danger" title={failedTo(melody)}>
            {sentenceOf(save.error, 'Please try again.')} Everything you gave is still here.
          </Notice>
        )}
        {children}
        <Button type="submit" variant="primary" isWide busy={save.isPending}>
          {melody === null ? 'Add Melody' : 'Save Changes'}
        </Button>
      </div>
    </form>
  );
}
