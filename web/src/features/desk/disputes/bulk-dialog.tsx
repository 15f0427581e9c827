import {
  BULK_ACTIONS,
  BULK_MAX,
  type BulkAction,
  previewBulkRuling,
  type RulingPreview,
  ruleInBulk,
} from '@sought/contract/casework'
import type { DeskDispute } from '@sought/contract/disputes'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import { canMove } from '@sought/escrow/moves'
import { Layers } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { disputeTitle } from '../../../shared/disputes/dispute-status.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogClose } from '../../../ui/overlays/dialog.tsx'
import { resolutionLabels } from '../shared/use-resolve.ts'
import { BulkPreview } from './bulk-preview.tsx'

const NOTE_MAX_LENGTH = 5000

const actionOptions = BULK_ACTIONS.map((value) => ({ value, label: resolutionLabels[value] }))
const isBulkAction = (value: string): value is BulkAction => BULK_ACTIONS.some((action) => action === value)

const countDisputes = (count: number) => (count === 1 ? '1 dispute' : `${count} disputes`)

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
  const [action, setAction] = useState<BulkAction | ''>('')
  const [note, setNote] = useState('')
  const [preview, setPreview] = useState<readonly RulingPreview[]>([])
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const ids = disputes.map(({ id }) => id)
  const previews = useAction(previewBulkRuling, {
    failure: explainFailure('The amounts could not be calculated'),
    onDone: setPreview,
  })
  const rulings = useAction(ruleInBulk, {
    failure: explainFailure('The disputes were not ruled on'),
    onDone,
  })
  const isMissing = note.trim() === ''
  const choose = (value: string) => {
    if (!isBulkAction(value)) return
    setAction(value)
    setPreview([])
    void previews.run({ body: { ids, action: value } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (action && !isMissing && preview.length > 0) setIsConfirming(true)
  }
  const confirm = async () => {
    if (action) await rulings.run({ body: { ids, action, note, preview: [...preview] } })
    setIsConfirming(false)
  }
  return (
    <form
      noValidate
      aria-label="Bulk ruling"
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      <p className="font-strong">{countDisputes(disputes.length)} selected</p>
      <Select
        label="Resolution action"
        placeholder="Select an action"
        options={actionOptions}
        value={action}
        error={isSubmitted && !action ? 'Please select a resolution action' : undefined}
        onChange={({ target }) => choose(target.value)}
      />
      <TextArea
        label="Reason"
        rows={3}
        maxLength={NOTE_MAX_LENGTH}
        error={isSubmitted && isMissing ? 'Please give a reason' : undefined}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {action && <BulkPreview disputes={disputes} preview={preview} busy={previews.isPending} />}
      <DialogActions>
        <DialogClose>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit" busy={previews.isPending} disabled={action !== '' && preview.length === 0}>
          Rule on {countDisputes(preview.length || disputes.length)}
        </Button>
      </DialogActions>
      {action && (
        <ConfirmDialog
          title={`${resolutionLabels[action]}?`}
          description={`The money of ${countDisputes(preview.length)} moves immediately and all parties are notified. This cannot be undone.`}
          confirmLabel="Confirm and Move the Money"
          busy={rulings.isPending}
          open={isConfirming}
          onOpenChange={setIsConfirming}
          onConfirm={() => void confirm()}
        />
      )}
    </form>
  )
}

const explain = (code: string) =>
  code in refusals ? refusals[code as RefusalCode].message : 'Please open the dispute and try again.'

function BulkResult({ result: { ruled, changed } }: { result: Result }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {ruled.length > 0 && (
        <Notice live tone="success" title={`${countDisputes(ruled.length)} ruled on`}>
          {ruled.map((id) => `#${id}`).join(', ')}
        </Notice>
      )}
      {changed.length > 0 && (
        <Notice live tone="warning" title={`${countDisputes(changed.length)} not ruled on`}>
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
