import type { Conversation as ConversationLine } from '@sought/contract/messages'
import { paths } from '@sought/contract/paths'
import { getWantedItem } from '@sought/contract/requests'
import type { ReactNode } from 'react'
import { Link, Redirect } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FullPageSpinner } from '../../ui/spinner.tsx'
import { Conversation } from './conversation.tsx'
import type { Selection } from './selection.ts'

interface Props {
  /** Undefined until they are read. */
  conversations: readonly ConversationLine[] | undefined
  selection: Selection
  me: string
}

/** The right pane: the conversation that the address names, or why there is none. */
export function SelectedConversation({ conversations, selection: { itemId, userId }, me }: Props) {
  if (!conversations) return null
  if (itemId === undefined) return <NothingSelected any={conversations.length > 0} />
  return <NamedConversation {...{ conversations, itemId, userId, me }} />
}

interface NamedProps {
  conversations: readonly ConversationLine[]
  itemId: number
  userId: string | undefined
  me: string
}

/**
 * A conversation that has begun is in the list. One that has not is with the owner of the request, to
 * whom anybody may write; nobody else.
 */
function NamedConversation({ conversations, itemId, userId, me }: NamedProps) {
  const begun = conversations.find(
    ({ wantedItem, user }) => wantedItem.id === itemId && (!userId || user.id === userId),
  )
  const read = useRead(getWantedItem, { params: { id: String(itemId) } }, { enabled: !begun })
  const item = begun?.wantedItem ?? read.data
  const other = begun?.user ?? read.data?.user
  if (!item || !other) {
    if (read.isPending) return <FullPageSpinner />
    if (read.error?.status === 404)
      return <Nobody title="Item not found">It may have been taken down.</Nobody>
    return <ErrorState title="Failed to fetch item" onRetry={() => void read.refetch()} />
  }
  if (other.id === me && !userId)
    return <Nobody title="No messages yet">Nobody has written about “{item.title}” so far.</Nobody>
  if (!userId) return <Redirect to={paths.messages({ itemId, userId: other.id })} replace />
  if (other.id !== userId || other.id === me)
    return <Nobody title="No such conversation">Choose one from the list.</Nobody>
  // One place for both cases: the first message must not take the composer away from under the hands.
  return <Conversation key={`${itemId} ${userId}`} parties={{ me, other, item }} />
}

function NothingSelected({ any }: { any: boolean }) {
  return (
    <div className="grid h-full place-content-center">
      <EmptyState drawing="letters" title={any ? 'Choose a conversation' : 'Nothing here yet'}>
        {any
          ? 'What was said, and every offer, stands in its thread.'
          : 'What is said about a request stands here.'}
      </EmptyState>
    </div>
  )
}

function Nobody({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)] overflow-y-auto">
      <div className="px-4 pt-2 md:hidden">
        <BackLink asChild>
          <Link href={paths.messages()}>Back</Link>
        </BackLink>
      </div>
      <div className="grid place-content-center md:row-span-2">
        <EmptyState drawing="torn" title={title}>
          {children}
        </EmptyState>
      </div>
    </div>
  )
}
