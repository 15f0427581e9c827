import {
  REPORT_NOTE_MAX_LENGTH,
  REPORT_REASONS,
  type ReportKind,
  type ReportReason,
  report,
} from '@sought/contract/reports'
import { type FormEvent, useId, useState } from 'react'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { reportReasonLabels } from './report-reasons.ts'

export interface ReportTarget {
  kind: ReportKind
  /** The id of the content, or the address of a picture. */
  id: number | string
}

const names = {
  request: 'this request',
  message: 'this message',
  profile: 'this person',
  review: 'this review',
  picture: 'this picture',
} satisfies Record<ReportTarget['kind'], string>

const options = REPORT_REASONS.map((value) => ({ value, label: reportReasonLabels[value] }))

/** Asks what is wrong, and sends it to our moderators. */
export default function ReportDialog({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const [reason, setReason] = useState<ReportReason | ''>('')
  const [note, setNote] = useState('')
  const [isReasonMissing, setIsReasonMissing] = useState(false)
  const formId = useId()
  const { run, isPending } = useAction(report, {
    success: {
      title: 'Thank you for your report',
      description: 'Our moderators will review it. The person is not told who reported them.',
    },
    failure: explainFailure('The report was not sent'),
    onDone: onClose,
    onSignedOut: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsReasonMissing(!reason)
    if (reason) void run({ body: { ...target, reason, ...(note.trim() && { note }) } })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Report ${names[target.kind]}`}
      description="Our moderators will review it. The person is not told who reported them."
      width="slip"
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={isPending}>
            Send report
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-6">
        <RadioGroup
          label="What is wrong?"
          options={options}
          value={reason}
          onValueChange={(value) => setReason(value as ReportReason)}
          error={isReasonMissing && !reason ? 'Please choose a reason' : undefined}
        />
        <TextArea
          label="Details"
          optional
          rows={3}
          maxLength={REPORT_NOTE_MAX_LENGTH}
          value={note}
          onChange={({ target: { value } }) => setNote(value)}
        />
      </form>
    </Dialog>
  )
}
