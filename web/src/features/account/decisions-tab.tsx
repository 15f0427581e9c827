import {
  APPEAL_MAX_LENGTH,
  appealDecision,
  DecisionAppeal,
  listOwnDecisions,
  type OwnDecision,
} from '@sought/contract/moderation'
import { paths } from '@sought/contract/paths'
import { useState } from 'react'
import { useRead } from '../../data/calls.ts'
import { explainFailure } from '../../data/use-action.ts'
import { formatDate } from '../../format/dates.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import {
  decisionLabels,
  decisionTones,
  describeDecision,
} from '../../shared/moderation/moderation-decision.ts'
import { TextLink } from '../../shared/navigation/links.tsx'
import { Badge, type BadgeTone } from '../../ui/display/badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Section } from './section.tsx'

/** Moderators' decisions about the user, with their reasons. */
export function DecisionsTab() {
  return (
    <Section
      title="Decisions"
      description={
        <>
          Decisions of our moderators about you and your content. You can appeal against each decision once.
          The rules are in our <TextLink to={paths.termsOfService()}>Terms of Service</TextLink>.
        </>
      }
    >
      <Decisions />
    </Section>
  )
}

function Decisions() {
  const decisions = useRead(listOwnDecisions)
  return (
    <Loaded query={decisions} loading={<Skeleton className="h-40" />}>
      {(list) => <DecisionList decisions={list} />}
    </Loaded>
  )
}

function DecisionList({ decisions }: { decisions: readonly OwnDecision[] }) {
  if (decisions.length === 0) {
    return (
      <EmptyState drawing="letters" title="No decisions" headingLevel="h3">
        Our moderators have not decided anything about you.
      </EmptyState>
    )
  }
  return (
    <ul aria-label="Decisions" className="border-line border-b">
      {decisions.map((decision) => (
        <Decision key={decision.id} decision={decision} />
      ))}
    </ul>
  )
}

function Decision({ decision }: { decision: OwnDecision }) {
  const { action, reason, createdAt, isUndone, appeal } = decision
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t py-5 first:border-t-0 first:pt-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
        <Badge tone={decisionTones[action]}>{decisionLabels[action]}</Badge>
        {isUndone && <Badge tone="accent">No longer applies</Badge>}
        {formatDate(createdAt)}
      </p>
      <p className="[overflow-wrap:anywhere]">{describeDecision(decision)}</p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">
        <span className="font-strong">Reason:</span> {reason}
      </p>
      {appeal ? <Appeal appeal={appeal} /> : !isUndone && <AppealForm decision={decision} />}
    </li>
  )
}

type AppealState = NonNullable<OwnDecision['appeal']>

const outcomes = {
  open: { label: 'Under review', tone: 'attention' },
  granted: { label: 'Granted', tone: 'accent' },
  rejected: { label: 'Rejected', tone: 'danger' },
} as const satisfies Record<AppealState['outcome'], { label: string; tone: BadgeTone }>

function Appeal({ appeal: { text, createdAt, outcome, answer } }: { appeal: AppealState }) {
  const { label, tone } = outcomes[outcome]
  return (
    <section
      aria-label="Your appeal"
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-card bg-sunken p-4"
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-strong">Your appeal</span>
        <Badge tone={tone}>{label}</Badge>
        <span className="text-fine text-ink-soft">{formatDate(createdAt)}</span>
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
      {outcome === 'open' && (
        <p className="text-fine text-ink-soft">
          A moderator who did not make the decision reviews it. We notify you of the outcome.
        </p>
      )}
      {answer && (
        <p className="whitespace-pre-line [overflow-wrap:anywhere]">
          <span className="font-strong">Our answer:</span> {answer}
        </p>
      )}
    </section>
  )
}

function AppealForm({ decision }: { decision: OwnDecision }) {
  const [isOpen, setIsOpen] = useState(false)
  const form = useContractForm(appealDecision, {
    schema: DecisionAppeal,
    values: { text: '' },
    input: (body) => ({ params: { id: String(decision.id) }, body }),
    success: { title: 'Appeal sent', description: 'Another moderator reviews the decision.' },
    failure: explainFailure('The appeal was not sent'),
  })
  if (!isOpen) {
    return (
      <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setIsOpen(true)}>
        Appeal
      </Button>
    )
  }
  return (
    <Form
      form={form}
      name="Appeal"
      className="gap-4"
      submitLabel="Send Appeal"
      aside={
        <Button variant="secondary" onClick={() => setIsOpen(false)}>
          Cancel
        </Button>
      }
    >
      <TextArea
        label="Why is this decision wrong?"
        rows={4}
        autoFocus
        hint="You can appeal once, so write everything that matters."
        maxLength={APPEAL_MAX_LENGTH}
        {...form.field('text')}
      />
    </Form>
  )
}
