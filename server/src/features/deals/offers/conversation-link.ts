import { paths } from '@sought/contract/paths'

/** Where notifications about offers and messages lead. */
export const openConversation = ({ itemId, actorId }: { itemId: number; actorId: string | null }) => ({
  path: paths.messages(actorId ? { itemId, userId: actorId } : { itemId }),
  action: 'Open the conversation',
})
