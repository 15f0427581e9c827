import {
  NewReport,
  REPORT_NOTE_MAX_LENGTH,
  REPORT_REASONS,
  type ReportKind,
  report,
} from '@sought/contract/reports'
import * as z from 'zod/mini'
import { explainFailure } from '../../data/use-action.ts'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { useContractForm } from '../forms/contract-form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
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
  const form = useContractForm(report, {
    schema: z.pick(NewReport, { reason: true, note: true }),
    values: { note: '' },
    input: ({ reason, note }) => ({ body: { ...target, reason, ...(note && { note }) } }),
    success: {
      title: 'Thank you for your report',
      description: 'Our moderators will review it. The person is not told who reported them.',
    },
    failure: explainFailure('The report was not sent'),
    onDone: onClose,
    onSignedOut: onClose,
  })
  return (
    <FormDialog
      form={form}
      open
      onOpenChange={onClose}
      title={`Report ${names[target.kind]}`}
      description="Our moderators will review it. The person is not told who reported them."
      width="slip"
      submitLabel="Send report"
    >
      <RadioGroup label="What is wrong?" options={options} {...form.field('reason')} />
      <TextArea
        label="Details"
        optional
        rows={3}
        maxLength={REPORT_NOTE_MAX_LENGTH}
        {...form.field('note')}
      />
    </FormDialog>
  )
}
