import type { Conversation as ConversationLine } from '@sought/contract/messages'
import { paths } from '@sought/contract/paths'
import { getWantedItem } from '@sought/contract/requests'
import { type ReactNode, useEffect } from 'react'
import { Redirect } from 'wouter'
import { useRead } from '../../data/calls.ts'
import type { CallError } from '../../data/client.ts'
import { BackTo } from '../../shared/navigation/back-button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Conversation } from './conversation.tsx'
import type { Selection } from './selection.ts'

interface OlderConversations {
  hasNextPage: boolean
  isFetchNextPageError: boolean
  error: CallError | null
  fetchNextPage: () => unknown
}

interface Props {
  /** Undefined while loading. */
  conversations: readonly ConversationLine[] | undefined
  older: OlderConversations
  selection: Selection
  me: string
}

/** The right pane: the conversation from the URL, or the reason why there is none. */
export function SelectedConversation({ conversations, older, selection, me }: Props) {
  const { itemId, userId } = selection
  if (!conversations) return null
  if (itemId === undefined) return <NothingSelected hasConversations={conversations.length > 0} />
  return <ConversationFromUrl {...{ conversations, older, itemId, userId, me }} />
}

interface ConversationFromUrlProps {
  conversations: readonly ConversationLine[]
  older: OlderConversations
  itemId: number
  userId: string | undefined
  me: string
}

/** Either an existing conversation, or a new one with the owner of the request. */
function ConversationFromUrl({ conversations, older, itemId, userId, me }: ConversationFromUrlProps) {
  const existing = conversations.find(
    ({ wantedItem, user }) => wantedItem.id === itemId && (!userId || user.id === userId),
  )
  const itemQuery = useRead(getWantedItem, { params: { id: String(itemId) } }, { enabled: !existing })
  const item = existing?.wantedItem ?? itemQuery.data
  const other = existing?.user ?? itemQuery.data?.user
  if (!item || !other) {
    if (itemQuery.isPending) return <FullPageSpinner />
    if ([404, 410].includes(itemQuery.error?.status ?? 0))
      return (
        <ConversationUnavailable title="Item not found">
          This request may have been removed.
        </ConversationUnavailable>
      )
    return (
      <ErrorState
        title="Failed to fetch item"
        reference={itemQuery.error?.requestId}
        onRetry={() => void itemQuery.refetch()}
      />
    )
  }
  if (other.id === me && !userId)
    return (
      <ConversationUnavailable title="No messages yet">
        No one has written to you about “{item.title}” yet.
      </ConversationUnavailable>
    )
  if (!userId) return <Redirect to={paths.messages({ itemId, userId: other.id })} replace />
  // A conversation with the owner of the request can be started. One with anybody else must already exist.
  if ((other.id !== userId || other.id === me) && older.hasNextPage)
    return <SearchOlder key={conversations.length} {...older} />
  if (other.id !== userId || other.id === me)
    return (
      <ConversationUnavailable title="Conversation not found">
        Choose one from the list.
      </ConversationUnavailable>
    )
  // Rendered in one place for both cases, so that the composer keeps its focus after the first message.
  return <Conversation key={`${itemId} ${userId}`} parties={{ me, other, item }} />
}

/** Loads one more page. If that page does not contain the conversation either, a new instance loads the next one. */
function SearchOlder({ isFetchNextPageError, error, fetchNextPage }: OlderConversations) {
  useEffect(() => void fetchNextPage(), [fetchNextPage])
  if (!isFetchNextPageError) return <FullPageSpinner />
  return <ErrorState reference={error?.requestId} onRetry={() => void fetchNextPage()} />
}

function NothingSelected({ hasConversations }: { hasConversations: boolean }) {
  return (
    <div className="grid h-full place-content-center">
      <EmptyState drawing="letters" title={hasConversations ? 'Choose a conversation' : 'Nothing here yet'}>
        Messages and offers appear here.
      </EmptyState>
    </div>
  )
}

function ConversationUnavailable({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)] overflow-y-auto">
      <div className="px-4 pt-2 md:hidden">
        <BackTo href={paths.messages()}>Back</BackTo>
      </div>
      <div className="grid place-content-center md:row-span-2">
        <EmptyState drawing="torn" title={title}>
          {children}
        </EmptyState>
      </div>
    </div>
  )
}
