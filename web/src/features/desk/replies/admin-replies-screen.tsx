import {
  deleteReply,
  listReplies,
  REPLY_MAX_LENGTH,
  REPLY_TITLE_MAX_LENGTH,
  type SavedReply,
  SavedReplyForm,
  saveReply,
  updateReply,
} from '@sought/contract/casework'
import { REPLY_PLACEHOLDERS } from '@sought/contract/reply-placeholders'
import { Plus } from 'lucide-react'
import type { ReactElement } from 'react'
import { useRead } from '../../../data/calls.ts'
import { send } from '../../../data/client.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { FormDialog } from '../../../shared/forms/form-dialog.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
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
  const form = useContractForm(reply ? updateReply : saveReply, {
    schema: SavedReplyForm,
    values: { title: reply?.title ?? '', text: reply?.text ?? '' },
    send: (body) =>
      reply ? send(updateReply, { params: { id: String(reply.id) }, body }) : send(saveReply, { body }),
    success: { title: 'Reply Saved' },
    failure: explainFailure('The reply was not saved'),
  })
  return (
    <FormDialog form={form} name={title} title={title} trigger={trigger} submitLabel="Save Reply">
      <TextField
        label="Title"
        hint="Only admins see it."
        maxLength={REPLY_TITLE_MAX_LENGTH}
        {...form.field('title')}
      />
      <TextArea
        label="Text"
        hint={`Replaced when you insert it: ${PLACEHOLDERS}`}
        rows={6}
        maxLength={REPLY_MAX_LENGTH}
        {...form.field('text')}
      />
    </FormDialog>
  )
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
