import { type Conversation, listConversations } from '@sought/contract/messages'
import { useReadPages } from '../../data/calls.ts'

const PAGE_SIZE = 200

const cursorOf = ({ activeAt, wantedItem, user }: Conversation) =>
  `${Date.parse(activeAt)}~${wantedItem.id}~${user.id}`

/** The conversations of the signed-in user, most recent first. All parts of the app share one copy. */
export function useConversations({ enabled = true } = {}) {
  const options = { enabled, idOf: cursorOf }
  return useReadPages(listConversations, { limit: String(PAGE_SIZE) }, options)
}
