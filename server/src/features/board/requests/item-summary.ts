import { wantedItems } from '../../../database/schema.ts'

/**
 * The columns of a request that payments, offers and messages show. Lists of these would be large with whole
 * rows.
 */
export const itemSummaryColumns = {
  id: wantedItems.id,
  title: wantedItems.title,
  category: wantedItems.category,
  imageUrl: wantedItems.imageUrl,
  pictureUrl: wantedItems.pictureUrl,
  userId: wantedItems.userId,
  minBudget: wantedItems.minBudget,
  maxBudget: wantedItems.maxBudget,
  currency: wantedItems.currency,
}
