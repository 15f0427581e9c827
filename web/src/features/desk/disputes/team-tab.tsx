import {
  assignDispute,
  DISPUTE_NOTE_MAX_LENGTH,
  listAdmins,
  NewDisputeNote,
  noteDispute,
} from '@sought/contract/casework'
import type { DeskDispute, DisputeNote } from '@sought/contract/disputes'
import { useRead } from '../../../data/calls.ts'
import { explainFailure } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { isResolved } from '../../../shared/disputes/dispute-status.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'

const NOBODY = 'nobody'

interface TeamTabProps {
  dispute: DeskDispute
  notes: readonly DisputeNote[]
  assignee: DeskDispute['assignee']
}

/** Notes between admins, and the assigned admin. The parties see neither. */
export function TeamTab({ dispute, notes, assignee }: TeamTabProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      {!isResolved({ status: dispute.deskStatus }) && <AssignForm dispute={dispute} assignee={assignee} />}
      <section aria-label="Team notes" className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <h3 className="font-strong">Notes, only for admins</h3>
        {notes.length === 0 && <p className="text-ink-soft">Nobody has written a note yet.</p>}
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {notes.map(({ id, author, text, createdAt }) => (
            <li key={id} className="rounded-card bg-sunken p-4">
              <p className="text-fine text-ink-soft">
                {author.name}, <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
              </p>
              <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
            </li>
          ))}
        </ul>
        <NoteForm dispute={dispute} />
      </section>
    </div>
  )
}

/** Saved with a button, because the arrow keys would also select every admin in between. */
function AssignForm({ dispute, assignee }: Omit<TeamTabProps, 'notes'>) {
  const admins = useRead(listAdmins)
  const form = useContractForm(assignDispute, {
    values: { adminId: undefined as string | undefined },
    input: ({ adminId = current }) => ({
      params: { id: String(dispute.id) },
      body: { adminId: adminId === NOBODY ? null : adminId },
    }),
    success: ({ assignee: admin }) => ({
      title: admin ? `Assigned to ${admin.name}` : 'Assigned to nobody',
    }),
    failure: explainFailure('The dispute was not assigned'),
    onSuccess: () => form.reset(),
  })
  const current = assignee?.id ?? NOBODY
  const { value = current, onValueChange } = form.control('adminId')
  const known = admins.data ?? (assignee ? [assignee] : [])
  return (
    <Form form={form} name="Assignment" className="gap-3" submitLabel="Assign" variant="secondary">
      <Select
        label="Assigned to"
        hint="Reminders about promised times go to this admin only."
        options={[
          { value: NOBODY, label: 'Nobody' },
          ...known.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={value}
        disabled={admins.isPending}
        onChange={({ target }) => onValueChange(target.value)}
      />
    </Form>
  )
}

function NoteForm({ dispute }: { dispute: DeskDispute }) {
  const form = useContractForm(noteDispute, {
    schema: NewDisputeNote,
    values: { text: '' },
    input: (body) => ({ params: { id: String(dispute.id) }, body }),
    success: { title: 'Note Added' },
    failure: explainFailure('The note was not added'),
    onDone: () => form.reset(),
  })
  return (
    <Form form={form} name="Note" className="gap-3" submitLabel="Add Note" variant="secondary">
      <TextArea
        label="New note"
        hint="The parties never see it."
        rows={3}
        maxLength={DISPUTE_NOTE_MAX_LENGTH}
        {...form.field('text')}
      />
    </Form>
  )
}
