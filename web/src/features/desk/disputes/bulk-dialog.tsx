import {
  BULK_ACTIONS,
  BULK_MAX,
  BulkRuling,
  previewBulkRuling,
  RULING_NOTE_MAX_LENGTH,
  type RulingPreview,
  ruleInBulk,
} from '@sought/contract/casework'
import type { DeskDispute } from '@sought/contract/disputes'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import { canMove } from '@sought/escrow/moves'
import { Layers } from 'lucide-react'
import { useState } from 'react'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { plural } from '../../../format/plural.ts'
import { disputeTitle } from '../../../shared/disputes/dispute-status.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { FormFields } from '../../../shared/forms/form.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { Dialog, DialogActions, DialogClose } from '../../../ui/overlays/dialog.tsx'
import { resolutionLabels } from '../shared/resolution.ts'
import { BulkPreview } from './bulk-preview.tsx'

const actionOptions = BULK_ACTIONS.map((value) => ({ value, label: resolutionLabels[value] }))

interface Result {
  ruled: number[]
  changed: { id: number; code: string }[]
}

interface BulkDialogProps {
  /** The selected disputes. */
  disputes: readonly DeskDispute[]
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  onDone: () => void
}

/**
 * Rules on the selected disputes with one action and one reason. Stays open to list those that have changed since.
 */
export function BulkDialog({ disputes, open, onOpenChange, onDone }: BulkDialogProps) {
  const [result, setResult] = useState<Result | null>(null)
  const change = (isOpen: boolean) => {
    onOpenChange(isOpen)
    setResult(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Bulk Actions"
      description={
        result
          ? undefined
          : 'All selected disputes get the same ruling. Both parties of each can read the reason.'
      }
      trigger={
        // While disputes are selected, the button is in the bar below the list, and its place here stays empty.
        <Button
          variant="secondary"
          size="sm"
          style={{ visibility: disputes.length > 0 ? 'hidden' : undefined }}
        >
          <Layers aria-hidden="true" />
          Bulk Actions
        </Button>
      }
    >
      {result ? (
        <BulkResult result={result} />
      ) : (
        <BulkBody
          disputes={disputes}
          onDone={(done) => {
            setResult(done)
            onDone()
          }}
        />
      )}
    </Dialog>
  )
}

interface BulkFormProps {
  disputes: readonly DeskDispute[]
  onDone: (result: Result) => void
}

function BulkBody({ disputes, onDone }: BulkFormProps) {
  if (disputes.length === 0)
    return <p>Select disputes with the checkboxes on their cards first. Then choose one ruling for all.</p>
  if (disputes.length > BULK_MAX)
    return <p>You can rule on {BULK_MAX} disputes at once. Please select fewer.</p>
  return <BulkForm disputes={disputes} onDone={onDone} />
}

function BulkForm({ disputes, onDone }: BulkFormProps) {
  const [preview, setPreview] = useState<readonly RulingPreview[]>([])
  const ids = disputes.map(({ id }) => id)
  const previews = useAction(previewBulkRuling, {
    failure: explainFailure('The amounts could not be calculated'),
    onDone: setPreview,
  })
  const form = useContractForm(ruleInBulk, {
    schema: BulkRuling,
    values: { note: '' },
    confirm: ({ action }) => ({
      title: `${resolutionLabels[action]}?`,
      description: `The money of ${plural(preview.length, 'dispute')} moves immediately and all parties are notified. This cannot be undone.`,
      confirmLabel: 'Confirm and Move the Money',
    }),
    input: (body) => ({ body: { ...body, ids, preview: [...preview] } }),
    failure: explainFailure('The disputes were not ruled on'),
    onDone,
  })
  const action = form.watch('action')
  const showPreview = () => {
    setPreview([])
    void previews.run({ body: { ids, action: form.getValues('action') } })
  }
  return (
    <FormFields
      form={form}
      name="Bulk ruling"
      buttons={
        <DialogActions>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button
            type="submit"
            busy={previews.isPending || form.isBusy}
            disabled={action && preview.length === 0}
          >
            Rule on {plural(preview.length || disputes.length, 'dispute')}
          </Button>
        </DialogActions>
      }
    >
      <p className="font-strong">{plural(disputes.length, 'dispute')} selected</p>
      <Select
        label="Resolution action"
        placeholder="Select an action"
        defaultValue=""
        options={actionOptions}
        {...form.field('action', { onChange: showPreview })}
      />
      <TextArea label="Reason" rows={3} maxLength={RULING_NOTE_MAX_LENGTH} {...form.field('note')} />
      {action && <BulkPreview disputes={disputes} preview={preview} busy={previews.isPending} />}
    </FormFields>
  )
}

const explain = (code: string) =>
  code in refusals ? refusals[code as RefusalCode].message : 'Please open the dispute and try again.'

function BulkResult({ result: { ruled, changed } }: { result: Result }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {ruled.length > 0 && (
        <Notice live tone="success" title={`${plural(ruled.length, 'dispute')} ruled on`}>
          {ruled.map((id) => `#${id}`).join(', ')}
        </Notice>
      )}
      {changed.length > 0 && (
        <Notice live tone="warning" title={`${plural(changed.length, 'dispute')} not ruled on`}>
          <ul aria-label="Not ruled on" className="mt-1 grid gap-1">
            {changed.map(({ id, code }) => (
              <li key={id}>
                <span className="font-strong">Dispute #{id}:</span> {explain(code)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <DialogClose>
        <Button className="justify-self-start">Close</Button>
      </DialogClose>
    </div>
  )
}

/** Whether an admin can rule on the dispute now. Bulk actions leave out the others. */
export const canRule = ({ status, bankDecides }: DeskDispute) =>
  !bankDecides && canMove(status, 'review', 'admin')

/** The label of the checkbox for screen readers. */
export const selectLabel = (dispute: DeskDispute) => `Select dispute #${dispute.id}, ${disputeTitle(dispute)}`
