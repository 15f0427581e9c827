import { getWantedItem } from '@sought/contract/requests'
import { useSearchParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { readDraft } from '../../shared/request-form/draft.ts'
import { PostForm } from '../../shared/request-form/post-form.tsx'
import type { RequestFields } from '../../shared/request-form/request-form-state.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'

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
