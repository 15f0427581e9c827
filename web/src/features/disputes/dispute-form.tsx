import {
  DisputeDraft,
  disputeTypeLabels,
  DISPUTE_TEXT_LENGTHS as LENGTHS,
} from '@sought/contract/dispute-draft'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { toast } from '../../data/toasts.ts'
import { useContractForm } from '../../shared/forms/form.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { Select, toOptions } from '../../ui/forms/select.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { desiredOutcomeLabels } from './dispute-options.ts'
import { EvidenceUploader } from './evidence-uploader.tsx'
import { FilingConsequences } from './filing-info.tsx'
import type { EvidenceFiles } from './use-evidence-files.ts'

interface DisputeFormProps {
  evidence: EvidenceFiles
  busy: boolean
  onSubmit: (draft: DisputeDraft) => Promise<void>
}

const emptyDraft = {
  reason: '',
  description: '',
  attemptedResolution: '',
  desiredOutcome: '',
  hasEvidence: false,
  evidenceDescription: '',
  additionalComments: '',
} as const

type Form = ReturnType<typeof useDisputeForm>

const useDisputeForm = () => useContractForm(DisputeDraft, emptyDraft)

export function DisputeForm({ evidence, busy, onSubmit }: DisputeFormProps) {
  const form = useDisputeForm()
  const submit = form.handleSubmit(onSubmit, () =>
    toast({
      title: 'Missing Information',
      description: 'Please fill in all required fields',
      variant: 'destructive',
    }),
  )
  return (
    <Card asChild padding="lg">
      <form
        noValidate
        aria-label="Dispute"
        onSubmit={submit}
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
      >
        <ProblemFields form={form} />
        <ResolutionFields form={form} />
        <EvidenceFields form={form} evidence={evidence} />
        <TextArea
          label="Additional comments"
          optional
          rows={2}
          maxLength={LENGTHS.additionalComments}
          hint="Anything else we should know."
          {...form.register('additionalComments')}
        />
        <FilingConsequences />
        <div className="flex flex-wrap gap-3 max-sm:flex-col">
          <Button type="submit" size="lg" busy={busy}>
            Submit Dispute
          </Button>
          <Button asChild variant="secondary" size="lg">
            <Link href={paths.payments()}>Cancel</Link>
          </Button>
        </div>
      </form>
    </Card>
  )
}

function ProblemFields({ form }: { form: Form }) {
  const { errors } = form.formState
  return (
    <>
      <Select
        label="Dispute type"
        placeholder="Select a type"
        defaultValue=""
        options={toOptions(disputeTypeLabels)}
        error={errors.disputeType?.message}
        {...form.register('disputeType')}
      />
      <TextField
        label="Reason"
        placeholder="The problem in one line"
        maxLength={LENGTHS.reason}
        error={errors.reason?.message}
        {...form.register('reason')}
      />
      <TextArea
        label="Description"
        rows={5}
        maxLength={LENGTHS.description}
        hint="What happened, when, and how it differs from what was agreed. The seller will read it too."
        error={errors.description?.message}
        {...form.register('description')}
      />
    </>
  )
}

function ResolutionFields({ form }: { form: Form }) {
  return (
    <>
      <TextArea
        label="Attempted resolution"
        optional
        rows={2}
        maxLength={LENGTHS.attemptedResolution}
        hint="What you have tried with the seller so far, and how they replied."
        {...form.register('attemptedResolution')}
      />
      <Select
        label="Desired outcome"
        placeholder="How should it be resolved?"
        options={toOptions(desiredOutcomeLabels)}
        {...form.register('desiredOutcome')}
      />
    </>
  )
}

/** Checking the box shows the uploader; unchecking it clears the files. */
function EvidenceFields({ form, evidence }: { form: Form; evidence: EvidenceFiles }) {
  const hasEvidence = form.watch('hasEvidence')
  const checkbox = form.register('hasEvidence', {
    onChange: ({ target }) => {
      if (!target.checked) evidence.clear()
    },
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Checkbox
        label="I have evidence to support my claim"
        hint="Photos, screenshots, receipts or letters. You can add more after filing."
        {...checkbox}
      />
      {hasEvidence && (
        <>
          <EvidenceUploader evidence={evidence} />
          <TextArea
            label="About the evidence"
            optional
            rows={2}
            maxLength={LENGTHS.evidenceDescription}
            hint="What the files show."
            {...form.register('evidenceDescription')}
          />
        </>
      )}
    </div>
  )
}
