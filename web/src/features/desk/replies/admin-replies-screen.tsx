import {
  deleteReply,
  listReplies,
  REPLY_MAX_LENGTH,
  REPLY_TITLE_MAX_LENGTH,
  type SavedReply,
  saveReply,
  updateReply,
} from '@sought/contract/casework'
import { findUnknownPlaceholders, REPLY_PLACEHOLDERS } from '@sought/contract/reply-placeholders'
import { Plus } from 'lucide-react'
import { type FormEvent, type ReactElement, useState } from 'react'
import { useRead } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogClose } from '../../../ui/overlays/dialog.tsx'
import { DeskActions } from '../layout/desk-layout.tsx'

const PLACEHOLDERS = REPLY_PLACEHOLDERS.map((name) => `{${name}}`).join(' ')

export function AdminRepliesScreen() {
  return (
    <>
      <DeskActions>
        <ReplyDialog
          title="New reply"
          trigger={
            <Button size="sm">
              <Plus aria-hidden="true" />
              New Reply
            </Button>
          }
        />
      </DeskActions>
      <Replies />
    </>
  )
}

function Replies() {
  const replies = useRead(listReplies)
  return (
    <Loaded query={replies}>
      {(saved) =>
        saved.length === 0 ? (
          <EmptyState drawing="letters" title="No saved replies">
            Save a text that you use often. Placeholders are replaced when you insert it.
          </EmptyState>
        ) : (
          <ul aria-label="Saved replies" className="grid grid-cols-[minmax(0,1fr)] gap-5">
            {saved.map((reply) => (
              <li key={reply.id}>
                <ReplyCard reply={reply} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function ReplyCard({ reply }: { reply: SavedReply }) {
  return (
    <Card asChild>
      <article aria-label={reply.title} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 className="font-display font-strong text-lead [overflow-wrap:anywhere]">{reply.title}</h2>
        <p className="whitespace-pre-line [overflow-wrap:anywhere]">{reply.text}</p>
        <div className="flex flex-wrap gap-3">
          <ReplyDialog
            title="Edit reply"
            reply={reply}
            trigger={
              <Button variant="secondary" size="sm" aria-label={`Edit ${reply.title}`}>
                Edit
              </Button>
            }
          />
          <DeleteButton reply={reply} />
        </div>
      </article>
    </Card>
  )
}

interface ReplyDialogProps {
  title: string
  reply?: SavedReply
  trigger: ReactElement
}

function ReplyDialog({ title, reply, trigger }: ReplyDialogProps) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen} title={title} trigger={trigger}>
      <ReplyForm title={title} reply={reply} onDone={() => setOpen(false)} />
    </Dialog>
  )
}

interface ReplyFormProps {
  title: string
  reply: SavedReply | undefined
  onDone: () => void
}

function ReplyForm({ title: label, reply, onDone }: ReplyFormProps) {
  const [title, setTitle] = useState(reply?.title ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const { save, isPending } = useSave(reply, onDone)
  const titleError = title.trim() === '' ? 'Please enter a title' : undefined
  const textError = explainText(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (!titleError && !textError) save({ title, text })
  }
  return (
    <form noValidate aria-label={label} onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <TextField
        label="Title"
        hint="Only admins see it."
        maxLength={REPLY_TITLE_MAX_LENGTH}
        error={isSubmitted ? titleError : undefined}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextArea
        label="Text"
        hint={`Replaced when you insert it: ${PLACEHOLDERS}`}
        rows={6}
        maxLength={REPLY_MAX_LENGTH}
        error={isSubmitted ? textError : undefined}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <DialogActions>
        <DialogClose>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit" busy={isPending}>
          Save Reply
        </Button>
      </DialogActions>
    </form>
  )
}

function useSave(reply: SavedReply | undefined, onDone: () => void) {
  const options = {
    success: { title: 'Reply Saved' },
    failure: explainFailure('The reply was not saved'),
    onDone,
  }
  const created = useAction(saveReply, options)
  const updated = useAction(updateReply, options)
  const save = (body: { title: string; text: string }) =>
    void (reply ? updated.run({ params: { id: String(reply.id) }, body }) : created.run({ body }))
  return { save, isPending: created.isPending || updated.isPending }
}

function explainText(text: string): string | undefined {
  if (text.trim() === '') return 'Please enter a text'
  const unknown = findUnknownPlaceholders(text).map((name) => `{${name}}`)
  return unknown.length > 0 ? `There is no placeholder ${unknown.join(', ')}` : undefined
}

function DeleteButton({ reply }: { reply: SavedReply }) {
  const { run, isPending } = useAction(deleteReply, {
    success: { title: 'Reply Deleted' },
    failure: explainFailure('The reply was not deleted'),
  })
  return (
    <ConfirmDialog
      title={`Delete “${reply.title}”?`}
      description="No admin can insert it any more. Texts that were sent stay as they are."
      confirmLabel="Delete Reply"
      tone="danger"
      busy={isPending}
      onConfirm={() => void run({ params: { id: String(reply.id) } })}
      trigger={
        <Button variant="quiet" size="sm" aria-label={`Delete ${reply.title}`}>
          Delete
        </Button>
      }
    />
  )
}
