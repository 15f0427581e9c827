import {
  type DisputeDraft,
  disputeTypeLabels,
  DISPUTE_TEXT_LENGTHS as LENGTHS,
} from '@sought/contract/dispute-draft'
import { paths } from '@sought/contract/paths'
import type * as z from 'zod/mini'
import type { EntryForm } from '../../shared/forms/entry-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { Select, toOptions } from '../../ui/forms/select.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { desiredOutcomeLabels } from './dispute-options.ts'
import { EvidenceUploader } from './evidence-uploader.tsx'
import { FilingConsequences } from './filing-info.tsx'
import type { EvidenceFiles } from './use-evidence-files.ts'

type DisputeEntries = EntryForm<z.input<typeof DisputeDraft>, DisputeDraft>

interface DisputeFormProps {
  form: DisputeEntries
  evidence: EvidenceFiles
}

export function DisputeForm({ form, evidence }: DisputeFormProps) {
  return (
    <Card padding="lg">
      <Form
        form={form}
        name="Dispute"
        className="gap-6"
        submitLabel="Submit Dispute"
        size="lg"
        aside={
          <LinkButton to={paths.payments()} variant="secondary" size="lg">
            Cancel
          </LinkButton>
        }
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
          {...form.field('additionalComments')}
        />
        <FilingConsequences />
      </Form>
    </Card>
  )
}

function ProblemFields({ form }: { form: DisputeEntries }) {
  return (
    <>
      <Select
        label="Dispute type"
        placeholder="Select a type"
        defaultValue=""
        options={toOptions(disputeTypeLabels)}
        {...form.field('disputeType')}
      />
      <TextField
        label="Reason"
        placeholder="The problem in one line"
        maxLength={LENGTHS.reason}
        {...form.field('reason')}
      />
      <TextArea
        label="Description"
        rows={5}
        maxLength={LENGTHS.description}
        hint="What happened, when, and how it differs from what was agreed. The seller will read it too."
        {...form.field('description')}
      />
    </>
  )
}

function ResolutionFields({ form }: { form: DisputeEntries }) {
  return (
    <>
      <TextArea
        label="Attempted resolution"
        optional
        rows={2}
        maxLength={LENGTHS.attemptedResolution}
        hint="What you have tried with the seller so far, and how they replied."
        {...form.field('attemptedResolution')}
      />
      <Select
        label="Desired outcome"
        placeholder="How should it be resolved?"
        options={toOptions(desiredOutcomeLabels)}
        {...form.field('desiredOutcome')}
      />
    </>
  )
}

/** Checking the box shows the uploader; unchecking it clears the files. */
function EvidenceFields({ form, evidence }: { form: DisputeEntries; evidence: EvidenceFiles }) {
  const hasEvidence = form.watch('hasEvidence')
  const checkbox = form.field('hasEvidence', {
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
            {...form.field('evidenceDescription')}
          />
        </>
      )}
    </div>
  )
}
