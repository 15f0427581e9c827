import { type DeskDispute, sendBankEvidence } from '@sought/contract/disputes'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'

const CONTENTS = [
  'the messages of buyer and seller about this item',
  'their statements, and what our team added',
  'all pictures and text files, and one PDF',
  'the description of the item, the amount and the dates of payment, delivery and release',
  'the buyer’s name and email address',
]

export function SendEvidenceButton({ dispute: { id } }: { dispute: DeskDispute }) {
  const { run } = useAction(sendBankEvidence, {
    success: { title: 'Evidence Sent', description: 'The bank has it and will decide.' },
    failure: explainFailure('Evidence Not Sent'),
  })
  return (
    <ConfirmDialog
      title="Send the evidence to the bank?"
      description="The bank accepts evidence once. You cannot add anything later."
      confirmLabel="Send Evidence"
      onConfirm={() => run({ params: { id: String(id) } })}
      trigger={<Button size="sm">Send evidence to the bank</Button>}
    >
      <p>This is sent:</p>
      <ul className="mt-1 grid list-disc gap-1 pl-5">
        {CONTENTS.map((content) => (
          <li key={content}>{content}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
