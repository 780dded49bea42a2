import { explainError } from '#web/ui/sentences.ts';
import type { ReactNode } from 'react';
import { clsx } from 'clsx';
import { Button } from '#web/ui/button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { UploadStatus } from '#web/uploads/upload-status.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { MelodyDetail } from '../contract.ts';
import { MelodyAudioField, MelodyThumbnailField, MelodyVideoUrlField } from './melody-file-fields.tsx';
import {
  MelodyDescriptionField,
  MelodyTitleAndLevelFields,
  MelodyWordsFields,
} from './melody-text-fields.tsx';
import { hasProblemInCollapsedFields, hasValueInCollapsedFields } from './melody-form-values.ts';
import type { MelodyFormState } from './use-melody-form.ts';
import { getSaveMelodyFailureTitle } from './use-save-melody.ts';

type MelodyFormProps = {
  form: MelodyFormState;
  levels: readonly Level[];
  /** Null for a new melody. */
  melody: MelodyDetail | null;
  /** Rendered before the save button. */
  children?: ReactNode;
};

export function MelodyForm({ form, levels, melody, children }: MelodyFormProps) {
  const { typed, files, lrc, problems, save, change, choose } = form;
  const fields = { typed, problems, onChange: change };
  const fileFields = { files, problems, melody, onFiles: choose };
  return (
    <form
      {...form.form.props}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,40rem)] xl:grid-rows-[auto_1fr]"
    >
      <div className={columnClasses}>
        <MelodyTitleAndLevelFields {...fields} {...{ levels }} isNew={melody === null} />
        <MelodyAudioField {...fileFields} />
      </div>
      <div className={clsx(columnClasses, 'xl:col-start-2 xl:row-span-2 xl:row-start-1')}>
        <MelodyWordsFields {...fields} {...{ lrc }} />
      </div>
      <div className={columnClasses}>
        <Disclosure
          label="Description, picture and video"
          isOpenAtFirst={hasValueInCollapsedFields(melody)}
          isNeeded={hasProblemInCollapsedFields(typed, problems)}
        >
          {() => (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
              <MelodyDescriptionField {...fields} />
              <MelodyThumbnailField {...fileFields} />
              <MelodyVideoUrlField {...fields} />
            </div>
          )}
        </Disclosure>
        {save.isPending && <UploadStatus state={save.upload.state} onStop={save.upload.stop} />}
        {save.upload.state.step === 'stopped' && <Notice>Sending stopped. Nothing was lost.</Notice>}
        {save.error && (
          <Notice tone="danger" title={getSaveMelodyFailureTitle(melody)}>
            {explainError(save.error, 'Please try again.', 'Nothing was lost.')}
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

const columnClasses = 'measure grid grid-cols-[minmax(0,1fr)] content-start gap-6';
