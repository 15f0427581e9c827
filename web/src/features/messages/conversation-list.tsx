import type { Conversation } from '@sought/contract/messages'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { formatRelativeTime } from '../../format/relative-time.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { CountBadge } from '../../ui/display/count-badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { Selection } from './selection.ts'

interface Props {
  conversations: readonly Conversation[]
  me: string
  selection: Selection
}

export function ConversationList({ conversations, me, selection }: Props) {
  return (
    <ul>
      {conversations.map((conversation) => {
        const { wantedItem, user } = conversation
        const isCurrent = selection.itemId === wantedItem.id && selection.userId === user.id
        return (
          <li key={`${wantedItem.id} ${user.id}`} className="border-line border-t">
            <ConversationLine conversation={conversation} me={me} isCurrent={isCurrent} />
          </li>
        )
      })}
    </ul>
  )
}

interface LineProps {
  conversation: Conversation
  me: string
  isCurrent: boolean
}

function ConversationLine({ conversation, me, isCurrent }: LineProps) {
  const { wantedItem, user, activeAt, unreadCount } = conversation
  return (
    <Link
      href={paths.messages({ itemId: wantedItem.id, userId: user.id })}
      aria-current={isCurrent ? 'true' : undefined}
      className={classNames(
        'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-l-3 py-3 pr-4 pl-3.25 text-ink no-underline -outline-offset-2 md:pl-4.25',
        isCurrent ? 'border-accent bg-accent-wash' : 'border-transparent hover:bg-sunken',
      )}
    >
      <Avatar name={user.name} imageUrl={user.profileImageUrl} className="row-span-3 self-start" />
      <span className="truncate font-strong">{user.name}</span>
      <time dateTime={activeAt} className="text-fine text-ink-soft">
        {formatRelativeTime(new Date(activeAt), new Date())}
      </time>
      <span className="col-span-2 col-start-2 truncate text-fine text-ink-soft">{wantedItem.title}</span>
      <span className="col-span-2 col-start-2 flex items-center gap-3">
        <span
          className={classNames('min-w-0 grow truncate', unreadCount > 0 ? 'font-strong' : 'text-ink-soft')}
        >
          {lastMessageText(conversation, me)}
        </span>
        <CountBadge count={unreadCount} />
        {unreadCount > 0 && <span className="sr-only">, {unreadCount} unread</span>}
      </span>
    </Link>
  )
}

function lastMessageText({ lastMessage }: Conversation, me: string): string {
  if (!lastMessage) return 'No messages yet'
  const { content, photoCount, senderId, isHidden } = lastMessage
  if (isHidden) return 'Message removed'
  const text = content || (photoCount === 1 ? 'Photo' : `${photoCount} photos`)
  return senderId === me ? `You: ${text}` : text
}

export function NoConversations() {
  return (
    <EmptyState
      drawing="board"
      title="No conversations yet"
      className="py-8"
      action={
        <LinkButton to={paths.home()} variant="secondary">
          Browse Requests
        </LinkButton>
      }
    >
      Contact a buyer about their request, or post a request and wait for sellers to write to you.
    </EmptyState>
  )
}

const SKELETON_KEYS = ['one', 'two', 'three', 'four']

export function ConversationListSkeleton() {
  return (
    <div role="status" aria-label="Loading conversations">
      {SKELETON_KEYS.map((key) => (
        <div key={key} className="flex gap-3 border-line border-t px-4 py-3 md:px-5">
          <Skeleton className="size-10 rounded-round" />
          <div className="grid grow gap-2">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-3 w-3/4" />
            <Skeleton className="h-4" />
          </div>
        </div>
      ))}
    </div>
  )
}
