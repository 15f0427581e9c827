import { wantedItems } from '../../../database/schema.ts'

/** The columns of a request that payments, offers and messages show. Its row is wide, and their lists repeat it. */
export const itemSummaryColumns = {
  id: wantedItems.id,
  title: wantedItems.title,
  category: wantedItems.category,
  imageUrl: wantedItems.imageUrl,
  pictureUrl: wantedItems.pictureUrl,
  userId: wantedItems.userId,
  minBudget: wantedItems.minBudget,
  maxBudget: wantedItems.maxBudget,
}
