import { getWantedItem } from '@sought/contract/requests'
import { useSearchParams } from 'wouter'
import { BackButton } from '../../lib/back-button.tsx'
import { useRead } from '../../lib/calls.ts'
import { useSession } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { readDraft } from './draft.ts'
import { PostForm } from './post-form.tsx'
import type { RequestFields } from './request-form-state.ts'

export function PostScreen() {
  const session = useSession()
  return (
    <Page
      title="Post a Request"
      lead="Say what you want. Sellers who have it will come to you."
      back={<BackButton />}
      width="column"
    >
      <Card padding="lg">{session.state === 'signed-in' && <FilledForm userId={session.user.id} />}</Card>
    </Page>
  )
}

/**
 * The form, filled from one of the user's own requests, from the address, or with a text shared by another app.
 */
function FilledForm({ userId }: { userId: string }) {
  const [query] = useSearchParams()
  const repost = query.get('repost')
  const earlier = useRead(getWantedItem, { params: { id: repost ?? '' } }, { enabled: repost !== null })
  if (repost !== null && earlier.isPending) return <Skeleton className="h-96" />
  const initial =
    earlier.data?.userId === userId ? earlier.data : startWith(userId, query.get('title'), query.get('text'))
  return <PostForm userId={userId} initial={initial} />
}

/**
 * Keeps a draft that has its own title, unless the user shares a text from another app, which becomes the
 * description. The stored draft is replaced only when they change something.
 */
function startWith(userId: string, title: string | null, text: string | null): RequestFields | undefined {
  const draft = readDraft(userId)
  if (text) return { ...draft, ...(title && { title }), description: text }
  return title && !draft?.title ? { ...draft, title } : undefined
}
