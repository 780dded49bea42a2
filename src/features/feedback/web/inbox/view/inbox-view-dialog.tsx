import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import {
  getFilterOptions,
  type Facet,
  type FacetedRecording,
  FACETS,
  type InboxView,
  getFilterLabel,
} from './inbox-view.ts';

type InboxViewDialogProps = {
  view: InboxView;
  onView: (view: InboxView) => void;
  /** All entries of the inbox, including those that the view hides. */
  entries: readonly FacetedRecording[];
  autoplaysNext: boolean;
  onAutoplayChange: (playsOn: boolean) => void;
};

const NAMES: Record<Facet, { label: string; all: string }> = {
  student: { label: 'Student', all: 'All students' },
  melody: { label: 'Melody', all: 'All melodies' },
  level: { label: 'Level', all: 'All levels' },
};

/** Button that opens a dialog to filter and group the inbox, and to choose what happens after sending. */
export function InboxViewDialog({
  view,
  onView,
  entries,
  autoplaysNext,
  onAutoplayChange,
}: InboxViewDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  const snoozedCount = entries.filter(({ isSnoozed }) => isSnoozed).length;
  return (
    <>
      <Button
        icon={<SlidersHorizontal />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="max-w-full min-w-0"
      >
        <span dir="auto" className="min-w-0 truncate">
          {getFilterLabel(view, entries)}
        </span>
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Filter">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Select
            label="Group by"
            value={view.groupedBy ?? ''}
            onChange={({ target: { value } }) =>
              onView({ ...view, groupedBy: (value || null) as Facet | null })
            }
          >
            <option value="">No grouping</option>
            {FACETS.map((facet) => (
              <option key={facet} value={facet}>
                {NAMES[facet].label}
              </option>
            ))}
          </Select>
          {FACETS.map((facet) => (
            <Select
              key={facet}
              label={NAMES[facet].label}
              value={view.selectedKeys[facet] ?? ALL}
              onChange={({ target: { value } }) =>
                onView({
                  ...view,
                  selectedKeys: { ...view.selectedKeys, [facet]: value === ALL ? null : value },
                })
              }
            >
              <option value={ALL}>{NAMES[facet].all}</option>
              {getFilterOptions(facet, entries).map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </Select>
          ))}
          <Checkbox
            label={`Include snoozed (${snoozedCount})`}
            checked={view.includesSnoozed}
            onChange={(event) => onView({ ...view, includesSnoozed: event.target.checked })}
          />
          <Checkbox
            role="switch"
            label="Play next after sending"
            hint="After you send feedback, the next recording plays and the cursor is in its text box."
            checked={autoplaysNext}
            onChange={(event) => onAutoplayChange(event.target.checked)}
          />
        </div>
      </Dialog>
    </>
  );
}

/**
 * Value of the option that selects everything. It differs from every key, because ids are numbers and usernames
 * have no spaces.
 */
const ALL = ' all ';
