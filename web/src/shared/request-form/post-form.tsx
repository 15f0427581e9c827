import { paths } from '@sought/contract/paths'
import { postWantedItem, type WantedItem } from '@sought/contract/requests'
import { useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { toast } from '../../data/toasts.ts'
import type { ActionOptions } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'
import { deleteDraft, readDraft, saveDraft } from './draft.ts'
import { RequestForm } from './request-form.tsx'
import type { RequestBody, RequestFields } from './request-form-state.ts'

/** The state in the browser's history that home reads after a request was posted. */
export interface PostedState {
  posted?: Pick<WantedItem, 'id' | 'title'>
}

interface PostFormProps {
  userId: string
  /** The initial values instead of the draft, such as a request to post again. */
  initial?: RequestFields | undefined
  /** Runs before home is opened, where the new request is shown to its owner. */
  onDone?: () => void
}

/** The form for a new request, with its draft. Used by the post page and by the dialog on the home page. */
export function PostForm({ userId, initial, onDone }: PostFormProps) {
  const { draft, isSaved, save, startOver } = useDraft(userId, initial)
  const outcome = useOutcome(userId, onDone)
  return (
    <RequestForm
      key={draft.version}
      call={postWantedItem}
      input={(body) => ({ body })}
      outcome={outcome}
      initial={draft.fields}
      submitLabel="Post Request"
      onChange={save}
      autoFocus={draft.version > 0}
      aside={
        isSaved && (
          <>
            <Button variant="quiet" onClick={startOver}>
              Start Over
            </Button>
            <p className="text-fine text-ink-soft max-sm:text-center">Your draft is saved in this browser.</p>
          </>
        )
      }
    />
  )
}

/** The draft that the form starts with. A new version remounts the form. */
function useDraft(userId: string, initial: RequestFields | undefined) {
  const [draft, setDraft] = useState(() => ({ version: 0, fields: initial ?? readDraft(userId) }))
  const [isSaved, setIsSaved] = useState(initial === undefined && draft.fields !== undefined)
  const restart = (fields: RequestFields | undefined) => {
    setDraft(({ version }) => ({ version: version + 1, fields }))
    setIsSaved(fields !== undefined)
  }
  const save = useCallback(
    (fields: RequestFields) => {
      saveDraft(userId, fields)
      setIsSaved(true)
    },
    [userId],
  )
  const startOver = () => {
    const cleared = readDraft(userId)
    deleteDraft(userId)
    restart(undefined)
    const undo = () => {
      if (cleared) saveDraft(userId, cleared)
      restart(cleared)
    }
    toast({ title: 'Draft cleared', action: { label: 'Undo', onPress: undo } })
  }
  return { draft, isSaved, save, startOver }
}

function useOutcome(
  userId: string,
  onDone: (() => void) | undefined,
): ActionOptions<RequestBody, WantedItem> {
  const [, navigate] = useLocation()
  return {
    success: ({ id }) => {
      // Not in onDone, which is skipped if the user has left the form.
      deleteDraft(userId)
      return {
        title: 'Success!',
        description: 'Your wanted item has been posted.',
        action: { label: 'View It', onPress: () => navigate(paths.item(id)) },
      }
    },
    failure: 'Failed to post your wanted item. Please try again.',
    onDone: ({ id, title }) => {
      onDone?.()
      navigate(paths.home(), { state: { posted: { id, title } } satisfies PostedState })
    },
    // The dialog is on the home page, which is public. The post page asks to sign in and then shows the draft.
    onSignedOut: () => navigate(paths.post()),
  }
}
