import { useSession } from '../../data/session.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { useMarket } from '../../shared/market/market.ts'
import { useConversations } from '../../shared/messages/conversations.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { ConversationList, ConversationListSkeleton, NoConversations } from './conversation-list.tsx'
import { SelectedConversation } from './selected-conversation.tsx'
import { useSelection } from './selection.ts'

/** Two panes side by side, or one at a time on phones. The URL says which conversation is open. */
export function MessagesScreen() {
  const session = useSession()
  const conversations = useConversations()
  const selection = useSelection()
  const { name } = useMarket()
  const isOpen = selection.itemId !== undefined
  if (session.state !== 'signed-in') return null
  return (
    <div className="mx-auto h-[calc(100dvh-7.25rem)] min-h-[26rem] w-full max-w-board md:h-[calc(100dvh-4.5rem)] md:px-6 md:py-6">
      <title>{`Messages · ${name}`}</title>
      <div className="grid h-full grid-rows-[auto_minmax(0,1fr)] bg-paper md:grid-cols-[19rem_minmax(0,1fr)] md:rounded-card md:shadow-card">
        <h1
          className={classNames(
            'flex h-16 items-center px-4 font-display font-strong text-title md:border-line md:border-r md:px-5',
            isOpen && 'max-md:sr-only',
          )}
        >
          Messages
        </h1>
        <nav
          aria-label="Conversations"
          className={classNames(
            'min-h-0 overflow-y-auto overscroll-contain md:border-line md:border-r',
            isOpen && 'max-md:hidden',
          )}
        >
          <PagedList
            pages={conversations}
            loading={<ConversationListSkeleton />}
            empty={<NoConversations />}
            more={{ label: 'Show older conversations', className: 'border-line border-t py-4' }}
            layout={(loaded) => (
              <ConversationList conversations={loaded} me={session.user.id} selection={selection} />
            )}
          />
        </nav>
        <div
          className={classNames(
            'min-h-0 min-w-0 max-md:row-start-2 md:col-start-2 md:row-span-2 md:row-start-1',
            !isOpen && 'max-md:hidden',
          )}
        >
          <SelectedConversation
            conversations={conversations.data}
            older={conversations}
            selection={selection}
            me={session.user.id}
          />
        </div>
      </div>
    </div>
  )
}
