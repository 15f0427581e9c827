import { paths } from '@sought/contract/paths'
import { listOwnWantedItems, listWantedItems, postWantedItem } from '@sought/contract/requests'
import { useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { toast } from '../../lib/toasts.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { dropDraft, keepDraft, readDraft } from './draft.ts'
import { RequestForm } from './request-form.tsx'
import type { RequestBody, RequestFields } from './request-form-state.ts'

/** A new request, with its draft: the same on its page and in the hero's dialog. */
export function PostForm({ userId, onDone }: { userId: string; onDone: () => void }) {
  const { draft, kept, keep, startOver } = useDraft(userId)
  const post = usePost(userId, onDone)
  return (
    <RequestForm
      key={draft.version}
      initial={draft.fields}
      submitLabel="Post Request"
      busy={post.isPending}
      error={post.error}
      onSubmit={post.send}
      onChange={keep}
      focused={draft.version > 0}
      aside={
        kept && (
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

/** The draft that the form starts from; a new version is a form begun anew. */
function useDraft(userId: string) {
  const [draft, setDraft] = useState(() => ({ version: 0, fields: readDraft(userId) }))
  const [kept, setKept] = useState(draft.fields !== undefined)
  const begin = (fields: RequestFields | undefined) => {
    setDraft(({ version }) => ({ version: version + 1, fields }))
    setKept(fields !== undefined)
  }
  const keep = useCallback(
    (fields: RequestFields) => {
      keepDraft(userId, fields)
      setKept(true)
    },
    [userId],
  )
  const startOver = () => {
    const given = readDraft(userId)
    dropDraft(userId)
    begin(undefined)
    const bringBack = () => {
      if (given) keepDraft(userId, given)
      begin(given)
    }
    toast({ title: 'Draft cleared', action: { label: 'Undo', onPress: bringBack } })
  }
  return { draft, kept, keep, startOver }
}

function usePost(userId: string, onDone: () => void) {
  const [, navigate] = useLocation()
  const { run, isPending, error } = useAction(postWantedItem, {
    success: ({ id }) => {
      // Not in onDone, which is skipped if the user has left the form.
      dropDraft(userId)
      return {
        title: 'Success!',
        description: 'Your wanted item has been posted.',
        action: { label: 'View It', onPress: () => navigate(paths.item(id)) },
      }
    },
    failure: 'Failed to post your wanted item. Please try again.',
    refreshes: [listWantedItems, listOwnWantedItems],
    onDone,
    // The dialog is on the home page, which is public. The post page asks to sign in and then shows the draft.
    onSignedOut: () => navigate(paths.post()),
  })
  return { send: (body: RequestBody) => void run({ body }), isPending, error }
}
