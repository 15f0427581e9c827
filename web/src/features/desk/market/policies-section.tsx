import { CONSENT_POLICIES, POLICIES, type Policy } from '@sought/contract/constants'
import {
  listPolicies,
  NewPolicyVersion,
  POLICY_TEXT_MAX_LENGTH,
  type PolicyVersion,
  publishPolicy,
} from '@sought/contract/policies'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useRead } from '../../../data/calls.ts'
import { explainFailure } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Markdown, parseMarkdown } from '../../../shared/policies/markdown.tsx'
import { policyNames, policyPaths } from '../../../shared/policies/policy-names.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { Prose } from '../../../ui/layout/prose.tsx'
import { SettingsSection } from './settings-section.tsx'

export function PoliciesSection() {
  const versions = useRead(listPolicies)
  return (
    <SettingsSection
      title="Policies"
      lead="Your own texts instead of the built-in ones. A published version is never changed, only replaced by a newer one."
    >
      <Loaded query={versions} loading={<Skeleton className="h-24" />}>
        {(all) => <Policies versions={all} />}
      </Loaded>
    </SettingsSection>
  )
}

function Policies({ versions }: { versions: PolicyVersion[] }) {
  const [policy, setPolicy] = useState<Policy>('terms_of_service')
  const own = versions.filter((it) => it.policy === policy)
  return (
    <>
      <Select
        label="Policy"
        value={policy}
        options={POLICIES.map((value) => ({ value, label: policyNames[value] }))}
        onChange={(event) => setPolicy(event.target.value as Policy)}
      />
      <Editor key={`${policy}.${own.length}`} policy={policy} latestText={own[0]?.text ?? ''} />
      <Versions policy={policy} versions={own} />
    </>
  )
}

const needsConsent = (policy: Policy) => CONSENT_POLICIES.some((it) => it === policy)

/** The time is entered in the zone of the admin. */
const PolicyEntry = z.extend(NewPolicyVersion, {
  effectiveFrom: z.pipe(
    z.pipe(
      z.string(),
      z.transform((from) => (from === '' ? undefined : new Date(from).toISOString())),
    ),
    NewPolicyVersion.shape.effectiveFrom,
  ),
})

function Editor({ policy, latestText }: { policy: Policy; latestText: string }) {
  const [isPreviewed, setPreviewed] = useState(false)
  const form = useContractForm(publishPolicy, {
    schema: PolicyEntry,
    values: { text: latestText, effectiveFrom: '' },
    confirm: ({ effectiveFrom }) => {
      const when = effectiveFrom ? `on ${formatDateTime(effectiveFrom)}` : 'now'
      return {
        title: `Publish a new version of the ${policyNames[policy]}?`,
        description: needsConsent(policy)
          ? `It comes into force ${when}. From then on users must accept it before they post, offer or pay, and everybody is notified. It cannot be changed or deleted.`
          : `It comes into force ${when}. It cannot be changed or deleted.`,
        confirmLabel: 'Publish Version',
      }
    },
    input: (body) => ({ params: { policy }, body }),
    success: { title: 'Version published' },
    failure: (failed) => (failed.issues.length > 0 ? null : explainFailure('Not published')(failed)),
  })
  const text = form.watch('text')
  return (
    <Form
      form={form}
      className="gap-4"
      submitLabel="Publish Version"
      disabled={text.trim() === ''}
      aside={
        <Button variant="secondary" onClick={() => setPreviewed(!isPreviewed)}>
          {isPreviewed ? 'Edit' : 'Preview'}
        </Button>
      }
    >
      {isPreviewed ? (
        <section
          aria-label="Preview"
          className="max-h-[50dvh] overflow-y-auto rounded-card bg-sunken p-4 [overflow-wrap:anywhere]"
        >
          <Prose>
            <Markdown blocks={parseMarkdown(text)} />
          </Prose>
        </section>
      ) : (
        <TextArea
          label="Text"
          hint="Markdown: # for headings, - for lists, **bold**, [link](https://…). HTML is shown as text."
          rows={8}
          maxLength={POLICY_TEXT_MAX_LENGTH}
          {...form.field('text')}
        />
      )}
      <TextField
        label="In force from"
        type="datetime-local"
        hint="Leave empty for now."
        {...form.field('effectiveFrom')}
      />
    </Form>
  )
}

function Versions({ policy, versions }: { policy: Policy; versions: PolicyVersion[] }) {
  if (versions.length === 0) {
    return (
      <p className="text-ink-soft">
        The{' '}
        <a href={policyPaths[policy]} className="link">
          built-in text
        </a>{' '}
        is in force.
      </p>
    )
  }
  return (
    <ul aria-label="Versions" className="grid gap-3">
      {versions.map(({ version, text, effectiveFrom, createdBy, createdAt }) => (
        <li key={version}>
          <details>
            <summary className="cursor-pointer">
              Version {version}, in force from{' '}
              <time dateTime={effectiveFrom}>{formatDateTime(effectiveFrom)}</time>
            </summary>
            <p className="mt-2 text-fine text-ink-soft">
              Published by {createdBy?.name ?? 'Unknown'} on {formatDateTime(createdAt)}
            </p>
            <pre className="mt-2 max-h-[50dvh] overflow-y-auto whitespace-pre-wrap rounded-card bg-sunken p-4 text-fine [overflow-wrap:anywhere]">
              {text}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  )
}
