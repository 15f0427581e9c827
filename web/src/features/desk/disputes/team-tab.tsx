import { assignDispute, listAdmins, noteDispute } from '@sought/contract/casework'
import type { DeskDispute, DisputeNote } from '@sought/contract/disputes'
import { type FormEvent, useState } from 'react'
import { useRead } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { isResolved } from '../../../shared/disputes/dispute-status.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'

const NOTE_MAX_LENGTH = 5000
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
  const [chosen, setChosen] = useState<string | null>(null)
  const value = chosen ?? assignee?.id ?? NOBODY
  const { run, isPending } = useAction(assignDispute, {
    success: ({ assignee: admin }) => ({
      title: admin ? `Assigned to ${admin.name}` : 'Assigned to nobody',
    }),
    failure: explainFailure('The dispute was not assigned'),
  })
  const known = admins.data ?? (assignee ? [assignee] : [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const adminId = value === NOBODY ? null : value
    void run({ params: { id: String(dispute.id) }, body: { adminId } }).then(() => setChosen(null))
  }
  return (
    <form aria-label="Assignment" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Select
        label="Assigned to"
        hint="Reminders about promised times go to this admin only."
        options={[
          { value: NOBODY, label: 'Nobody' },
          ...known.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={value}
        disabled={admins.isPending}
        onChange={({ target }) => setChosen(target.value)}
      />
      <Button type="submit" variant="secondary" className="justify-self-start" busy={isPending}>
        Assign
      </Button>
    </form>
  )
}

function NoteForm({ dispute }: { dispute: DeskDispute }) {
  const [text, setText] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const { run, isPending } = useAction(noteDispute, {
    success: { title: 'Note Added' },
    failure: explainFailure('The note was not added'),
    onDone: () => {
      setText('')
      setIsSubmitted(false)
    },
  })
  const isMissing = text.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (!isMissing) void run({ params: { id: String(dispute.id) }, body: { text } })
  }
  return (
    <form noValidate aria-label="Note" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <TextArea
        label="New note"
        hint="The parties never see it."
        rows={3}
        maxLength={NOTE_MAX_LENGTH}
        error={isSubmitted && isMissing ? 'Please write a note' : undefined}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" variant="secondary" className="justify-self-start" busy={isPending}>
        Add Note
      </Button>
    </form>
  )
}
