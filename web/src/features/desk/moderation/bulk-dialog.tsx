import { decideCases, type ModerationCase } from '@sought/contract/moderation'
import { paths } from '@sought/contract/paths'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import { type FormEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Dialog, DialogClose } from '../../../ui/overlays/dialog.tsx'
import { actionHints, actionLabels, MODERATION_ACTIONS } from './actions.ts'
import { titleOf } from './case-words.ts'
import { useDecisionDraft } from './decision-draft.ts'
import { DecisionFields } from './decision-fields.tsx'

const allActions = MODERATION_ACTIONS.map((action) => ({
  action,
  label: actionLabels[action],
  hint: actionHints[action],
}))

export interface RefusedCase {
  id: number
  title: string
  why: string
}

interface BulkDialogProps {
  cases: readonly ModerationCase[]
  onDone: (decidedCount: number, refused: readonly RefusedCase[]) => void
}

/** Decides the selected cases with one action and one reason. */
export function BulkDialog({ cases, onDone }: BulkDialogProps) {
  const [open, setOpen] = useState(false)
  const formId = useId()
  const count = describeCount(cases.length)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Decide ${count}`}
      description="All of them get the same decision, and each person concerned gets the same reason."
      trigger={<Button size="sm">Decide {count}</Button>}
      actions={<BulkActions formId={formId} />}
    >
      <BulkForm
        id={formId}
        cases={cases}
        onDone={(...result) => {
          setOpen(false)
          onDone(...result)
        }}
      />
    </Dialog>
  )
}

function BulkActions({ formId }: { formId: string }) {
  return (
    <>
      <DialogClose>
        <Button variant="secondary">Cancel</Button>
      </DialogClose>
      <Button type="submit" form={formId}>
        Decide All
      </Button>
    </>
  )
}

function BulkForm({ id, cases, onDone }: BulkDialogProps & { id: string }) {
  const draft = useDecisionDraft()
  const { run } = useAction(decideCases, {
    success: ({ decided }) => ({ title: `${describeCount(decided.length)} decided` }),
    failure: explainFailure('The cases were not decided'),
    onDone: ({ decided, refused }) =>
      onDone(
        decided.length,
        refused.map(({ id, code }) => ({ id, title: titleById(cases, id), why: explain(code) })),
      ),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = draft.submit()
    if (body) void run({ body: { ...body, ids: cases.map(({ id }) => id) } })
  }
  return (
    <form
      id={id}
      noValidate
      aria-label="Decision"
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      <DecisionFields draft={draft} actions={allActions} />
    </form>
  )
}

const describeCount = (count: number) => (count === 1 ? '1 case' : `${count} cases`)

function titleById(cases: readonly ModerationCase[], id: number): string {
  const found = cases.find((it) => it.id === id)
  return found ? titleOf(found) : ''
}

const explain = (code: string) =>
  code in refusals ? refusals[code as RefusalCode].message : 'Please open the case and try again.'

/** The cases of a bulk decision that are still open. */
export function RefusedCases({ refused, onClose }: { refused: readonly RefusedCase[]; onClose: () => void }) {
  if (refused.length === 0) return null
  return (
    <Notice
      live
      tone="warning"
      title={`${describeCount(refused.length)} could not be decided`}
      className="mb-6"
      action={
        <Button size="sm" variant="secondary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul aria-label="Not decided" className="mt-1 grid gap-1">
        {refused.map(({ id, title, why }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <Link href={paths.adminModeration({ case: id })} className="link">
              Case #{id}
            </Link>{' '}
            {title && <span className="line-clamp-1">{title}</span>}
            <span className="text-fine text-ink-soft">{why}</span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
