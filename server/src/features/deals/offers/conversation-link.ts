import { paths } from '@sought/contract/paths'

/** The screen that notifications about offers and messages open. */
export const openConversation = ({ itemId, actorId }: { itemId: number; actorId: string | null }) => ({
  path: paths.messages(actorId ? { itemId, userId: actorId } : { itemId }),
  action: 'Open the conversation',
})
